package store

// schema2 keeps what is learnt of a run beside its attempts, and lets attempts be declared invalid without anything being
// rewritten. A try has a life: 0, and one more each time what came before it was declared invalid. The try that declares
// it opens the next life and is an error, so that the attempt's last try says what the attempt is, as ever; in each life
// there is at most one try that is none. A verdict is of one try.
//
// Of what a database of schema 1 holds, nothing is doubted: its identities count as checked up to here.
const schema2 = `
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

ALTER TABLE tries ADD COLUMN life INTEGER NOT NULL DEFAULT 0;
DROP INDEX tries_final;
-- Exactly once: in each of its lives an attempt has at most one try that is not an error of ours or the provider's.
CREATE UNIQUE INDEX tries_final ON tries (run, n, life) WHERE outcome <> 'error';

CREATE TABLE verdicts_of_tries (
	set_id INTEGER NOT NULL REFERENCES sets (id),
	n      INTEGER NOT NULL,
	try    INTEGER NOT NULL,
	pass   INTEGER NOT NULL CHECK (pass IN (0, 1)),
	state  TEXT NOT NULL CHECK (state IN ('graded', 'unread', 'ungradable')),
	letter TEXT NOT NULL,
	body   INTEGER NOT NULL REFERENCES verdict_bodies (id),
	PRIMARY KEY (set_id, n, try)
) STRICT, WITHOUT ROWID;
INSERT INTO verdicts_of_tries
SELECT v.set_id, v.n, t.try, v.pass, v.state, v.letter, v.body
FROM verdicts v JOIN sets s ON s.id = v.set_id JOIN tries t ON t.run = s.run AND t.n = v.n AND t.outcome <> 'error';
DROP TABLE verdicts;
ALTER TABLE verdicts_of_tries RENAME TO verdicts;

-- mark is the last transcript that was on record when the question was put: what was answered before that is vouched for.
CREATE TABLE identities_marked (
	id       INTEGER PRIMARY KEY,
	run      INTEGER NOT NULL REFERENCES runs (run),
	model    INTEGER NOT NULL,
	phase    TEXT NOT NULL CHECK (phase IN ('start', 'check', 'end')),
	taken    INTEGER NOT NULL,
	identity TEXT NOT NULL,
	mark     INTEGER NOT NULL
) STRICT;
INSERT INTO identities_marked
SELECT id, run, model, phase, taken, identity, (SELECT coalesce(max(id), 0) FROM transcripts) FROM identities;
DROP TABLE identities;
ALTER TABLE identities_marked RENAME TO identities;
CREATE INDEX identities_run ON identities (run);
`
