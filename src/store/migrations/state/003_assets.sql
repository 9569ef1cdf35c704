-- Audio kept for a while to be analysed several times. The bytes lie in a file of the given random name.
CREATE TABLE assets (
  id TEXT PRIMARY KEY,                              -- asset_ + ULID
  account_id TEXT NOT NULL REFERENCES accounts (id),
  sha256 BLOB NOT NULL,
  bytes INTEGER NOT NULL,
  file TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (account_id, sha256)
) STRICT;
CREATE INDEX assets_by_expiry ON assets (expires_at);

-- Requests of the last minute, for limits to hold across a restart.
CREATE TABLE rate_counts (
  id TEXT NOT NULL,
  second INTEGER NOT NULL,                          -- Unix seconds
  count INTEGER NOT NULL,
  PRIMARY KEY (id, second)
) STRICT, WITHOUT ROWID;
