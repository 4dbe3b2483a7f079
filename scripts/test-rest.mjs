/**
 * `npm run test:rest`: the tests that `npm test` leaves out, in two Vitest runs side by side. Each worker that tests kernels
 * makes all pipelines for itself, so the project `kernels` gets half of the cores, while the other run has the projects
 * `slow` and `gpu`. That one yields to the kernels, which take longer. Options go to both; the run of the kernels adds
 * `-kernels` to the name of a report. With names of files there is one run for all three projects.
 */
import { spawn } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const options = process.argv.slice(2);
const YIELDING = 5;
const KERNELS = ['--project', 'kernels'];
const OTHERS = ['--project', 'slow', '--project', 'gpu'];

/** Resolves to the exit code. */
function run(parameters, { priority, environment } = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [vitest, 'run', ...parameters], { stdio: 'inherit', env });
  if (priority !== undefined) setPriority(child.pid, priority);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : code));
  });
}

if (options.some((option) => !option.startsWith('-'))) {
  process.exitCode = await run([...KERNELS, ...OTHERS, ...options]);
} else {
  const ofKernels = options.map((option) => option.replace(/^(--outputFile\S*=.*?)(\.\w+)?$/, '$1-kernels$2'));
  const workers = Math.max(1, Math.floor(availableParallelism() / 2));
  const codes = await Promise.all([
    run([...KERNELS, ...ofKernels], { environment: { KERNEL_WORKERS: `${workers}` } }),
    run([...OTHERS, ...options], { priority: YIELDING }),
  ]);
  process.exitCode = Math.max(...codes);
}
