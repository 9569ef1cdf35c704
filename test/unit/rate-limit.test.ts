import t from 'tap';
import { ConcurrencyLimiter, RateLimiter } from '../../src/accounts/rate-limit.js';

t.test('the window slides: what left it makes room', async (t) => {
  let now = 1_000_000_000;
  const rates = new RateLimiter(() => now);
  t.match(rates.hit('a', 3), { allowed: true, remaining: 2, resetS: 60 });
  now += 30_000;
  rates.hit('a', 3);
  rates.hit('a', 3);
  t.match(rates.hit('a', 3), { allowed: false, remaining: 0, resetS: 30 });
  t.equal(rates.hit('b', 3).allowed, true, 'others have a window of their own');
  now += 29_000;
  t.equal(rates.hit('a', 3).allowed, false);
  now += 1000;
  t.equal(rates.hit('a', 3).allowed, true);
  t.equal(rates.hit('a', 3).allowed, false, 'the two later ones still count');
});

t.test('never are more than the limit let through in any minute', async (t) => {
  let now = 1_000_000_000;
  const rates = new RateLimiter(() => now);
  const let_through: number[] = [];
  let state = 1;
  for (let i = 0; i < 20_000; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    now += state % 3000;
    if (rates.hit('a', 20).allowed) let_through.push(Math.floor(now / 1000));
  }
  let first = 0;
  let most = 0;
  for (const [i, second] of let_through.entries()) {
    while (second - let_through[first]! >= 60) first++;
    most = Math.max(most, i - first + 1);
  }
  t.equal(most, 20);
});

t.test('counts of the last minute survive a restart', async (t) => {
  let now = 1_000_000_000;
  const before = new RateLimiter(() => now);
  for (let i = 0; i < 10; i++) before.hit('key', 10);
  const after = new RateLimiter(() => now);
  now += 5000;
  after.restore(before.snapshot());
  t.equal(after.hit('key', 10).allowed, false);
  now += 55_000;
  t.equal(after.hit('key', 10).allowed, true);
  t.same(new RateLimiter(() => now + 120_000).snapshot(), []);
});

t.test('a clock that is set back does not open the gate', async (t) => {
  let now = 1_000_000_000;
  const rates = new RateLimiter(() => now);
  for (let i = 0; i < 5; i++) rates.hit('a', 5);
  now -= 3_600_000;
  t.equal(rates.hit('a', 5).allowed, false);
});

t.test('places at the same time are given back once', async (t) => {
  const limiter = new ConcurrencyLimiter();
  const leave = limiter.enter('a', 1);
  t.ok(leave);
  t.equal(limiter.enter('a', 1), undefined);
  leave?.();
  leave?.();
  t.ok(limiter.enter('a', 1));
  t.equal(limiter.enter('a', 1), undefined);
});
