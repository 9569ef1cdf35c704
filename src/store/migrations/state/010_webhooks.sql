-- One receiver an account. Secrets are kept as they are, because signing needs them.
CREATE TABLE webhook_endpoints (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,                             -- signs too until previous_until
  previous_until INTEGER,
  failures_in_a_row INTEGER NOT NULL DEFAULT 0,     -- deliveries, not attempts
  disabled_at INTEGER,                              -- null: enabled
  updated_at INTEGER NOT NULL
) STRICT;

-- One event is one delivery of up to six attempts.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,                              -- evt_ + ULID, stable across attempts
  account_id TEXT NOT NULL REFERENCES accounts (id),
  type TEXT NOT NULL,
  job_id TEXT,
  body TEXT NOT NULL,                               -- what is signed and sent, byte for byte
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,                          -- of pending
  created_at INTEGER NOT NULL,
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (account_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (attempts, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_by_account ON webhook_deliveries (account_id, id);
-- A job ends once, so it has one event, however often its end is written.
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (job_id) WHERE job_id IS NOT NULL;

-- The delivery log: the newest attempts of each account, skipped events among them.
CREATE TABLE webhook_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  delivery_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,                         -- 1 …; 0 for an event that was skipped
  outcome TEXT NOT NULL CHECK (outcome IN ('delivered', 'failed', 'skipped')),
  url TEXT NOT NULL,
  request_body TEXT NOT NULL,
  status_code INTEGER,                              -- null when no answer came
  response_body TEXT,                               -- at most 64 KiB of it
  error TEXT,
  duration_ms INTEGER,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_attempts_by_account ON webhook_attempts (account_id, id);
