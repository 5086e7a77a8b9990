//go:build !linux

package sandbox

import (
	"errors"
	"testing"
)

func holdForTest() bool { return false }

func TestOpenElsewhere(t *testing.T) {
	b, err := Open(t.Context(), Options{})
	var u *Unavailable
	if b != nil || !errors.As(err, &u) || len(u.Reasons) != 1 {
		t.Fatalf("Open = %v, %v; want *Unavailable with one reason", b, err)
	}
}
