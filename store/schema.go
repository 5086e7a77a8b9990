package store

import (
	"context"
	"database/sql"
	"fmt"
)

// applicationID marks an Assay database in the file's header ("ASSY"), so that no other program's file is taken for one.
const applicationID = 0x41535359

// migrations lead from each schema version to the next: migrations[i] makes version i+1. One that was released is never
// changed.
var migrations = []string{schema1, schema2}

// Times are nanoseconds since 1970 UTC, durations nanoseconds. NULL tokens mean that the server did not say.
const schema1 = `
CREATE TABLE runs (
	run     INTEGER PRIMARY KEY,
	id      TEXT NOT NULL UNIQUE,
	created INTEGER NOT NULL,
	request TEXT NOT NULL,
	plan    TEXT NOT NULL
) STRICT;
CREATE INDEX runs_request ON runs (request, created);
CREATE INDEX runs_created ON runs (created);

CREATE TABLE identities (
	id       INTEGER PRIMARY KEY,
	run      INTEGER NOT NULL REFERENCES runs (run),
	model    INTEGER NOT NULL,
	phase    TEXT NOT NULL CHECK (phase IN ('start', 'end')),
	taken    INTEGER NOT NULL,
	identity TEXT NOT NULL
) STRICT;
CREATE INDEX identities_run ON identities (run);

CREATE TABLE attempts (
	run     INTEGER NOT NULL REFERENCES runs (run),
	n       INTEGER NOT NULL,
	model   INTEGER NOT NULL,
	posture INTEGER NOT NULL,
	repeat  INTEGER NOT NULL,
	item    TEXT NOT NULL,
	family  TEXT NOT NULL,
	basis   TEXT NOT NULL CHECK (basis IN ('exact', 'proxy')),
	PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_item ON attempts (run, item);

CREATE TABLE transcripts (
	id   INTEGER PRIMARY KEY,
	body BLOB NOT NULL
) STRICT;

CREATE TABLE tries (
	run             INTEGER NOT NULL,
	n               INTEGER NOT NULL,
	try             INTEGER NOT NULL,
	outcome         TEXT NOT NULL CHECK (outcome IN ('answered', 'refused', 'truncated', 'timeout', 'undelivered', 'error')),
	reason          TEXT NOT NULL,
	prompt_tokens   INTEGER,
	output_tokens   INTEGER,
	thinking_tokens INTEGER,
	cached_tokens   INTEGER,
	started         INTEGER NOT NULL,
	total_ns        INTEGER NOT NULL,
	load_ns         INTEGER NOT NULL,
	queue_ns        INTEGER NOT NULL,
	prompt_ns       INTEGER NOT NULL,
	output_ns       INTEGER NOT NULL,
	delivery        TEXT NOT NULL,
	answer_bytes    INTEGER NOT NULL,
	thinking_bytes  INTEGER NOT NULL,
	answer_sum      BLOB NOT NULL,
	transcript      INTEGER NOT NULL REFERENCES transcripts (id),
	PRIMARY KEY (run, n, try),
	FOREIGN KEY (run, n) REFERENCES attempts (run, n)
) STRICT, WITHOUT ROWID;
-- Exactly once: an attempt has at most one try that is not an error of ours or the provider's.
CREATE UNIQUE INDEX tries_final ON tries (run, n) WHERE outcome <> 'error';

CREATE TABLE sets (
	id      INTEGER PRIMARY KEY,
	run     INTEGER NOT NULL REFERENCES runs (run),
	grader  TEXT NOT NULL,
	digest  TEXT NOT NULL,
	created INTEGER NOT NULL,
	UNIQUE (run, grader)
) STRICT;

CREATE TABLE verdict_bodies (
	id   INTEGER PRIMARY KEY,
	body TEXT NOT NULL
) STRICT;

CREATE TABLE verdicts (
	set_id INTEGER NOT NULL REFERENCES sets (id),
	n      INTEGER NOT NULL,
	pass   INTEGER NOT NULL CHECK (pass IN (0, 1)),
	state  TEXT NOT NULL CHECK (state IN ('graded', 'unread', 'ungradable')),
	letter TEXT NOT NULL,
	body   INTEGER NOT NULL REFERENCES verdict_bodies (id),
	PRIMARY KEY (set_id, n)
) STRICT, WITHOUT ROWID;
`

// migrate brings the database to this program's schema, in one transaction.
func (db *DB) migrate(ctx context.Context) error {
	id, version, err := db.header(ctx, db.w)
	if err != nil {
		return err
	}
	if err := db.checkHeader(id, version); err != nil || version == len(migrations) {
		return err
	}
	tx, err := db.w.BeginTx(ctx, nil)
	if err != nil {
		return db.fault("make the tables", err)
	}
	defer tx.Rollback()
	// Asked again under the write lock: another process may have been quicker.
	if id, version, err = db.header(ctx, tx); err != nil {
		return err
	}
	if err := db.checkHeader(id, version); err != nil {
		return err
	}
	steps := []string{schemaNow}
	if version > 0 {
		steps = migrations[version:]
	}
	for _, step := range steps {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return db.fault("make the tables", err)
		}
	}
	set := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(migrations))
	if _, err := tx.ExecContext(ctx, set); err != nil {
		return db.fault("make the tables", err)
	}
	return db.fault("make the tables", tx.Commit())
}

// querier is what header needs of a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// header reads whose database it is and its schema's version; a new file has 0 and 0.
func (db *DB) header(ctx context.Context, q querier) (id, version int, err error) {
	err = q.QueryRowContext(ctx, "SELECT a.application_id, v.user_version FROM pragma_application_id a, pragma_user_version v").Scan(&id, &version)
	if err != nil {
		return 0, 0, db.fault("open the database", err)
	}
	if id == 0 && version == 0 {
		var tables int
		if err := q.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
			return 0, 0, db.fault("open the database", err)
		}
		if tables > 0 {
			id = -1
		}
	}
	return id, version, nil
}

func (db *DB) checkHeader(id, version int) error {
	switch {
	case id != applicationID && (id != 0 || version != 0):
		return &Error{Kind: Foreign, Path: db.path, Msg: "a database of another program; name another file with --db"}
	case version > len(migrations):
		return &Error{Kind: Newer, Path: db.path,
			Msg: fmt.Sprintf("written by a newer Assay (schema %d, this one knows %d); use that version, or name another file with --db", version, len(migrations))}
	}
	return nil
}
