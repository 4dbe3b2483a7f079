/**
 * The pairs of similar boxes by a batch whose poses and pairs stay on the GPU, against `findPairs` on the CPU, from
 * arrays to a list, of another build of the package:
 *
 *     npm run build
 *     node --expose-gc scripts/run-ts.mjs bench/experiments/pairs-against.ts --dist ../other/dist [--bodies 100000]
 *         [--rounds 9]
 *
 * The two take turns. Each turn begins after garbage collection and a pause, because one that collects garbage on other
 * threads slows down the next, and its first run is not counted. Prints Markdown.
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import type * as Package from '../../src/node.ts';
import { createTester, type Bodies } from '../../src/node.ts';
import { median } from '../../verification/statistics/median.ts';
import { makeFrameScene } from '../frame/scenes.ts';
import { describeMachine } from '../machine.ts';
import { digits, table } from '../markdown.ts';
import { generatorText } from '../revision.ts';

const { values } = parseArgs({
  options: {
    dist: { type: 'string' },
    bodies: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
  },
});
if (!values.dist) throw new Error('--dist names the folder with the other build');
if (!globalThis.gc) throw new Error('Node is started with --expose-gc');
const count = Number(values.bodies);
const rounds = Math.max(1, Number(values.rounds));
const PAIRS_PER_BODY = 8;
/** Runs of a turn that are counted; those of the GPU are short. */
const RUNS = { batch: 5, other: 1 };
const PAUSE_MS = 300;

const scene = makeFrameScene('heap', count, 1);
const box = { type: 'box', halfExtents: scene.halfExtents } as const;
const tester = await createTester({ backend: 'webgpu' });
const { createTester: createOther } = (await import(
  /* @vite-ignore */ pathToFileURL(`${values.dist}/node.js`).href
)) as typeof Package;
const other = await createOther({ backend: 'cpu' });
const { positions, quaternions, scales } = scene;
const bodiesOf = (shape: number): Bodies => ({
  shapes: new Uint32Array(count).fill(shape),
  positions,
  quaternions,
  scales,
});
const bodies = bodiesOf(other.addShape(box));
const batch = await tester.createBatch({
  query: 'pairs',
  maxBodies: count,
  maxPairs: PAIRS_PER_BODY * count,
  broadPhase: true,
});
batch.write({ bodies: bodiesOf(tester.addShape(box)) });

const { cpu, cores, node, loadAtStart } = describeMachine();
let pairsOfBatch = 0;
let pairsOfOther = 0;
const subjects = {
  batch: async () => {
    const encoder = batch.device.createCommandEncoder();
    batch.encode(encoder);
    batch.device.queue.submit([encoder.finish()]);
    const counts = await batch.readCounts();
    if (counts.pairOverflow || counts.invalidBodies)
      throw new Error(`the batch left out pairs or bodies: ${JSON.stringify(counts)}`);
    pairsOfBatch = counts.candidates ?? 0;
  },
  other: async () => {
    pairsOfOther = (await other.findPairs(bodies)).length / 2;
  },
};
const times = { batch: [] as number[], other: [] as number[] };
const ratios: number[] = [];
for (let round = 0; round < rounds; round++) {
  const medians = { batch: 0, other: 0 };
  for (const name of ['other', 'batch'] as const) {
    globalThis.gc();
    await setTimeout(PAUSE_MS);
    const ofTurn: number[] = [];
    for (let run = 0; run <= RUNS[name]; run++) {
      const start = performance.now();
      await subjects[name]();
      if (run > 0) ofTurn.push(performance.now() - start);
    }
    medians[name] = median(ofTurn);
    times[name].push(medians[name]);
  }
  ratios.push(medians.other / medians.batch);
}
console.log(`${generatorText()}; ${cpu}, ${cores} cores, Node ${node}, load ${loadAtStart}\n`);
console.log(
  table(
    ['subject', 'pairs', 'ms, median', 'least', 'greatest'],
    (['batch', 'other'] as const).map((name) => [
      name === 'batch' ? `batch on ${tester.adapter.description}` : 'findPairs of the other build',
      String(name === 'batch' ? pairsOfBatch : pairsOfOther),
      ...[median(times[name]), Math.min(...times[name]), Math.max(...times[name])].map((ms) => digits(ms)),
    ]),
  ).join('\n'),
);
console.log(
  `\nMedian of the rounds' ratios: ${digits(median(ratios))} (${digits(Math.min(...ratios))} to ${digits(Math.max(...ratios))}).`,
);
process.exit(0);
