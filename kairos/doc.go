// Package kairos evaluates programs of Kairos, a language for points in time: "the 25th of each month at nine, or the
// business day before it". A program is text; Compile reads it, and Program.Eval gives its points within a range of days,
// what of them depends on data beyond their coverage, and how far all data reach.
//
//	program, err := kairos.Compile("everyDay |> filter(d => dayNo(d) == 25) |> at(T09:00)")
//	…
//	days := kairos.Range{From: kairos.Date{Year: 2026, Month: 1, Day: 1}, To: kairos.Date{Year: 2026, Month: 4, Day: 1}}
//	result, err := program.Eval(ctx, days, kairos.Options{TZ: "Europe/Berlin"})
//	…
//	result.Texts(result.Listings[0].Points) // 2026-01-25T09:00 2026-02-25T09:00 2026-03-25T09:00
//
// An evaluation is a function of the program, the range, the options and what Options.Supply gives: it reads no clock, no
// file and no zone data of the machine, and one Program can be evaluated by several goroutines at once. Programs may come
// from anybody: Limits bound the work, and the context can end it. Every error is an *Error with a code, the place in the
// text, a message and mostly a hint; Codes lists them.
//
// Instants are milliseconds since 1970-01-01T00:00Z throughout. docs/kairos.md teaches the language and is its reference.
// Parse, Format and the types of the syntax tree are for tools.
package kairos
