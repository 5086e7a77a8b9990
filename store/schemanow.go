package store

// schemaNow is what the migrations lead to, for a new file, which is made in less time by it. A test holds it to them.
const schemaNow = `
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
	phase    TEXT NOT NULL CHECK (phase IN ('start', 'check', 'end')),
	taken    INTEGER NOT NULL,
	identity TEXT NOT NULL,
	mark     INTEGER NOT NULL -- the last transcript that was on record when the question was put
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
	life            INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (run, n, try),
	FOREIGN KEY (run, n) REFERENCES attempts (run, n)
) STRICT, WITHOUT ROWID;
-- Exactly once: in each of its lives an attempt has at most one try that is not an error of ours or the provider's.
CREATE UNIQUE INDEX tries_final ON tries (run, n, life) WHERE outcome <> 'error';

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
	try    INTEGER NOT NULL,
	pass   INTEGER NOT NULL CHECK (pass IN (0, 1)),
	state  TEXT NOT NULL CHECK (state IN ('graded', 'unread', 'ungradable')),
	letter TEXT NOT NULL,
	body   INTEGER NOT NULL REFERENCES verdict_bodies (id),
	PRIMARY KEY (set_id, n, try)
) STRICT, WITHOUT ROWID;

CREATE TABLE facts (
	id      INTEGER PRIMARY KEY,
	run     INTEGER NOT NULL REFERENCES runs (run),
	seq     INTEGER NOT NULL,
	kind    TEXT NOT NULL CHECK (kind <> ''),
	model   INTEGER,
	posture INTEGER,
	taken   INTEGER NOT NULL,
	body    BLOB NOT NULL,
	UNIQUE (run, seq)
) STRICT;
`
