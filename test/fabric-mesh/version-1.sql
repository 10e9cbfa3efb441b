-- A store of version 1, as the build of that version wrote it.
CREATE TABLE workspace (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  identity TEXT NOT NULL,
  changes INTEGER NOT NULL,
  states INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE place (
  id INTEGER PRIMARY KEY,
  workspace INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  label TEXT,
  by INTEGER,
  created_at INTEGER,
  live INTEGER,
  UNIQUE (workspace, kind, name)
);
CREATE INDEX live_key ON place (workspace, name) WHERE live = 1;
CREATE TABLE record (
  n INTEGER PRIMARY KEY,
  place INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  by INTEGER NOT NULL,
  change INTEGER,
  id TEXT,
  cause TEXT,
  recipients TEXT,
  payload TEXT
);
CREATE TABLE part (
  place INTEGER NOT NULL,
  part INTEGER NOT NULL,
  refs TEXT NOT NULL,
  PRIMARY KEY (place, part)
) WITHOUT ROWID;
CREATE TABLE given (
  place INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (place, hash, n)
) WITHOUT ROWID;
CREATE TABLE desk (
  mailbox INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  attempts INTEGER,
  worker INTEGER,
  claimed_at INTEGER,
  token BLOB,
  queued INTEGER,
  claimed INTEGER,
  completed INTEGER,
  failed INTEGER,
  updated_at INTEGER,
  PRIMARY KEY (mailbox, lane, seq)
) WITHOUT ROWID;
CREATE TABLE settled (
  n INTEGER PRIMARY KEY,
  attempts INTEGER NOT NULL,
  worker INTEGER NOT NULL,
  claimed_at INTEGER NOT NULL,
  token BLOB NOT NULL,
  settled_at INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  outcome TEXT NOT NULL
);
CREATE TABLE released (
  id INTEGER PRIMARY KEY,
  n INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  worker INTEGER NOT NULL,
  at INTEGER NOT NULL,
  by INTEGER NOT NULL,
  cause TEXT,
  reason TEXT NOT NULL
);
CREATE INDEX released_of ON released (n);
INSERT INTO workspace VALUES (1, X'def2ffc213575fe479f072529ef0167a1998d337d09063f864b385ed53c645f5', 'workspace:inn', 1, 1);
INSERT INTO name VALUES (1, 'narrator');
INSERT INTO name VALUES (2, 'mara');
INSERT INTO name VALUES (3, 'operator');
INSERT INTO place VALUES (1, 1, 3, '', NULL, NULL, NULL, NULL);
INSERT INTO place VALUES (2, 1, 0, 'scene', 'Scene', 1, 1000, NULL);
INSERT INTO place VALUES (3, 1, 2, 'door', NULL, 1, 1011, 1);
INSERT INTO place VALUES (4, 1, 1, 'box', NULL, 1, 1013, NULL);
INSERT INTO record VALUES (1, 2, 1, 1001, 1, NULL, 'beat-1', NULL, NULL, '{"line":1}');
INSERT INTO record VALUES (2, 2, 2, 1002, 1, NULL, 'beat-2', NULL, NULL, '{"line":2}');
INSERT INTO record VALUES (3, 2, 3, 1003, 1, NULL, 'beat-3', NULL, '["mara"]', '{"line":3}');
INSERT INTO record VALUES (4, 2, 4, 1004, 1, NULL, 'beat-4', NULL, NULL, '{"line":4}');
INSERT INTO record VALUES (5, 2, 5, 1005, 1, NULL, 'beat-5', NULL, NULL, '{"line":5}');
INSERT INTO record VALUES (6, 2, 6, 1006, 1, NULL, 'beat-6', NULL, NULL, '{"line":6}');
INSERT INTO record VALUES (7, 2, 7, 1007, 1, NULL, 'beat-7', NULL, NULL, '{"line":7}');
INSERT INTO record VALUES (8, 2, 8, 1008, 1, NULL, 'beat-8', NULL, NULL, '{"line":8}');
INSERT INTO record VALUES (9, 2, 9, 1009, 1, NULL, 'beat-9', NULL, NULL, '{"line":9}');
INSERT INTO record VALUES (10, 2, 10, 1010, 1, NULL, 'beat-10', NULL, NULL, '{"line":10}');
INSERT INTO record VALUES (11, 3, 1, 1011, 1, 1, NULL, NULL, NULL, '"open"');
INSERT INTO record VALUES (12, 3, 2, 1012, 2, 2, 'change-2', 'beat-2', NULL, '"shut"');
INSERT INTO record VALUES (13, 4, 1, 1014, 1, NULL, 'settled', NULL, NULL, '"settled"');
INSERT INTO record VALUES (14, 4, 2, 1015, 1, NULL, 'failed', NULL, NULL, '"failed"');
INSERT INTO record VALUES (15, 4, 3, 1016, 1, NULL, 'claimed', NULL, NULL, '"claimed"');
INSERT INTO record VALUES (16, 4, 4, 1017, 1, NULL, 'released', NULL, NULL, '"released"');
INSERT INTO record VALUES (17, 4, 5, 1018, 1, NULL, 'queued', NULL, NULL, '"queued"');
INSERT INTO part VALUES (1, 0, '[11,12]');
INSERT INTO part VALUES (2, 0, '[1,2,3,4,5,6,7,8]');
INSERT INTO part VALUES (2, 1, '[9,10]');
INSERT INTO part VALUES (3, 0, '[11,12]');
INSERT INTO part VALUES (4, 0, '[13,14,15,16,17]');
INSERT INTO given VALUES (2, 45864904, 3);
INSERT INTO given VALUES (2, 288159039, 9);
INSERT INTO given VALUES (2, 398615797, 7);
INSERT INTO given VALUES (2, 407451685, 8);
INSERT INTO given VALUES (2, 738569327, 2);
INSERT INTO given VALUES (2, 933667784, 6);
INSERT INTO given VALUES (2, 1005460395, 5);
INSERT INTO given VALUES (2, 1228998187, 10);
INSERT INTO given VALUES (2, 1524378249, 1);
INSERT INTO given VALUES (2, 1889282311, 4);
INSERT INTO given VALUES (3, 524156127, 12);
INSERT INTO given VALUES (4, 1386130963, 16);
INSERT INTO given VALUES (4, 1394475336, 13);
INSERT INTO given VALUES (4, 1399580233, 17);
INSERT INTO given VALUES (4, 1469920344, 15);
INSERT INTO given VALUES (4, 1562945807, 14);
INSERT INTO desk VALUES (4, 0, 0, NULL, NULL, NULL, NULL, 2, 1, 1, 1, 1025);
INSERT INTO desk VALUES (4, 1, 4, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO desk VALUES (4, 1, 5, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO desk VALUES (4, 2, 3, 1, 2, 1023, X'a38c263f48944298be036119ce01f5aed1c1e5286d682ce8a28381cb1ebf32de', NULL, NULL, NULL, NULL, NULL);
INSERT INTO settled VALUES (13, 1, 2, 1019, X'68f683ded1cee1afe7b7a51c57290c8263a65ebc2c39b7b5199bdb621085b127', 1020, 0, '1');
INSERT INTO settled VALUES (14, 1, 2, 1021, X'1ea7805b9cc2a9100e06f205b20336d6c805fea6286b5bf2c04be295ad67444d', 1022, 1, '"no"');
INSERT INTO released VALUES (1, 16, 1, 2, 1025, 3, NULL, 'a test');
PRAGMA application_id = 1146308685;
PRAGMA user_version = 1;
