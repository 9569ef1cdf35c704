import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { loadConfig } from '../config.js';
import type { WebhookEndpoint } from '../store/webhooks.js';
import { verify, type Verdict } from '../webhooks/signature.js';
import { Webhooks } from '../webhooks/webhooks.js';
import { date, print, table, withStore } from './open-store.js';
import { wholeNumber } from './options.js';

const verdicts: Record<Verdict, string> = {
  valid: 'The signature is valid.',
  malformed: 'The signature is not of the form t=<unix time>,v1=<hex>.',
  mismatch: 'The signature does not fit: another secret, or the body is not byte for byte what was sent.',
  expired: 'The signature fits, but its time is more than 300 s away from now; a receiver must refuse it.',
};

export function webhooksCommand(): Command {
  const webhooks = new Command('webhooks').description('manage the webhook receiver of an account');
  const command = (name: string, description: string) =>
    webhooks.command(name).description(description).argument('<account>');
  command('set', 'set the address events are sent to')
    .argument('<url>')
    .action((account: string, url: string) => show(use(account, (hooks) => hooks.set(account, url))));
  command('show', 'show the receiver, its secret and whether it is enabled').action((account: string) => {
    const endpoint = use(account, (hooks) => hooks.endpoint(account));
    if (endpoint) show(endpoint);
    else print(`${account} has no webhook receiver.`);
  });
  command('rotate', 'make a new secret; the old one signs beside it for a while')
    .option('--overlap-hours <n>', 'how long the old secret goes on signing', wholeNumber(0, 72), 24)
    .action((account: string, { overlapHours }: { overlapHours: number }) =>
      show(use(account, (hooks) => hooks.rotateSecret(account, overlapHours))),
    );
  command('enable', 'enable a receiver that was disabled after too many failures').action((account: string) =>
    show(use(account, (hooks) => hooks.enable(account))),
  );
  command('log', 'show the newest attempts, newest first')
    .option('--bodies', 'what was sent and what came back, too')
    .action((account: string, options: { bodies?: boolean }) => showLog(account, options.bodies === true));
  command('resend', 'send events again, now')
    .argument('[event]', 'its id, from the log; all that failed or were skipped when left out')
    .action((account: string, event?: string) => {
      const events = use(account, (hooks) => {
        const all = event === undefined ? hooks.unsent(account) : [event];
        for (const each of all) hooks.resend(account, each);
        return all;
      });
      print(events.length === 0 ? 'There is nothing to send again.' : `On their way: ${events.join(', ')}`);
    });
  command('verify', 'check a signature that a receiver was sent')
    .argument('<signature>', 'the X-Service-Signature header')
    .argument('<file>', 'the raw body as received; - reads it from standard input')
    .action((account: string, signature: string, file: string) => {
      const body = readFileSync(file === '-' ? 0 : file, 'utf8');
      const secrets = use(account, (hooks) => hooks.signingSecrets(hooks.existing(account)));
      const found = secrets.map((secret) => verify(signature, secret, body, Date.now() / 1000));
      const verdict = found.find((each) => each !== 'mismatch') ?? 'mismatch';
      print(verdicts[verdict]);
      if (verdict !== 'valid') process.exitCode = 1;
    });
  command('remove', 'remove the receiver').action((account: string) => {
    const removed = use(account, (hooks) => hooks.remove(account));
    print(removed ? 'The receiver is removed.' : `${account} has no webhook receiver.`);
  });
  return webhooks;
}

function use<T>(account: string, work: (webhooks: Webhooks) => T): T {
  const { webhookAllowPrivate } = loadConfig();
  return withStore((store) => {
    if (!store.accounts.get(account))
      throw new Error(`There is no account ${account}; "tonearm accounts list" shows all.`);
    return work(new Webhooks(store, { allowPrivate: webhookAllowPrivate }));
  });
}

function show(endpoint: WebhookEndpoint): void {
  const { url, secret, previousUntil, failuresInARow, disabledAt } = endpoint;
  const rows: [string, string][] = [
    ['URL', url],
    ['Secret', secret],
    [
      'State',
      disabledAt === null
        ? 'enabled'
        : `DISABLED since ${date(disabledAt)} after ${failuresInARow} failed deliveries in a row; ` +
          'once the receiver works again, enable it',
    ],
  ];
  if (previousUntil !== null && previousUntil > Date.now())
    rows.push(['Old secret', `signs too until ${date(previousUntil)}`]);
  print(rows.map(([name, value]) => `${name.padEnd(10)}  ${value}`));
}

function showLog(account: string, withBodies: boolean): void {
  const attempts = use(account, (hooks) => hooks.log(account));
  if (!withBodies) {
    const cells = attempts.map((each) => [
      date(each.at),
      each.deliveryId,
      each.attempt,
      each.outcome,
      each.statusCode,
      each.durationMs,
      each.error,
    ]);
    print(table(['TIME', 'EVENT', 'ATTEMPT', 'OUTCOME', 'STATUS', 'MS', 'ERROR'], cells));
    return;
  }
  for (const each of attempts) {
    const { at, deliveryId, attempt, outcome, url, statusCode, error, requestBody, responseBody } = each;
    print([
      `${date(at)}  ${deliveryId}  attempt ${attempt}  ${outcome}`,
      `  POST ${url}`,
      `  > ${requestBody}`,
      `  < ${[statusCode, error].filter((part) => part !== null).join(' ')}`,
      `  < ${responseBody ?? ''}`,
      '',
    ]);
  }
}
