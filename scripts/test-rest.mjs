/**
 * `npm run test:rest`: the tests that `npm test` leaves out, as two runs of Vitest at a time. Each worker that tests
 * kernels makes all pipelines for itself, so one worker has all files of the project `kernels`, while the other run has
 * the projects `slow` and `gpu`. That one yields to the kernels, which take longer. Options go to both; the run of the
 * kernels adds `-kernels` to the name of a report.
 */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const options = process.argv.slice(2);
const YIELDING = 5;

/** Resolves to the exit code. */
function run(parameters, priority) {
  const child = spawn(process.execPath, [vitest, 'run', ...parameters], { stdio: 'inherit' });
  if (priority !== undefined) setPriority(child.pid, priority);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : code));
  });
}

const ofKernels = options.map((option) => option.replace(/^(--outputFile\S*=.*?)(\.\w+)?$/, '$1-kernels$2'));
const codes = await Promise.all([
  run(['--project', 'kernels', ...ofKernels]),
  run(['--project', 'slow', '--project', 'gpu', ...options], YIELDING),
]);
process.exitCode = Math.max(...codes);
