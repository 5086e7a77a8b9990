package harbor

import (
	"bytes"
	"debug/elf"
	"errors"
	"io/fs"

	"github.com/assaybench/assay/benches"
)

// CheckBinary wants a static executable for linux/amd64.
func CheckBinary(b []byte) error {
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		return errors.New("not an ELF executable")
	}
	defer f.Close()
	if f.Machine != elf.EM_X86_64 || f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN {
		return errors.New("not an executable for linux/amd64")
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return errors.New("not static: it wants a dynamic loader; build it with CGO_ENABLED=0")
		}
	}
	return nil
}

// Program makes of a program of this kind the one that packages hold. The benches that ship inside a program are of no use in a
// package, and would show an agent what their contracts hold: their files are filled with zeros. The same program gives the same
// bytes. The error says what is wrong with the program.
func Program(b []byte) ([]byte, error) {
	if err := CheckBinary(b); err != nil {
		return nil, err
	}
	var s scanner
	for _, name := range benches.Names() {
		fsys, _, ok := benches.Open(name)
		if !ok {
			continue // a program that packages hold has none
		}
		err := fs.WalkDir(fsys, ".", func(n string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(fsys, n)
			s.add(data)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	out := bytes.Clone(b)
	s.find(b, func(at int, p []byte) bool {
		clear(out[at : at+len(p)])
		return true
	})
	return out, nil
}
