import { parseArgs } from 'node:util';
import { Missing } from '../command.js';
import { measureEngine, measureLong } from './measure.js';
import { engineText, writeEngineResults } from './report.js';

const usage = 'usage: npm run bench:engine -- [--rounds N] [--long]';
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, long: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(usage);
  process.exit(2);
}

try {
  const engine = await measureEngine(rounds);
  const long = values.long ? await measureLong() : undefined;
  console.log(engineText(engine, long));
  await writeEngineResults(engine, long);
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  console.error(`skipped: ${error.message}`);
  process.exit(1);
}
