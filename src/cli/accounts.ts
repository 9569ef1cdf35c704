import { Command } from 'commander';
import { createAccount } from '../accounts/accounts.js';
import { Credits } from '../accounts/credits.js';
import { date, print, table, withStore } from './open-store.js';
import { wholeNumber } from './options.js';

interface CreateOptions {
  credits?: number;
  requestsPerMinute?: number;
  concurrency?: number;
}

export function accountsCommand(): Command {
  const accounts = new Command('accounts').description('manage accounts');
  accounts
    .command('create')
    .description('make an account')
    .argument('<name>')
    .option('--credits <n>', 'credits to begin with', wholeNumber(1))
    .option('--requests-per-minute <n>', 'a limit of its own', wholeNumber(1))
    .option('--concurrency <n>', 'uploads at the same time, a limit of its own', wholeNumber(1))
    .action((name: string, options: CreateOptions) => {
      const account = withStore((store) => createAccount(store, name, options));
      print(`${account.id}  ${account.name}  ${account.balance} credits`);
    });
  accounts
    .command('list')
    .description('list all accounts')
    .action(() => {
      const rows = withStore((store) => store.accounts.list());
      const cells = rows.map((each) => [
        each.id,
        each.name,
        each.balance,
        each.requestsPerMinute,
        each.concurrency,
        date(each.createdAt),
      ]);
      print(table(['ACCOUNT', 'NAME', 'CREDITS', 'REQUESTS/MIN', 'CONCURRENCY', 'CREATED'], cells));
    });
  accounts
    .command('grant')
    .description('add credits to an account')
    .argument('<account>')
    .argument('<credits>', 'how many', wholeNumber(1))
    .option('--note <text>', 'why, for the ledger', 'granted by hand')
    .action((id: string, credits: number, { note }: { note: string }) => {
      const balance = withStore((store) => {
        if (!store.accounts.get(id))
          throw new Error(`There is no account ${id}; "tonearm accounts list" shows all.`);
        const book = new Credits(store);
        book.grant(id, credits, note);
        return book.balance(id);
      });
      print(`${id}  ${balance} credits`);
    });
  return accounts;
}
