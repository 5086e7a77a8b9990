package kairos

// Inspect calls f for an expression and, where f gives true, for every expression inside it, outermost first.
func Inspect(e Expr, f func(Expr) bool) {
	if e != nil && f(e) {
		children(e, func(x Expr) { Inspect(x, f) })
	}
}
