import { Command, Option } from 'commander';
import { type CreatedKey, type CreateKeyOptions, Keys, type Scope, scopes } from '../accounts/keys.js';
import type { KeyMode } from '../store/keys.js';
import { date, print, table, withStore } from './open-store.js';
import { namesOf, wholeNumber } from './options.js';

interface CreateOptions {
  mode: KeyMode;
  name?: string;
  scopes?: Scope[];
  expiresInDays?: number;
}

const dayMs = 86_400_000;

export function keysCommand(): Command {
  const keys = new Command('keys').description('manage API keys');
  keys
    .command('create')
    .description('make a key; it is shown once')
    .argument('<account>')
    .addOption(new Option('--mode <mode>', 'live or test').choices(['live', 'test']).default('live'))
    .option('--name <name>', 'to tell keys apart')
    .option('--scopes <list>', `what it may do: ${scopes.join(',')}; all when left out`, namesOf(scopes))
    .option('--expires-in-days <n>', 'end of its life', wholeNumber(1, 36_500))
    .action((accountId: string, given: CreateOptions) => {
      const options: CreateKeyOptions = {};
      if (given.name !== undefined) options.name = given.name;
      if (given.scopes !== undefined) options.scopes = given.scopes;
      if (given.expiresInDays !== undefined) options.expiresAt = Date.now() + given.expiresInDays * dayMs;
      const created = withStore((store) => {
        if (!store.accounts.get(accountId))
          throw new Error(`There is no account ${accountId}; "tonearm accounts list" shows all.`);
        return new Keys(store).create(accountId, given.mode, options);
      });
      show(created);
    });
  keys
    .command('list')
    .description('list the keys of an account')
    .argument('<account>')
    .action((accountId: string) => {
      const rows = withStore((store) => store.keys.listByAccount(accountId));
      const cells = rows.map((key) => [
        key.id,
        key.hint,
        key.name,
        key.scopes?.join(',') ?? 'all',
        date(key.lastUsedAt),
        date(key.expiresAt),
        date(key.revokedAt),
      ]);
      print(table(['ID', 'KEY', 'NAME', 'SCOPES', 'LAST USED', 'EXPIRES', 'REVOKED'], cells));
    });
  keys
    .command('rotate')
    .description('make a new key in place of an old one, which lives on for a while')
    .argument('<key id>')
    .option('--overlap-hours <n>', 'how long the old key goes on working', wholeNumber(0, 72), 24)
    .action((id: string, { overlapHours }: { overlapHours: number }) => {
      show(withStore((store) => new Keys(store).rotate(id, overlapHours)));
    });
  keys
    .command('revoke')
    .description('end a key at once')
    .argument('<key id>')
    .action((id: string) => {
      const done = withStore((store) => new Keys(store).revoke(id));
      if (!done) throw new Error(`There is no key ${id} to revoke, or it was revoked before.`);
      print(`${id} is revoked`);
    });
  return keys;
}

function show({ key, secret }: CreatedKey): void {
  print([`${key.id}  ${secret}`, 'The key is shown this once; only its hash is kept.']);
}
