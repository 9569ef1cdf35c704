// `npm test`: make ready, then the C++ tests and the TypeScript tests.
import { ensureReady } from './ensure.mjs';
import { run } from './run.mjs';

ensureReady({ forTests: true });
run('npm', 'run', '--silent', 'test:native');
run('npm', 'run', '--silent', 'test:ts');
