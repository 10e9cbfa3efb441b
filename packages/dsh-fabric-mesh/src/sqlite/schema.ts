/**
 * The tables. Each follows from one measurement: a commit writes whole pages, so small pages, few trees, and what
 * changes together side by side are what keep an operation's bytes down (README, Figures).
 */

/** How many records of a log one `part` row lists. */
export const PART = 8

export const SCHEMA_VERSION = 2
/** Marks the file as a mesh ("DSHM"), so that another program's database is never taken for one. */
export const APPLICATION_ID = 0x4453484d

export const SCHEMA = `
CREATE TABLE workspace (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,          -- SHA-256 of the identity, which may be long
  identity TEXT NOT NULL,
  changes INTEGER NOT NULL,             -- the place of the log of all its state changes
  states INTEGER NOT NULL DEFAULT 0,    -- keys that are not deleted
  topic_pruned INTEGER NOT NULL DEFAULT 0, -- topic messages ever deleted: written by prunes only
  mail_pruned INTEGER NOT NULL DEFAULT 0   -- mailbox messages ever deleted
);

-- Whoever writes or claims; records hold the number.
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

-- Everything that has a log: a topic, a mailbox, a state key, a workspace's changes.
CREATE TABLE place (
  id INTEGER PRIMARY KEY,
  workspace INTEGER NOT NULL,
  kind INTEGER NOT NULL,                -- 0 topic, 1 mailbox, 2 state key, 3 changes
  name TEXT NOT NULL,
  label TEXT,                           -- null: the name
  by INTEGER,
  created_at INTEGER,
  live INTEGER,                         -- state keys: 1 unless deleted
  UNIQUE (workspace, kind, name)
);
CREATE INDEX live_key ON place (workspace, name) WHERE live = 1;

-- Messages and state changes, in the order of their commit.
CREATE TABLE record (
  n INTEGER PRIMARY KEY,
  place INTEGER NOT NULL,
  seq INTEGER NOT NULL,                 -- in its place; of a state change: the version
  at INTEGER NOT NULL,
  by INTEGER NOT NULL,
  change INTEGER,                       -- of a state change: its number in the workspace
  id TEXT,
  cause TEXT,
  recipients TEXT,
  payload TEXT                          -- JSON; null: the state key was deleted
);

-- A log: row \`part\` lists the record numbers of sequences part*8+1 to part*8+8. The newest row of a log is never
-- deleted, so a sequence never comes back.
CREATE TABLE part (
  place INTEGER NOT NULL,
  part INTEGER NOT NULL,
  refs TEXT NOT NULL,
  PRIMARY KEY (place, part)
) WITHOUT ROWID;

-- Ids that callers gave, by a number (\`id-key.ts\`); ids the mesh made carry their sequence and need no row.
CREATE TABLE given (
  place INTEGER NOT NULL,
  key INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (place, key, n)
) WITHOUT ROWID;

-- A mailbox's counters (lane 0) beside its messages that are not settled: queued (1), claimed (2), delayed (3), queued
-- with a priority (4), dead (5). One page for all that an operation changes.
CREATE TABLE desk (
  mailbox INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  attempts INTEGER,
  worker INTEGER,
  claimed_at INTEGER,
  token BLOB,                           -- SHA-256 of the claim's token
  queued INTEGER,
  claimed INTEGER,
  completed INTEGER,
  failed INTEGER,
  updated_at INTEGER,
  priority INTEGER,                     -- null: 0
  due INTEGER,                          -- claimed: the lease's end; delayed: available from; dead: since
  dead INTEGER,
  lease_ms INTEGER,
  max_attempts INTEGER,
  PRIMARY KEY (mailbox, lane, seq)
) WITHOUT ROWID;
CREATE INDEX due ON desk (mailbox, lane, due) WHERE due IS NOT NULL;
CREATE INDEX urgent ON desk (mailbox, priority DESC, seq) WHERE lane = 4;

CREATE TABLE settled (
  n INTEGER PRIMARY KEY,
  attempts INTEGER NOT NULL,
  worker INTEGER NOT NULL,
  claimed_at INTEGER NOT NULL,
  token BLOB NOT NULL,
  settled_at INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  outcome TEXT NOT NULL,                -- JSON: the result, or the error text
  priority INTEGER
);

-- Claims that were taken back, and by whom.
CREATE TABLE released (
  id INTEGER PRIMARY KEY,
  n INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  worker INTEGER NOT NULL,
  at INTEGER NOT NULL,
  by INTEGER NOT NULL,
  cause TEXT,
  reason TEXT NOT NULL,
  expired INTEGER,                      -- 1: its lease ended; null: an operator released it
  token BLOB                            -- SHA-256 of the token that is void
);
CREATE INDEX released_of ON released (n);

-- Records that cannot be read: passed over by every page, named by a check.
CREATE TABLE quarantine (n INTEGER PRIMARY KEY, found TEXT NOT NULL, at INTEGER NOT NULL);
`

/** Messages that a version 1 store had deleted of places of a kind: what the heads say less what is there. */
function prunedOf(kind: number): string {
  return `(SELECT coalesce(sum((SELECT p.part * ${PART} + json_array_length(p.refs) FROM part p
      WHERE p.place = pl.id ORDER BY p.part DESC LIMIT 1)), 0)
    FROM place pl WHERE pl.workspace = w.id AND pl.kind = ${kind})
  - (SELECT count(*) FROM record m JOIN place pl ON pl.id = m.place
    WHERE pl.workspace = w.id AND pl.kind = ${kind})`
}

/** What brings a store of the version before to each version. */
export const MIGRATIONS: ReadonlyMap<number, string> = new Map([
  [
    2,
    `
ALTER TABLE workspace ADD COLUMN topic_pruned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace ADD COLUMN mail_pruned INTEGER NOT NULL DEFAULT 0;
UPDATE workspace AS w SET topic_pruned = ${prunedOf(0)}, mail_pruned = ${prunedOf(1)};
ALTER TABLE desk ADD COLUMN priority INTEGER;
ALTER TABLE desk ADD COLUMN due INTEGER;
ALTER TABLE desk ADD COLUMN dead INTEGER;
ALTER TABLE desk ADD COLUMN lease_ms INTEGER;
ALTER TABLE desk ADD COLUMN max_attempts INTEGER;
CREATE INDEX due ON desk (mailbox, lane, due) WHERE due IS NOT NULL;
CREATE INDEX urgent ON desk (mailbox, priority DESC, seq) WHERE lane = 4;
ALTER TABLE settled ADD COLUMN priority INTEGER;
ALTER TABLE released ADD COLUMN expired INTEGER;
ALTER TABLE released ADD COLUMN token BLOB;
CREATE TABLE quarantine (n INTEGER PRIMARY KEY, found TEXT NOT NULL, at INTEGER NOT NULL);
DELETE FROM given WHERE NOT EXISTS (SELECT 1 FROM record m WHERE m.n = given.n AND m.id IS NOT NULL);
ALTER TABLE given RENAME COLUMN hash TO key;
UPDATE given SET key = id_key((SELECT m.id FROM record m WHERE m.n = given.n));
`,
  ],
])
