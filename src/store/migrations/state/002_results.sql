-- Analysis results by what they were made from, whoever sent it: SHA-256 over the bytes' hash, the analysis, its
-- version and its options.
CREATE TABLE results (
  cache_key BLOB PRIMARY KEY,
  analysis TEXT NOT NULL,
  json TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  used_at INTEGER NOT NULL                          -- to within an hour
) STRICT, WITHOUT ROWID;
CREATE INDEX results_by_use ON results (used_at);

-- Who has paid for what: a repeat is free for the account that paid, and others learn nothing from it. The key leaves
-- the version out, so that an engine update does not bill anybody again.
CREATE TABLE purchases (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  purchase_key BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, purchase_key)
) STRICT, WITHOUT ROWID;
