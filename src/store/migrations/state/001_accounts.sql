-- Times are Unix milliseconds throughout.

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,                              -- acct_ + ULID
  name TEXT NOT NULL,
  balance INTEGER NOT NULL DEFAULT 0 CHECK (balance >= 0),  -- kept by the ledger's trigger alone
  requests_per_minute INTEGER CHECK (requests_per_minute > 0),  -- null: the configured default
  concurrency INTEGER CHECK (concurrency > 0),                  -- null: the configured default
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,                              -- key_ + ULID
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  hash BLOB NOT NULL UNIQUE,                        -- SHA-256 of the whole key; the key itself is never stored
  hint TEXT NOT NULL,                               -- prefix and last four characters, to tell keys apart
  scopes TEXT,                                      -- JSON array; null: all
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_id);

-- Append-only. `amount` is what the row does to the balance, so that the balance is the sum of the amounts:
--   grant   +n                      credits added
--   reserve −n                      set aside for `holder` (request:<trace id> or job:<id>) before work begins
--   charge  +(reserved − credits)   the reservation is settled for `credits`; what was reserved beyond comes back
--   release +n                      the reservation is given back whole
--   refund  +n                      a charge is given back
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'reserve', 'charge', 'release', 'refund')),
  amount INTEGER NOT NULL,
  credits INTEGER NOT NULL CHECK (credits >= 0),
  reservation INTEGER REFERENCES ledger (id),       -- of charge, release and refund
  holder TEXT,                                      -- of reserve
  endpoint TEXT,                                    -- e.g. 'POST /v1/bpm'
  note TEXT,
  created_at INTEGER NOT NULL,
  CHECK ((kind IN ('charge', 'release', 'refund')) = (reservation IS NOT NULL)),
  CHECK ((kind = 'reserve') = (holder IS NOT NULL)),
  CHECK (CASE kind WHEN 'grant' THEN amount = credits WHEN 'reserve' THEN amount = -credits
                   WHEN 'charge' THEN amount >= 0 ELSE amount = credits END)
) STRICT;
CREATE INDEX ledger_by_account ON ledger (account_id, created_at);
CREATE INDEX ledger_reserves ON ledger (holder) WHERE kind = 'reserve';
-- A reservation ends once, and a charge is refunded once, whatever the code above does.
CREATE UNIQUE INDEX ledger_settled_once ON ledger (reservation) WHERE kind IN ('charge', 'release');
CREATE UNIQUE INDEX ledger_refunded_once ON ledger (reservation) WHERE kind = 'refund';

CREATE TRIGGER ledger_moves_balance AFTER INSERT ON ledger BEGIN
  UPDATE accounts SET balance = balance + NEW.amount WHERE id = NEW.account_id;
END;
CREATE TRIGGER ledger_is_never_changed BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_is_never_deleted BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- Requests by day and endpoint. Credits are not here: they come from the ledger.
CREATE TABLE usage (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  day TEXT NOT NULL,                                -- YYYY-MM-DD, UTC
  endpoint TEXT NOT NULL,
  requests INTEGER NOT NULL,
  cache_hits INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  PRIMARY KEY (account_id, day, endpoint)
) STRICT, WITHOUT ROWID;
