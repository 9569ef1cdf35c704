// `npm start`: make ready, then become the service.
import { spawn } from 'node:child_process';
import { ensureReady } from './ensure.mjs';

ensureReady();
const service = spawn(process.execPath, ['dist/cli.js', 'serve'], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal));
service.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128);
});
