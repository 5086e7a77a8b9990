package doctor

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assaybench/assay/price"
	"github.com/assaybench/assay/store"
)

const (
	stateDir     = ".assay"
	databaseName = "assay.db"
	pricesName   = "prices.yaml"
)

// littleRoom is the free space below which a run may not end well: its answers, and a log of the database beside them.
const littleRoom = 256 << 20

// disk looks at where .assay is, or would be made. Nothing is written to find out.
func (g *gatherer) disk() Disk {
	dir, say := filepath.Join(g.Dir, stateDir), "where .assay is"
	info, err := os.Stat(dir)
	if err != nil {
		dir, say = g.Dir, "where .assay would be made"
	}
	d := Disk{Folder: g.line(dir, sayMost)}
	const elsewhere = "run assay in another folder, or name a file with --db"
	if err == nil && !info.IsDir() {
		d.Finding = Finding{Fault, fmt.Sprintf("%s is not a folder", d.Folder), elsewhere}
		return d
	}
	d.Free, d.Writable = room(dir)
	free := "how much is free is not known here"
	if d.Free != nil {
		free = Size(*d.Free) + " free"
	}
	d.Finding = Finding{State: OK, Say: fmt.Sprintf("%s, %s", free, say)}
	switch {
	case d.Writable != nil && !*d.Writable:
		d.State, d.Do = Missing, elsewhere
		d.Say = d.Folder + " cannot be written"
	case d.Free != nil && *d.Free < littleRoom:
		d.State, d.Do = Missing, "make room before a long run, or "+elsewhere
	}
	return d
}

// database opens .assay/assay.db to read, where there is one.
func (g *gatherer) database(ctx context.Context) Database {
	path := filepath.Join(stateDir, databaseName)
	d := Database{File: path}
	whole := filepath.Join(g.Dir, path)
	if _, err := os.Stat(whole); errors.Is(err, fs.ErrNotExist) {
		d.Finding = Finding{Missing, "none here (" + path + ")", "assay run makes it"}
		return d
	}
	ctx, cancel := context.WithTimeout(ctx, 2*usualPatience)
	defer cancel()
	d.Schema = schema(whole)
	db, err := store.Open(ctx, whole, store.Options{ReadOnly: true, Busy: usualPatience})
	if err == nil {
		d.Runs, err = countRuns(ctx, db)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		d.Finding = g.finding(Fault, strings.ReplaceAll(err.Error(), whole, path), "name another file with --db")
		return d
	}
	d.Finding = Finding{State: OK, Say: counted(d.Runs, "run") + " in " + path}
	if d.Schema > 0 {
		d.Say += fmt.Sprintf(", schema %d", d.Schema)
	}
	return d
}

func countRuns(ctx context.Context, db *store.DB) (n int, err error) {
	for _, err := range db.Runs(ctx) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// schema reads the version from the head of an SQLite file: a big-endian number at its place 60. A file that was just made
// may have it in its log alone; it is then 0, not known.
func schema(path string) int64 {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return 0
	}
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	head := make([]byte, 64)
	if _, err := io.ReadFull(f, head); err != nil || !strings.HasPrefix(string(head), "SQLite format 3\x00") {
		return 0
	}
	return int64(binary.BigEndian.Uint32(head[60:]))
}

// pricesMost bounds the price file, in bytes.
const pricesMost = 1 << 20

// prices reads .assay/prices.yaml, where there is one.
func (g *gatherer) prices() Prices {
	path := filepath.Join(stateDir, pricesName)
	p := Prices{File: path, Models: []string{}}
	data, err := readPlain(filepath.Join(g.Dir, path), pricesMost)
	if errors.Is(err, fs.ErrNotExist) {
		p.Finding = Finding{Missing, "none here (" + path + "), so costs are not known", "write currency, as_of and models into it, with prices a million tokens: anthropic/NAME: {input: 1.00, output: 5.00}"}
		return p
	}
	var table *price.Table
	if err == nil {
		table, err = price.Read(path, data)
	}
	if err != nil {
		first, more, _ := strings.Cut(err.Error(), "\n")
		p.Finding = g.finding(Fault, first, "correct "+path)
		if more != "" {
			p.Say += fmt.Sprintf(" (the first of %s)", counted(strings.Count(more, "\n")+2, "fault"))
		}
		return p
	}
	p.Currency, p.AsOf = g.line(table.Currency, nameMost), g.line(table.AsOf, nameMost)
	models := table.Models()
	for _, m := range models[:min(len(models), ListMost)] {
		p.Models = append(p.Models, g.line(m, nameMost))
	}
	p.Finding = Finding{State: OK, Say: fmt.Sprintf("%s in %s as of %s", counted(len(models), "model"), p.Currency, p.AsOf)}
	if len(models) == 0 {
		p.State, p.Do = Missing, "write the models' prices into "+path
	}
	return p
}

// readPlain reads a plain file whole; anything else could keep a reader waiting.
func readPlain(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a plain file", filepath.Join(stateDir, filepath.Base(path)))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s is larger than %s", filepath.Join(stateDir, filepath.Base(path)), Size(most))
	}
	return data, err
}
