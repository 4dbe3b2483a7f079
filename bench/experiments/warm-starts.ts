/**
 * What a warm start gains on Dawn's adapter, for bodies in slow motion:
 *
 *     node scripts/run-ts.mjs bench/experiments/warm-starts.ts [--pairs 65536] [--step 0.002] > bench/results/warm-starts.md
 *
 * In each frame the coordinates and quaternions of all bodies change by up to half of `--step`, and each query runs
 * twice, with a warm start and without. `VK_DRIVER_FILES` chooses the adapter.
 */
import { parseArgs } from 'node:util';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Tester } from '../../src/api/types.ts';
import { describeMachine } from '../machine.ts';
import { ratioOf } from '../../verification/statistics/median.ts';
import { createRandom } from '../../verification/families/random.ts';
import { hullOf } from '../../verification/families/hulls.ts';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '65536' }, step: { type: 'string', default: '0.002' } },
});
const PAIRS = Number(values.pairs);
const STEP = Number(values.step);
const FRAMES = 12;
/** Frames before the first that counts. */
const WARM_UP = 3;
const QUERIES = ['distances', 'intersects', 'contacts'] as const;

const random = createRandom(7);
const hulls = (count: number): ShapeDescription[] => Array.from({ length: 4 }, () => hullOf(random, count));
const SCENES: readonly [name: string, shapes: readonly ShapeDescription[]][] = [
  ['boxes', [{ type: 'box', halfExtents: [0.5, 0.4, 0.3] }]],
  ['hulls, 8 vertices', hulls(8)],
  ['hulls, 32 vertices', hulls(32)],
  ['hulls, 128 vertices', hulls(128)],
  ['cylinders', [{ type: 'cylinder', radius: 0.4, halfHeight: 0.5 }]],
];

const tester = await createTester({ backend: 'webgpu' });

/** Milliseconds of this process's user time, which has that of a software adapter. */
async function cost(run: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await run();
  return process.cpuUsage(start).user / 1000;
}

async function gains(descriptions: readonly ShapeDescription[]): Promise<number[]> {
  const ids = descriptions.map((description) => tester.addShape(description));
  const count = 2 * PAIRS;
  const shapes = Uint32Array.from({ length: count }, () => ids[Math.floor(random() * ids.length)]);
  // The bodies of a pair are in one cube of 1.4, in which about half of the pairs overlap.
  const positions = Float32Array.from({ length: 3 * count }, () => 1.4 * random());
  const quaternions = Float32Array.from({ length: 4 * count }, () => random() - 0.5);
  const pairs = Uint32Array.from({ length: count }, (_, i) => i);
  const bodies = { shapes, positions, quaternions };
  const ratios: number[] = [];
  for (const query of QUERIES) {
    const warmStart = tester.createWarmStart(PAIRS);
    const options = { algorithm: 'gjk', ...(query === 'contacts' && { margin: Infinity }) } as const;
    // The options and results of contacts are those of the other queries, and more.
    const ask = tester[query].bind(tester) as Tester['contacts'];
    const targets = [await ask(bodies, pairs, options), await ask(bodies, pairs, options)];
    const rates = { cold: new Array<number>(), warm: new Array<number>() };
    for (let frame = 0; frame < FRAMES; frame++) {
      for (const array of [positions, quaternions])
        for (let i = 0; i < array.length; i++) array[i] += STEP * (random() - 0.5);
      const askCold = (): Promise<number> => cost(() => ask(bodies, pairs, { ...options, target: targets[0] }));
      const askWarm = (): Promise<number> =>
        cost(() => ask(bodies, pairs, { ...options, warmStart, target: targets[1] }));
      // In turns.
      const [first, second] = frame % 2 === 0 ? [askCold, askWarm] : [askWarm, askCold];
      const times = [await first(), await second()];
      const [cold, warm] = frame % 2 === 0 ? times : [times[1], times[0]];
      if (frame < WARM_UP) continue;
      rates.cold.push(1 / cold);
      rates.warm.push(1 / warm);
    }
    warmStart.dispose();
    ratios.push(ratioOf(rates.warm, rates.cold).median);
  }
  return ratios;
}

const { cpu, cores, memoryGiB, os, node } = describeMachine();
console.log(`# Warm starts

\`node scripts/run-ts.mjs bench/experiments/warm-starts.ts --pairs ${PAIRS} --step ${STEP}\`, \
${new Date().toISOString().slice(0, 10)}

- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Adapter: ${tester.adapter?.description}

Processor time of a query without a warm start, divided by that with one: medians of ${FRAMES - WARM_UP} frames, \
\`algorithm: 'gjk'\`.

## In short

| shapes | \`distances\` | \`intersects\` | \`contacts\` |
| --- | ---: | ---: | ---: |`);
for (const [name, shapes] of SCENES) {
  const ratios = await gains(shapes);
  console.log(`| ${name} | ${ratios.map((ratio) => ratio.toFixed(2)).join(' | ')} |`);
}
tester.dispose();
process.exit(0);
