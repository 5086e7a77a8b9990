package kairos_test

import (
	"context"
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
