-- A job is written before its 202 leaves, and ends once.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,                              -- job_ + ULID
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,                               -- its path without /v1/, e.g. 'audio-features/upload'
  options TEXT NOT NULL,                            -- JSON, complete with defaults
  audio_sha256 BLOB NOT NULL,
  staged_file TEXT UNIQUE,                          -- name in staging/; null once the upload is gone
  staged_bytes INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,              -- times it was begun
  reservation INTEGER NOT NULL UNIQUE REFERENCES ledger (id),
  credits_reserved INTEGER NOT NULL,
  credits_used INTEGER,                             -- once it has ended
  result TEXT,                                      -- JSON, of completed
  error_code TEXT,                                  -- of failed
  error_message TEXT,
  trace_id TEXT NOT NULL,                           -- of the submission
  created_at INTEGER NOT NULL,
  started_at INTEGER,                               -- of the last attempt
  finished_at INTEGER,
  expires_at INTEGER,                               -- of completed: when the files of the result go
  CHECK ((status IN ('completed', 'failed')) = (finished_at IS NOT NULL)),
  CHECK ((status = 'completed') = (result IS NOT NULL)),
  CHECK ((status = 'failed') = (error_code IS NOT NULL))
) STRICT;
CREATE INDEX jobs_by_account ON jobs (account_id, id);
CREATE INDEX jobs_queued ON jobs (account_id, id) WHERE status = 'queued';
CREATE INDEX jobs_queued_by_kind ON jobs (kind) WHERE status = 'queued';
CREATE INDEX jobs_processing ON jobs (id) WHERE status = 'processing';
CREATE INDEX jobs_history ON jobs (kind, finished_at) WHERE status = 'completed';
CREATE INDEX jobs_staged ON jobs (created_at) WHERE staged_file IS NOT NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;

-- What a completed job offers for download, until it expires.
CREATE TABLE job_files (
  job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  name TEXT NOT NULL,                               -- as the caller sees it, e.g. 'vocals.wav'
  file TEXT NOT NULL UNIQUE,                        -- name in results/
  bytes INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  content_type TEXT NOT NULL,
  duration_s REAL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (job_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_files_by_expiry ON job_files (expires_at);

CREATE TABLE idempotency_keys (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL,
  request_hash BLOB NOT NULL,                       -- SHA-256 of kind, options and audio
  job_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Keys of the service's own signatures.
CREATE TABLE signing_keys (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
