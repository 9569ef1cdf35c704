import fc from 'fast-check';
import t from 'tap';
import { createAccount } from '../../src/accounts/accounts.js';
import { Credits } from '../../src/accounts/credits.js';
import { Store } from '../../src/store/store.js';

class Crash extends Error {}

/** A ledger that dies before or after the n-th row it is asked to write: a crash between any two statements. */
function crashing(store: Store, countdown: number): Store {
  let left = countdown;
  const ledger = new Proxy(store.ledger, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        const append = name === 'append';
        if (append && left-- === 0) throw new Crash();
        const result: unknown = Reflect.apply(value, target, given);
        if (append && left-- === 0) throw new Crash();
        return result;
      };
    },
  });
  const transaction = <T>(work: () => T): T => store.transaction(work);
  return { ledger, accounts: store.accounts, transaction } as unknown as Store;
}

const operation = fc.record({
  kind: fc.constantFrom('grant', 'run', 'fail', 'hang', 'partial', 'refund', 'restart'),
  credits: fc.integer({ min: 1, max: 20 }),
  account: fc.integer({ min: 0, max: 2 }),
  crashAt: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 3 }),
});

t.test('whatever is killed when, the sums agree and each request is billed at most once', async (t) => {
  let operations = 0;
  fc.assert(
    fc.property(fc.array(operation, { minLength: 20, maxLength: 60 }), (steps) => {
      const store = Store.open(':memory:');
      const accounts = [0, 1, 2].map((i) => createAccount(store, `a${i}`, { credits: 50 }).id);
      const granted = [50, 50, 50];
      const billed = [0, 0, 0];
      const charged: number[] = [];
      for (const [i, { kind, credits, account, crashAt }] of steps.entries()) {
        operations++;
        const id = accounts[account]!;
        const book = new Credits(crashAt === null ? store : crashing(store, crashAt));
        try {
          if (kind === 'grant') {
            book.grant(id, credits, 'more');
            granted[account]! += credits;
          } else if (kind === 'restart') {
            book.releaseAbandonedRequests();
          } else if (kind === 'refund') {
            const reservation = charged.pop();
            if (reservation === undefined) continue;
            const owner = accounts.indexOf(store.ledger.reservation(reservation)!.accountId);
            const paid = store.ledger.settlement(reservation)!.credits;
            book.refund(reservation, 'ours to blame');
            billed[owner]! -= paid;
          } else {
            const reservation = book.reserve(id, credits, `request:${i}`, 'POST /v1/bpm');
            if (kind === 'hang') continue;
            const used = kind === 'partial' ? Math.floor(credits / 2) : credits;
            if (kind === 'fail') book.release(reservation);
            else {
              book.charge(reservation, used);
              billed[account]! += used;
              charged.push(reservation);
            }
            // A second settlement, by whatever mistake, is refused by the database itself.
            for (const again of [() => book.charge(reservation), () => book.release(reservation)]) {
              t.throws(again);
            }
          }
        } catch (error) {
          const expected =
            error instanceof Crash || (error as { code?: string }).code === 'insufficient_credits';
          if (!expected) throw error;
        }
        for (const [n, each] of accounts.entries()) {
          const open = store.ledger
            .openReservations('request:')
            .filter(({ accountId }) => accountId === each);
          const reserved = open.reduce((sum, reservation) => sum + reservation.credits, 0);
          const balance = store.accounts.get(each)!.balance;
          if (balance < 0) throw new Error('negative');
          if (balance !== store.ledger.sum(each)) throw new Error('the balance is not the sum of the ledger');
          if (balance !== granted[n]! - billed[n]! - reserved) throw new Error('the sums do not agree');
        }
      }
      new Credits(store).releaseAbandonedRequests();
      for (const [n, each] of accounts.entries()) {
        if (store.accounts.get(each)!.balance !== granted[n]! - billed[n]!)
          throw new Error('a reservation was lost');
      }
      store.close();
    }),
    { numRuns: 120 },
  );
  t.ok(operations > 2000, `${operations} operations`);
});

t.test('the ledger cannot be rewritten', async (t) => {
  const store = Store.open(t.testdir());
  const { id } = createAccount(store, 'a', { credits: 5 });
  const book = new Credits(store);
  t.throws(() => book.reserve(id, 6, 'request:1', 'x'), {
    code: 'insufficient_credits',
    details: { cost: 6, balance: 5 },
  });
  const reservation = book.reserve(id, 5, 'request:1', 'x');
  t.throws(() => book.charge(reservation, 6), RangeError);
  book.charge(reservation);
  t.throws(() => book.release(reservation), /UNIQUE/);
  book.refund(reservation, 'why');
  t.throws(() => book.refund(reservation, 'again'), /UNIQUE/);
  t.equal(book.balance(id), 5);
  store.close();
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${t.testdirName}/state.db`);
  t.throws(() => db.exec('UPDATE ledger SET amount = 100'), /append-only/);
  t.throws(() => db.exec('DELETE FROM ledger'), /append-only/);
  t.throws(() => db.exec('UPDATE accounts SET balance = -1'), /CHECK/);
  db.close();
});
