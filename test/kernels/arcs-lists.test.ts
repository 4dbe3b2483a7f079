/**
 * GJK leaves all pairs of polytopes to the kernels of the arcs, whatever their kinds and facets. Pairs that these kernels
 * leave open go to EPA. As on graphics cards, with two lanes per pair.
 */

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { emptyFamily, putBody, type Family } from '../../verification/families/family.ts';
import { ball } from '../../verification/families/hulls.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { comparedAt, pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import { frame } from '../helpers/batch.ts';
import { keepDevices, HARDWARE } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_361;
const PAIRS_OF_EACH = 100;

let hardware: Tester;
let cpu: Tester;
beforeAll(async () => {
  hardware = await createTester({ backend: 'webgpu', gpu: keepDevices(HARDWARE).gpu });
  cpu = await createTester({ backend: 'cpu' });
});
afterAll(() => {
  hardware?.dispose();
  cpu?.dispose();
});
afterEach(() => vi.restoreAllMocks());

const BOX: ShapeDescription = { type: 'box', halfExtents: [0.5, 0.6, 0.7] };
const CAPSULE: ShapeDescription = { type: 'capsule', halfHeight: 0.8, radius: 0.1 };
const CYLINDER: ShapeDescription = { type: 'cylinder', halfHeight: 0.5, radius: 0.5 };
const SEGMENT: ShapeDescription = { type: 'hull', points: [-1, 0, 0, 1, 0, 0] };
const SEGMENT_ACROSS: ShapeDescription = { type: 'hull', points: [0, -1, 0, 0, 1, 0] };
const TRIANGLE: ShapeDescription = { type: 'triangle', points: [-1, -0.8, 0, 1, -0.8, 0.1, 0, 1, 0] };

/** Overlapping pairs of each two shapes, in turn. */
function overlapping(name: string, twos: [ShapeDescription, ShapeDescription][]): Family {
  const random = createRandom(SEED);
  const count = PAIRS_OF_EACH * twos.length;
  const family = emptyFamily(name, twos.flat(), count);
  for (let pair = 0; pair < count; pair++) {
    const shape = 2 * (pair % twos.length);
    const turn = (): number[] => unitVector(random, [0, 0, 0, 0]);
    const position = unitVector(random, [0, 0, 0]).map((x) => x * uniform(random, 0.05, 0.3));
    putBody(family, 2 * pair, shape, { position: [0, 0, 0], quaternion: turn() });
    putBody(family, 2 * pair + 1, shape + 1, { position, quaternion: turn() });
    family.pairs.set([2 * pair, 2 * pair + 1], 2 * pair);
  }
  return family;
}

async function expectReference(family: Family): Promise<void> {
  for (const tester of [hardware, cpu]) useShapes(tester, family.shapes);
  const found = await hardware.contacts(family.bodies, family.pairs, { bounds: true });
  const reference = await cpu.contacts(family.bodies, family.pairs, { bounds: true });
  const faults = pairsOf(family).flatMap((pair) => {
    const [a, b] = [found.distance[pair.index], reference.distance[pair.index]];
    const isSame = found.status[pair.index] === reference.status[pair.index];
    if (isSame && Math.abs(a - b) <= comparedAt(pair, b)) return [];
    return [`pair ${pair.index}, seed ${SEED}: ${a} is not ${b}`];
  });
  expect(summary(faults)).toEqual([]);
  expect(reference.statusCounts[Status.Overlapping]).toBeGreaterThan(0.9 * reference.count);
  const manifolds = await hardware.manifolds(family.bodies, family.pairs, { results: 'hits' });
  const deep = reference.distance.filter((distance) => distance < -1e-3).length;
  expect(manifolds.count).toBeGreaterThanOrEqual(Math.max(deep, 1));
  expect(Math.min(...manifolds.pointCount.subarray(0, manifolds.count))).toBeGreaterThan(0);
}

const MIXES: [string, [ShapeDescription, ShapeDescription][]][] = [
  [
    'boxes and capsules beside hulls of too many facets',
    [
      [BOX, CAPSULE],
      [ball(80), ball(80)],
    ],
  ],
  [
    'capsules and boxes beside hulls of too many facets',
    [
      [CAPSULE, BOX],
      [ball(80), ball(80)],
    ],
  ],
  [
    'triangles beside hulls of too many facets',
    [
      [TRIANGLE, TRIANGLE],
      [TRIANGLE, ball(160)],
      [ball(160), ball(160)],
    ],
  ],
  [
    'hulls of few and of too many facets, and cylinders',
    [
      [ball(20), ball(30)],
      [ball(100), ball(100)],
      [CYLINDER, ball(20)],
    ],
  ],
];
// Each mix has kernels of its own: in CI all are one.
test.each(atNight([['all kinds', MIXES.flatMap(([, twos]) => twos)] as (typeof MIXES)[number]], MIXES))(
  '%s have the answers of the reference',
  async (name, twos) => {
    await expectReference(overlapping(name, twos));
  },
);

test.each<[string, ShapeDescription]>([
  ['a segment', SEGMENT_ACROSS],
  ['a capsule', CAPSULE],
])('a segment across %s, which have no facets', async (_, across) => {
  const family = emptyFamily('across', [SEGMENT, across], 1);
  for (const body of [0, 1]) putBody(family, body, body, { position: [0, 0, 0], quaternion: [0, 0, 0, 1] });
  family.pairs.set([0, 1]);
  await expectReference(family);
});

test('a batch gives features to pairs whose Gauss maps have no arcs, where all hulls have few facets', async () => {
  const rounded: ShapeDescription = { type: 'hull', points: [-1, 0, 0, 1, 0, 0], radius: 0.25 };
  useShapes(hardware, [{ type: 'capsule', halfHeight: 1, radius: 0.25 }, rounded]);
  using batch = await hardware.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 2 });
  const bodies = {
    shapes: Uint32Array.of(0, 1),
    positions: new Float32Array(6),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const found = await frame(batch, { bodies, pairs: Uint32Array.of(0, 1, 1, 0) });
  const edge = 2 * 2 ** 30;
  expect([found.statusCounts[Status.Overlapping], [...found.featureA], [...found.featureB]]).toEqual([
    2,
    [edge, edge],
    [edge, edge],
  ]);
});

test('the lanes take bodies of few facets whose arcs have more steps than the lanes have bits', async () => {
  const plan = spatialPlanner.plan;
  vi.spyOn(spatialPlanner, 'plan').mockImplementation((request) => {
    const open = plan(request);
    const steps = open.steps.filter(
      (step) =>
        step.step !== 'kernel' || !(step.variant.kernel.startsWith('contacts-epa') || step.reads === 'arcsLeft'),
    );
    return { ...open, steps, fallbackSteps: [] };
  });
  const family = overlapping('box and hull', [[BOX, ball(66)]]);
  useShapes(hardware, family.shapes);
  const { statusCounts, count } = await hardware.contacts(family.bodies, family.pairs);
  expect(statusCounts[Status.Overlapping]).toBeGreaterThan(0.9 * count);
});
