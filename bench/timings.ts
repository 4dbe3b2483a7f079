/**
 * First-call time, kernel time and read-back of each query on one adapter.
 *
 *     npm run timings -- [--pairs 262144] [--seed 1]
 *
 * Prints a Markdown table. The first call includes compiling; the others are medians of five later calls. Kernel time is by
 * timestamps; read-back is from submission to the records on the host, without the kernels; call is the whole call.
 */
import { parseArgs } from 'node:util';
import { createTester } from '../src/node.ts';
import type { Algorithm } from '../src/types.ts';
import { makeFamily, type FamilyName } from '../test/families.ts';

const REPEATS = 5;

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '262144' }, seed: { type: 'string', default: '1' } } });
const count = Number(values.pairs);
const cases: [FamilyName, 'intersects' | 'distances' | 'contacts', Algorithm][] = [
  ['box-box', 'intersects', 'sat'],
  ['box-box', 'intersects', 'gjk'],
  ['box-box', 'distances', 'sat'],
  ['box-box', 'distances', 'gjk'],
  ['box-box', 'contacts', 'sat'],
  ['box-box', 'contacts', 'gjk'],
  ['hull32-hull32', 'intersects', 'auto'],
  ['hull32-hull32', 'distances', 'auto'],
  ['hull32-hull32', 'contacts', 'auto'],
];

let heading = '';
for (const [family, query, algorithm] of cases) {
  const { shapes, bodies, pairs } = makeFamily(family, count, Number(values.seed));
  const tester = await createTester({ backend: 'webgpu' });
  if (!heading) {
    const { vendor, architecture, description, isSoftware } = tester.adapter;
    heading = `${count} pairs on ${[vendor, architecture, description].filter(Boolean).join(' ')}${isSoftware ? ' (software)' : ''}

| family | query | algorithm | first call ms | of which compiling | kernels ms | read-back ms | call ms | M pairs/s |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |`;
    console.log(heading);
  }
  for (const shape of shapes) tester.addShape(shape);
  // One pair: what is left is compiling and starting.
  const first = await timed(() => tester[query](bodies, pairs.subarray(0, 2), { algorithm }));
  const { compile } = tester.timings;
  const samples: { call: number; kernels: number; readBack: number }[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const call = await timed(() => tester[query](bodies, pairs, { algorithm }));
    samples.push({ call, kernels: tester.timings.kernels, readBack: tester.timings.readBack });
  }
  const kernels = median(samples.map((sample) => sample.kernels));
  const cells = [first, compile, kernels, median(samples.map((sample) => sample.readBack)), median(samples.map((sample) => sample.call))];
  const rate = (count / kernels / 1e3).toFixed(2);
  console.log(`| ${[family, query, algorithm, ...cells.map((ms) => ms.toFixed(0)), rate].join(' | ')} |`);
  tester.dispose();
}
process.exit(0);

async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}
