package kairos_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/assaybench/assay/kairos"
)

func ExampleProgram_Eval() {
	program, err := kairos.Compile("everyDay |> filter(d => dayNo(d) == 25) |> at(T09:00)")
	if err != nil {
		log.Fatal(err)
	}
	from, to := kairos.Date{Year: 2026, Month: 1, Day: 1}, kairos.Date{Year: 2026, Month: 4, Day: 1}
	result, err := program.Eval(context.Background(), kairos.Range{From: from, To: to}, kairos.Options{TZ: "Europe/Berlin"})
	if err != nil {
		log.Fatal(err) // a *kairos.Error: code, place, message, hint
	}
	for _, point := range result.Texts(result.Listings[0].Points) {
		fmt.Println(point)
	}
	// Output:
	// 2026-01-25T09:00
	// 2026-02-25T09:00
	// 2026-03-25T09:00
}

// An error says where it is, what is wrong and what to do.
func ExampleCompile_error() {
	_, err := kairos.Compile("everyDay\n  |> filter(d => dayNo(d) = 25)")
	var e *kairos.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.Line, e.Column)
	}
	// Output:
	// parse.token-expected 2 27
}

func ExampleProgram_Next() {
	program, err := kairos.Compile("everyDay |> within(month) |> last")
	if err != nil {
		log.Fatal(err)
	}
	from, err := kairos.ReadDate("2026-02-10")
	if err != nil {
		log.Fatal(err)
	}
	result, _, err := program.Next(context.Background(), from, 2, 1, kairos.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Texts(result.Listings[0].Points))
	// Output:
	// [2026-02-28 2026-03-31]
}

// Data that come from outside, and what follows from where they end: days beyond are annotated, not guessed.
func ExampleSupplier() {
	program, err := kairos.Compile(`premise Shop {
  tz: "Asia/Tokyo"
  closed = external(kind: dates, source: "the shop's calendar")
}
everyDay |> filter(d => dayNo(d) == 1 and not coincides(Shop.closed, day, d))`)
	if err != nil {
		log.Fatal(err)
	}
	supply := func(premise, word string, _ kairos.ExternalDecl) (*kairos.ExternalData, error) {
		if premise == "Shop" && word == "closed" {
			return &kairos.ExternalData{Dates: []string{"2026-11-01"}, Covering: "2026..2026", AsOf: "2026-10-01"}, nil
		}
		return nil, nil
	}
	days := kairos.Range{From: kairos.Date{Year: 2026, Month: 10, Day: 1}, To: kairos.Date{Year: 2027, Month: 2, Day: 1}}
	result, err := program.Eval(context.Background(), days, kairos.Options{Supply: supply})
	if err != nil {
		log.Fatal(err)
	}
	l := result.Listings[0]
	fmt.Println(result.Texts(l.Points))
	for _, a := range l.Annotations {
		fmt.Printf("%s to %s: beyond %s of %s\n", a.FromText, a.ToText, a.Covering, a.Source)
	}
	fmt.Println("days of data behind the range:", result.Coverage[0].Runway)
	// Output:
	// [2026-10-01 2026-12-01]
	// 2027-01-01 to 2027-02-01: beyond 2026-01-01..2026-12-31 of Shop.closed
	// days of data behind the range: -31
}

// Limits end what a program may cost, whoever wrote it.
func ExampleLimits() {
	program, err := kairos.Compile("everyInstant |> strideBy(1s, from: 1970-01-01)")
	if err != nil {
		log.Fatal(err)
	}
	day := kairos.Range{From: kairos.Date{Year: 2026, Month: 1, Day: 1}, To: kairos.Date{Year: 2026, Month: 1, Day: 2}}
	_, err = program.Eval(context.Background(), day, kairos.Options{Limits: kairos.Limits{Points: 10_000}})
	fmt.Println(err)
	// Output:
	// 1:17: the evaluation makes more than 10000 points and windows (use longer widths or fewer windows) [limit.points]
}

func ExampleFormat() {
	file, err := kairos.Parse("everyDay|>filter( d=>dayNo(d)==25 )  # payday")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(kairos.Format(file))
	// Output:
	// everyDay |> filter(d => dayNo(d) == 25) # payday
}
