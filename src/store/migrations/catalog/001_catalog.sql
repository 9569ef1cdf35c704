-- Tracks and what is known of them, for tens of millions. What that asks for:
-- * Rows are found by integers. Track ids are row numbers, so that every other table names a track in 4 bytes or less.
-- * Tables that are nothing but their key are WITHOUT ROWID: one tree instead of a table and an index that repeats it.
-- * Keys are as short as their kind allows: numbers as integers, UUIDs as 16 bytes, names as 6 bytes of a hash.

CREATE TABLE tracks (
  id INTEGER PRIMARY KEY,
  artist TEXT NOT NULL,
  title TEXT NOT NULL,
  album TEXT,
  duration_ms INTEGER,
  -- How well known, in whatever unit its source has; larger is better known. Decides between equally good matches.
  popularity INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Platform: place in the list of identifiers/platform.ts. Value: an integer, 16 bytes, or text, as store/catalog/identifiers.ts
-- writes it; ANY keeps that type. Several tracks may share one (an ISRC, a Discogs release).
CREATE TABLE identifiers (
  platform INTEGER NOT NULL,
  value ANY NOT NULL,
  track INTEGER NOT NULL REFERENCES tracks (id),
  PRIMARY KEY (platform, value, track)
) STRICT, WITHOUT ROWID;

-- Holds all columns, so that a track's identifiers are read from here alone.
CREATE INDEX identifiers_of_track ON identifiers (track, platform, value);

-- MusicBrainz merges recordings; the old id goes on to mean the new one.
CREATE TABLE mbid_redirects (
  old BLOB NOT NULL PRIMARY KEY CHECK (length(old) = 16),
  new BLOB NOT NULL CHECK (length(new) = 16)
) STRICT, WITHOUT ROWID;

-- Exact matches by song and artist: 48 bits of a hash of the normalised names. What it finds is compared in full.
CREATE TABLE match_keys (
  hash INTEGER NOT NULL,
  track INTEGER NOT NULL REFERENCES tracks (id),
  PRIMARY KEY (hash, track)
) STRICT, WITHOUT ROWID;

-- Fuzzy matches: the normalised names in trigrams. Without content, because that can be made again from the track.
CREATE VIRTUAL TABLE names USING fts5 (name, tokenize = 'trigram', content = '', contentless_delete = 1);

CREATE TABLE sources (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- What lookups answer and browsing filters by. null: not known.
CREATE TABLE features (
  track INTEGER PRIMARY KEY REFERENCES tracks (id),
  source INTEGER NOT NULL REFERENCES sources (id),
  tempo REAL,
  tempo_confidence REAL,
  time_signature INTEGER,
  key INTEGER CHECK (key BETWEEN 0 AND 11),
  is_major INTEGER CHECK (is_major IN (0, 1)),
  key_confidence REAL,
  loudness_lufs REAL,
  energy INTEGER,
  danceability INTEGER,
  happiness INTEGER,
  acousticness INTEGER,
  instrumentalness INTEGER,
  speechiness INTEGER,
  liveness INTEGER,
  -- JSON: why a field is null, where the analysis said.
  reasons TEXT
) STRICT;

-- Whole results of analyses made here. An ordinary table, because rows of many kilobytes make a deep tree without rowid.
CREATE TABLE results (
  track INTEGER NOT NULL REFERENCES tracks (id),
  analysis TEXT NOT NULL,
  version INTEGER NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (track, analysis)
) STRICT;

-- Audio on this machine. Failed: no track's features came of it, and why.
CREATE TABLE files (
  path TEXT NOT NULL PRIMARY KEY,
  bytes INTEGER NOT NULL,
  modified_ms INTEGER NOT NULL,
  sha256 BLOB,
  track INTEGER REFERENCES tracks (id),
  error_code TEXT,
  error_message TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX files_of_track ON files (track);
CREATE INDEX files_of_hash ON files (sha256) WHERE sha256 IS NOT NULL;
