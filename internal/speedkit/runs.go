package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/assaybench/assay/internal/web/viewtest"
	"github.com/assaybench/assay/store"
)

// runs makes a database with a large run, for measuring what reads it.
func runs(args []string) (err error) {
	f := flag.NewFlagSet("runs", flag.ExitOnError)
	n := f.Int("n", 100_000, "attempts, in fours")
	large := f.Int("large", 0, "a second run of one attempt, whose answer has so many MB")
	out := f.String("o", "", "the database file")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *out == "" || *n < 4 {
		return fmt.Errorf("runs: -o is missing, or -n below 4")
	}
	ctx := context.Background()
	db, err := store.Open(ctx, *out, store.Options{Create: true})
	if err != nil {
		return err
	}
	_, err = viewtest.Many(ctx, db, fmt.Sprintf("made%d", *n), *n/4, *n/4*4)
	if err == nil && *large > 0 {
		err = viewtest.Large(ctx, db, "large", *large<<20)
	}
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	return err
}
