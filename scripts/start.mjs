/**
 * `npm start`: computes the contacts of a scene on the engine that `--engine auto` takes, which takes seconds even
 * without a graphics card. Then it compares the kernels' answers for the same scene with the double-precision
 * reference, on whatever adapter there is, software included. Without any adapter it prints that the kernels are not
 * verified.
 *
 * Usage: node scripts/start.mjs [scene], default scenes/heap.json. The report is written to heap-contacts.json in the
 * current folder.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPORT = 'heap-contacts.json';
const program = fileURLToPath(new URL('../dist/narrowphase.js', import.meta.url));
const scene = process.argv[2] ?? 'scenes/heap.json';

/**
 * lavapipe compiles kernels in half the time if LLVM does not optimise them (https://docs.mesa3d.org/envvars.html).
 * Other drivers ignore these.
 */
const QUICK_TO_COMPILE = { GALLIVM_PERF: 'nopt', LP_NATIVE_VECTOR_WIDTH: '128' };

/** Runs a command. If its exit code isn't 0, this program ends with it too. */
function narrowphase(args, env = {}) {
  const options = { stdio: 'inherit', env: { ...env, ...process.env } };
  const { status, error } = spawnSync(process.execPath, [program, ...args], options);
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * The engine to verify: the one that ran the scene if it runs kernels, otherwise Dawn. Prints the reason if Dawn has no
 * adapter.
 */
async function engineWithKernels() {
  const [{ name, backend }] = JSON.parse(readFileSync(REPORT, 'utf8')).engines;
  if (backend === 'webgpu') return name;
  const { createTester } = await import('../dist/node.js');
  try {
    const tester = await createTester({ backend: 'webgpu' });
    const { vendor, description, isSoftware } = tester.adapter;
    tester.dispose();
    const what = `${isSoftware ? 'the software' : 'the'} adapter ${description || vendor}`;
    console.error(`narrowphase: verifying the kernels on ${what}; compiling them may take some seconds`);
    return 'dawn';
  } catch (error) {
    if (error.code !== 'WEBGPU_UNAVAILABLE') throw error;
    const reason = `there is no adapter to run them on: ${error.message}`;
    console.error(`narrowphase: the CPU has answered; the kernels are not verified, as ${reason}`);
    return undefined;
  }
}

narrowphase(['run', scene, '--out', REPORT]);
const engine = await engineWithKernels();
if (engine) narrowphase(['verify', scene, '--engine', engine, '--worst', '0'], QUICK_TO_COMPILE);
