//go:build !unix

package main

import "errors"

func measure([]string) error { return errors.New("measure needs a Unix system") }
