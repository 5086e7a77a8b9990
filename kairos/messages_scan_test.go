package kairos

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// composed are the codes that the package puts together from parts, by the text of the expression.
var composed = map[string][]string{
	`name + ".arg"`:      {"stride.arg", "take.arg", "takeLast.arg"},
	`name + ".n"`:        {"stride.n", "take.n", "takeLast.n"},
	`name + "." + edge`:  {"stride.from", "take.from", "takeLast.until"},
	`name + ".windowed"`: {"take.windowed", "takeLast.windowed"},
}

// carrier is a function that makes an error of a code which it is given.
type carrier struct {
	code  int // which argument of a call the code is
	fixed int // arguments that it gives to the error itself
	rest  int // the first of the arguments of a call that go to the error, or -1 when none does
}

// use is a place that makes an error.
type use struct {
	at   gotoken.Position
	args int
}

// codeScan finds the codes that a package's source uses.
type codeScan struct {
	t        *testing.T
	fset     *gotoken.FileSet
	files    []*ast.File
	carriers map[string]carrier // functions by name, methods by name with a point before
	uses     map[string][]use
	composed map[string]bool // those of composed that were met
}

func scanCodes(t *testing.T) *codeScan {
	s := &codeScan{t: t, fset: gotoken.NewFileSet(), carriers: map[string]carrier{"fail": {1, 0, 2}}}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if n := e.Name(); strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go") {
			f, err := goparser.ParseFile(s.fset, n, nil, goparser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			s.files = append(s.files, f)
		}
	}
	for known := 0; known < len(s.carriers); { // until no more functions turn out to take a code
		known = len(s.carriers)
		s.uses, s.composed = map[string][]use{}, map[string]bool{}
		for _, f := range s.files {
			for _, d := range f.Decls {
				s.decl(d)
			}
		}
	}
	return s
}

// decl looks at the calls of one declaration.
func (s *codeScan) decl(d ast.Decl) {
	fn, _ := d.(*ast.FuncDecl)
	called := map[ast.Expr]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[n.Fun] = true
			if c, ok := s.carriers[nameOf(n.Fun)]; ok {
				s.call(fn, n, c)
			}
		case *ast.SelectorExpr:
			called[n.Sel] = true
		case *ast.Ident:
			if n.Name == "fail" && !called[n] && (fn == nil || fn.Name != n) {
				s.t.Errorf("%v: fail is used otherwise than by calling it; the scan cannot follow", s.fset.Position(n.Pos()))
			}
		case *ast.CompositeLit:
			if id, ok := n.Type.(*ast.Ident); ok && id.Name == "Error" && (fn == nil || fn.Name.Name != "fail" || fn.Recv != nil) {
				s.t.Errorf("%v: an Error is made without fail", s.fset.Position(n.Pos()))
			}
		}
		return true
	})
}

func nameOf(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return "." + f.Sel.Name
	}
	return ""
}

func (s *codeScan) call(fn *ast.FuncDecl, call *ast.CallExpr, c carrier) {
	at := s.fset.Position(call.Pos())
	if len(call.Args) <= c.code {
		s.t.Errorf("%v: %s is called without a code", at, nameOf(call.Fun))
		return
	}
	fixed, rest := c.fixed, -1
	if c.rest >= 0 {
		args := call.Args[min(c.rest, len(call.Args)):]
		if call.Ellipsis == gotoken.NoPos {
			fixed += len(args)
		} else {
			n, variadic, ok := spread(fn, args)
			if !ok {
				s.t.Errorf("%v: the scan cannot count the arguments", at)
				return
			}
			fixed, rest = fixed+n, variadic
		}
	}
	code := call.Args[c.code]
	if i := paramIndex(fn, code); i >= 0 {
		name := fn.Name.Name
		if fn.Recv != nil {
			name = "." + name
		}
		made := carrier{i, fixed, rest}
		if old, ok := s.carriers[name]; ok && old != made {
			s.t.Errorf("%v: %s gives different arguments to one code", at, name)
		}
		s.carriers[name] = made
		return
	}
	if rest >= 0 {
		s.t.Errorf("%v: the scan cannot count the arguments", at)
	}
	codes := s.codesOf(fn, code)
	if len(codes) == 0 {
		s.t.Errorf("%v: the scan cannot tell which codes %s is", at, s.text(code))
	}
	for _, k := range codes {
		s.uses[k] = append(s.uses[k], use{at, fixed})
	}
}

// spread counts arguments of which the last is a list that is spread: the caller's own, or one that append makes of it.
func spread(fn *ast.FuncDecl, args []ast.Expr) (fixed, variadic int, ok bool) {
	last := args[len(args)-1]
	fixed = len(args) - 1
	own := func(e ast.Expr) bool {
		variadic = paramIndex(fn, e)
		return variadic >= 0 && variadic == paramCount(fn)-1
	}
	if own(last) {
		return fixed, variadic, true
	}
	call, isCall := last.(*ast.CallExpr)
	if !isCall || nameOf(call.Fun) != "append" || len(call.Args) < 2 {
		return 0, 0, false
	}
	if call.Ellipsis == gotoken.NoPos { // append(own, a, b)
		return fixed + len(call.Args) - 1, variadic, own(call.Args[0]) && variadic >= 0
	}
	list, isList := call.Args[0].(*ast.CompositeLit) // append([]any{a, b}, own...)
	if !isList || !own(call.Args[1]) {
		return 0, 0, false
	}
	return fixed + len(list.Elts), variadic, true
}

func paramCount(fn *ast.FuncDecl) int { return fn.Type.Params.NumFields() }

// paramIndex gives which parameter of the function an expression is, or -1.
func paramIndex(fn *ast.FuncDecl, e ast.Expr) int {
	id, ok := e.(*ast.Ident)
	if !ok || fn == nil {
		return -1
	}
	i := 0
	for _, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			if name.Name == id.Name {
				return i
			}
			i++
		}
	}
	return -1
}

// codesOf gives the codes that an expression can be.
func (s *codeScan) codesOf(fn *ast.FuncDecl, e ast.Expr) []string {
	switch x := e.(type) {
	case *ast.BasicLit:
		return literals([]ast.Expr{x})
	case *ast.Ident: // a variable to which only literals are assigned
		var from []ast.Expr
		ast.Inspect(fn, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for i, l := range a.Lhs {
					if id, ok := l.(*ast.Ident); ok && id.Name == x.Name {
						from = append(from, a.Rhs[min(i, len(a.Rhs)-1)])
					}
				}
			}
			return true
		})
		return literals(from)
	case *ast.CallExpr: // of a function that returns only literals
		for _, f := range s.files {
			for _, d := range f.Decls {
				if callee, ok := d.(*ast.FuncDecl); ok && callee.Recv == nil && callee.Name.Name == nameOf(x.Fun) {
					var from []ast.Expr
					ast.Inspect(callee, func(n ast.Node) bool {
						if r, ok := n.(*ast.ReturnStmt); ok {
							from = append(from, r.Results...)
						}
						return true
					})
					return literals(from)
				}
			}
		}
	}
	text := s.text(e)
	s.composed[text] = true
	return composed[text]
}

// literals gives the texts of string literals; none when one of the expressions is anything else.
func literals(list []ast.Expr) []string {
	var out []string
	for _, e := range list {
		l, ok := e.(*ast.BasicLit)
		if !ok || l.Kind != gotoken.STRING {
			return nil
		}
		v, _ := strconv.Unquote(l.Value)
		out = append(out, v)
	}
	return out
}

func (s *codeScan) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return s.text(e.X) + " " + e.Op.String() + " " + s.text(e.Y)
	case *ast.Ident:
		return e.Name
	case *ast.BasicLit:
		return e.Value
	}
	return fmt.Sprintf("%v at %v", reflect.TypeOf(e), s.fset.Position(e.Pos()))
}
