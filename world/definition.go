package world

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Definition is the SHA-256 of all that decides how a session answers beside its seed: the world's files, the task's public
// part with its evidence, and the staged faults. Two sessions with the same definition and seed answer the same calls alike.
func (w *World) Definition(sp Spec) string {
	h := sha256.New()
	fmt.Fprintf(h, "world %s\n", w.digest)
	if sp.Task != nil {
		fmt.Fprintf(h, "task %s\n", sp.Task.digest)
		for _, f := range sp.Task.Evidence {
			fmt.Fprintf(h, "evidence %q %s\n", f.Path, f.SHA256)
		}
	}
	if sp.Staged != nil && sp.Staged.digest != "" {
		fmt.Fprintf(h, "faults %s\n", sp.Staged.digest)
	}
	return hex.EncodeToString(h.Sum(nil))
}
