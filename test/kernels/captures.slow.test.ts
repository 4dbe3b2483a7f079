/** Captures on WebGPU: they equal the query's records, and those of verification/captures have the reference's answers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCapture } from '../../src/capture/parse.ts';
import { toCaptureItem } from '../../src/capture/numbers.ts';
import { createTester } from '../../src/node.ts';
import type { Capture, PlanarTester, Tester } from '../../src/api/types.ts';
import { atNight } from '../helpers/night.ts';
import { answerPair, capturePair, randomPair } from '../helpers/random-captures.ts';
import { answersOf, faultsOf, referenceOf, regressions } from '../helpers/regressions.ts';

const PAIRS = Array.from({ length: 40 }, (_, i) => i);
/** Each query, both dimensions, poses and matrices in f32 and f64, scales, a compound and a mesh. */
const CHOSEN = [0, 11, 12, 16, 17, 19, 26, 38];

let space: Tester;
let planar: PlanarTester;
let cpu: Tester;
let planarCpu: PlanarTester;

beforeAll(async () => {
  space = await createTester({ backend: 'webgpu' });
  planar = await createTester({ backend: 'webgpu', dimension: 2 });
  cpu = await createTester({ backend: 'cpu', threads: 1 });
  planarCpu = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
});
afterAll(() => {
  for (const tester of [space, planar, cpu, planarCpu]) tester.dispose();
});

test('random captures equal the query’s records', async () => {
  for (const i of atNight(CHOSEN, PAIRS)) {
    const pair = randomPair(3, i, i % 4 === 3 ? 2 : 3);
    const tester = pair.dimension === 3 ? space : planar;
    const label = `seed 3, pair ${i}: ${pair.options.query} of ${pair.shapes.map(({ type }) => type).join(', ')}`;
    const capture = await capturePair(tester, pair);
    expect(parseCapture(JSON.parse(JSON.stringify(capture))), label).toEqual(capture);
    expect(capture.backend).toBe('webgpu');
    expect(capture.adapter).toEqual(tester.adapter);
    const items = toCaptureItem(await answerPair(tester, pair)) as Capture['result'][];
    expect(capture.result, label).toEqual(Array.isArray(capture.result) ? items : items[0]);
  }
}, 600_000);

test.each(regressions())('%s has the reference’s answer on WebGPU', async (_, capture) => {
  const [tester, reference] = capture.dimension === 3 ? [space, cpu] : [planar, planarCpu];
  const answers = await answersOf(tester, capture);
  expect(faultsOf(capture, answers, await referenceOf(reference, capture), 'kernels')).toEqual([]);
});
