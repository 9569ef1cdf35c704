import { ulid } from 'ulid';
import type { Account } from '../store/accounts.js';
import type { Store } from '../store/store.js';
import { Credits } from './credits.js';
import { Keys } from './keys.js';

export interface CreateAccountOptions {
  credits?: number;
  requestsPerMinute?: number;
  concurrency?: number;
}

export function createAccount(store: Store, name: string, options: CreateAccountOptions = {}): Account {
  const id = `acct_${ulid()}`;
  return store.transaction(() => {
    store.accounts.insert({
      id,
      name,
      requestsPerMinute: options.requestsPerMinute ?? null,
      concurrency: options.concurrency ?? null,
      createdAt: Date.now(),
    });
    if (options.credits) new Credits(store).grant(id, options.credits, 'first credits');
    return store.accounts.get(id) as Account;
  });
}

export interface FirstAccount {
  account: Account;
  liveKey: string;
  testKey: string;
}

/** On a new database: an account with credits and a live and a test key. Undefined when there is an account already. */
export function createFirstAccount(store: Store, credits = 10_000): FirstAccount | undefined {
  return store.transaction(() => {
    if (store.accounts.list().length > 0) return undefined;
    const account = createAccount(store, 'default', { credits });
    const keys = new Keys(store);
    return {
      account,
      liveKey: keys.create(account.id, 'live').secret,
      testKey: keys.create(account.id, 'test').secret,
    };
  });
}
