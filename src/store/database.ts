import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

export type SqliteDatabase = Database.Database;

// Read from the source tree by the built program too, so that there is one copy and nothing to keep in step.
const migrationsRoot = new URL('../../src/store/migrations/', import.meta.url);

/**
 * Opens (and creates) a database and brings it up to date with `migrations/<name>/*.sql`, applied in order, each in a
 * transaction of its own.
 *
 * `synchronous = FULL`: what was committed survives a power cut, because money and jobs depend on it.
 */
export function openDatabase(path: string, migrations: 'state' | 'catalog'): SqliteDatabase {
  const db = new Database(path, { timeout: 10_000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  migrate(db, migrations);
  return db;
}

function migrate(db: SqliteDatabase, name: string): void {
  const directory = new URL(`${name}/`, migrationsRoot);
  const files = readdirSync(fileURLToPath(directory))
    .filter((file) => file.endsWith('.sql'))
    .sort();
  // Immediate: two processes that start together must not both apply the same file.
  db.transaction(() => {
    db.exec(
      'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT',
    );
    const applied = new Set(db.prepare('SELECT name FROM migrations').pluck().all() as string[]);
    for (const file of files) {
      if (applied.has(file)) continue;
      db.exec(readFileSync(new URL(file, directory), 'utf8'));
      db.prepare('INSERT INTO migrations (name, applied_at) VALUES (?, ?)').run(file, Date.now());
    }
  }).immediate();
}
