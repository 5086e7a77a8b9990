package sandbox

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// fixedTime is the time of every file and folder of a fresh copy.
var fixedTime = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// makeCopy writes the order's files into its working folder, with mode 0644
// (folders 0755) and one fixed time, owned by the order's user. In the landlock
// tier it makes the working folder and TMPDIR first; in bwrap both are mounted.
func makeCopy(o order, data io.ReaderAt, offset int64) error {
	if o.Tier == TierLandlock {
		for _, dir := range []string{o.Work, o.Tmp} {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return fmt.Errorf("throwaway folder: %w", err)
			}
		}
	}
	dirs := []string{o.Work}
	made := map[string]bool{".": true}
	for _, f := range o.Files {
		rel := string(f.Path)
		for i := range rel { // folders, outermost first
			if rel[i] != '/' || made[rel[:i]] {
				continue
			}
			dir := filepath.Join(o.Work, rel[:i])
			if err := os.Mkdir(dir, 0o755); err != nil {
				return fmt.Errorf("throwaway copy: %w", err)
			}
			made[rel[:i]] = true
			dirs = append(dirs, dir)
		}
		path := filepath.Join(o.Work, rel)
		if err := writeFile(path, io.NewSectionReader(data, offset, f.Size)); err != nil {
			return fmt.Errorf("throwaway copy: %s: %w", strings.ToValidUTF8(rel, "?"), err)
		}
		if err := finish(path, o.UID); err != nil {
			return err
		}
		offset += f.Size
	}
	// Folders last, innermost first: a file made inside changes their time.
	for i := len(dirs) - 1; i >= 0; i-- {
		if err := finish(dirs[i], o.UID); err != nil {
			return err
		}
	}
	if o.Tier == TierLandlock {
		return finish(o.Tmp, o.UID)
	}
	return nil
}

func writeFile(path string, r io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func finish(path string, uid int) error {
	if uid != 0 {
		if err := os.Lchown(path, uid, uid); err != nil {
			return fmt.Errorf("throwaway copy: %w", err)
		}
	}
	if err := os.Chtimes(path, fixedTime, fixedTime); err != nil {
		return fmt.Errorf("throwaway copy: %w", err)
	}
	return nil
}
