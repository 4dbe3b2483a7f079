/**
 * A user's program with large queries on the CPU backend: `node threads-program.js WHAT`. Prints the number of workers,
 * how many of them were ready when the last query was ended or answered, its outcome, and `tester.fallback`. Exits when
 * there is nothing left to do. A query that is to be ended is asked again if it was answered first, as happens where
 * workers take long to load.
 */
import { createTester } from 'narrowphase/node';

const MOST_TRIES = 100;
const [what] = process.argv.slice(-1);
/** Ends the running query. */
let ends = new AbortController();
let hasEnded = false;
function end() {
  hasEnded = true;
  ends.abort();
}

let workers = 0;
let ready = 0;
process.on('worker', (worker) => {
  workers++;
  worker.once('message', () => {
    if (hasEnded) return;
    ready++;
    if (what === 'end while workers load') end();
  });
  if (what === 'end before workers are ready' && workers === 2) end();
});

const tester = await createTester({ backend: 'cpu', threads: 2 });
tester.addShape({ type: 'hull', points: Float32Array.from({ length: 96 }, (_, i) => Math.sin(1.7 * i * i)) });
const count = 20_000;
const bodies = {
  shapes: new Uint32Array(2 * count),
  positions: Float32Array.from({ length: 6 * count }, (_, i) => Math.sin(0.37 * i)),
  quaternions: Float32Array.from({ length: 8 * count }, (_, i) => Math.cos(1.1 * i) + 0.01),
};
const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
const ask = (signal) => tester.contacts(bodies, pairs, signal && { signal });

const outcomeOf = (query) =>
  query.then(
    ({ count: answers }) => answers,
    ({ code }) => code,
  );

const areLoaded = () => ready === 2;
while (!what.startsWith('end') && !areLoaded()) await ask();
/** Asks a query that may be ended. */
async function outcomeOfNext() {
  ends = new AbortController();
  const running = ask(ends.signal);
  if (what === 'dispose') setImmediate(() => tester.dispose());
  return outcomeOf(running);
}

let outcome = await outcomeOfNext();
for (let tries = 1; tries < MOST_TRIES && what.startsWith('end') && outcome !== 'ABORTED'; tries++)
  outcome = await outcomeOfNext();
console.log(workers, ready, outcome, tester.fallback);
