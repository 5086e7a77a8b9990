package export

import (
	"context"
	"fmt"
	"io"
)

// Folder writes a format of several files, each through put with a name that has no folder, and gives their names.
func (r *Run) Folder(ctx context.Context, format string, put func(name string, write func(io.Writer) error) error) ([]string, error) {
	switch format {
	case "parquet":
		for name, t := range map[string]Table{"attempts.parquet": r.AttemptTable(), "findings.parquet": r.FindingTable()} {
			if err := put(name, func(w io.Writer) error { return t.Parquet(ctx, w) }); err != nil {
				return nil, err
			}
		}
		return []string{"attempts.parquet", "findings.parquet"}, nil
	case "inspect":
		return r.inspect(ctx, put)
	}
	return nil, fmt.Errorf("the format %q has no folder", format)
}
