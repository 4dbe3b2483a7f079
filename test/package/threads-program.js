/**
 * A user's program with large queries on the CPU backend: `node threads-program.js WHAT`. Prints the number of workers and
 * the outcome of the last query, and exits when there is nothing left to do.
 */
import { createTester } from 'narrowphase/node';

const [what] = process.argv.slice(-1);
let workers = 0;
process.on('worker', () => workers++);

const tester = await createTester({ backend: 'cpu', threads: 2 });
tester.addShape({ type: 'hull', points: Float32Array.from({ length: 96 }, (_, i) => Math.sin(1.7 * i * i)) });
const count = 20_000;
const bodies = {
  shapes: new Uint32Array(2 * count),
  positions: Float32Array.from({ length: 6 * count }, (_, i) => Math.sin(0.37 * i)),
  quaternions: Float32Array.from({ length: 8 * count }, (_, i) => Math.cos(1.1 * i) + 0.01),
};
const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
const ask = () => tester.contacts(bodies, pairs);

// Long enough for the workers to be loaded.
for (let i = 0; i < 10; i++) await ask();
const running = ask();
if (what === 'dispose') setImmediate(() => tester.dispose());
const outcome = await running.then(
  ({ count: answers }) => answers,
  ({ code }) => code,
);
console.log(workers, outcome, tester.fallback);
