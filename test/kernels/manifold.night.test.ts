/** Manifolds by the kernels: what every pair of shapes is promised, and the same points as the reference's. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as cpu from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { TOLERANCE, toleranceOf } from '../../src/shapes/tolerances.ts';
import { Status, type ManifoldItem, type PosedBodies, type Tester } from '../../src/api/types.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, joinFamilies, partsOf, putBody, type Family } from '../../verification/families/family.ts';
import { makeShapePairFamily, shapePairNames } from '../../verification/families/families-of-types.ts';
import { below, createRandom, unitVector } from '../../verification/families/random.ts';
import {
  LINE_GAPS,
  LINE_PAIRS,
  joinRidgeFamilies,
  makeRidgeFamily,
  missedEnds,
} from '../../verification/families/ridge-pairs.ts';
import { frame } from '../helpers/batch.ts';
import { anyFamily, pairsOf, summary, useShapes, type FamilyPair } from '../../verification/families/test-pairs.ts';
import { manifoldFaults } from '../helpers/manifolds.ts';
import {
  FRAMES,
  MARGIN,
  boxStack,
  drift,
  simulate,
  tiledFloor,
  watchManifolds,
  type BoxScene,
  type Watch,
} from '../helpers/stack.ts';

const SEED = 20_261_122;
const PAIRS = 192;
/** Frames that a stack is watched for. */
const STACK_FRAMES = FRAMES;
/** Turned by a quarter about z, and a little about y. */
const LYING = [0.1056687, 0.1056687, 0.6991663, 0.6991663];

let tester: Tester;

beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
});

afterAll(() => tester?.dispose());

interface KnownFamily {
  shapes: cpu.CpuShape[];
  pairs: FamilyPair[];
}

const knownFamilies = new WeakMap<Family, KnownFamily>();

/** A family's shapes for the reference and its pairs for the oracle, made once. */
function knownOf(family: Family): KnownFamily {
  const known = knownFamilies.get(family) ?? {
    shapes: family.shapes.map((description) => cpu.createShape(description)),
    pairs: pairsOf(family),
  };
  knownFamilies.set(family, known);
  return known;
}

/** Faults of all pairs; how many have each number of points, and which as many as the reference finds. */
async function judge(
  family: Family,
  margin: number,
): Promise<{ faults: string[]; counts: number[]; alike: boolean[] }> {
  useShapes(tester, family.shapes);
  const contacts = [...(await tester.contacts(family.bodies, family.pairs, { margin }))];
  const manifolds = [...(await tester.manifolds(family.bodies, family.pairs, { margin }))];
  const { shapes, pairs } = knownOf(family);
  const counts = [0, 0, 0, 0, 0];
  const alike: boolean[] = [];
  const faults = pairs.flatMap((pair) => {
    const { status, distance, normal } = contacts[pair.index];
    const found = manifolds[pair.index];
    const reference = cpu.manifold(shapes[pair.shapeA], pair.poseA, shapes[pair.shapeB], pair.poseB, { margin });
    counts[found.points.length]++;
    alike[pair.index] = reference.points.length === found.points.length;
    if (status === Status.NotConverged) return [`pair ${pair.index} did not converge`];
    expect(found.status).toBe(status);
    const known = toleranceOf('kernels', shapes[pair.shapeA].kind, shapes[pair.shapeB].kind, false);
    return manifoldFaults(
      pair,
      found,
      { hit: distance <= margin, distance, normal },
      margin,
      TOLERANCE.kernels,
      true,
      known,
    );
  });
  return { faults, counts, alike };
}

/** Each two types by themselves have kernels of their own: these are compiled at night alone. */
const ofTypes = shapePairNames.map((name) => makeShapePairFamily(name, PAIRS, SEED));

describe.each(ofTypes)('$name', (family) => {
  const count = family.pairs.length / 2;

  test.each([0, 0.05, Infinity])('at a margin of %d', async (margin) => {
    const { faults, counts, alike } = await judge(family, margin);
    expect(summary(faults), `seed ${SEED}`).toEqual([]);
    expect(counts[0] < count / 1.5 && counts[0] < 1 === (margin === Infinity)).toBe(true);
    // Rounding decides on points on a border, and on those that are hardly apart: in each part, that is 5 % of the pairs
    // and one, and 5 % of all pairs.
    expect(alike.filter(Boolean).length).toBeGreaterThan(0.95 * count);
    for (const part of partsOf(family)) {
      const same = alike.slice(part.first, part.first + part.count).filter(Boolean).length;
      expect(same, part.name).toBeGreaterThan(0.95 * part.count - 1);
    }
  });
});

describe('results', () => {
  const family = makeShapePairFamily('box/hull', PAIRS, SEED);
  const { bodies, pairs } = family;

  test('far out, with 64-bit positions, are those at the origin', async () => {
    useShapes(tester, family.shapes);
    const far = 2 ** 30;
    const here = await tester.manifolds({ ...bodies, positions: Float64Array.from(bodies.positions) }, pairs, {
      margin: 0.05,
    });
    const there = await tester.manifolds(
      { ...bodies, positions: Float64Array.from(bodies.positions, (x) => x + far) },
      pairs,
      { margin: 0.05 },
    );
    expect(there.position).toBeInstanceOf(Float64Array);
    expect(there.pointCount).toEqual(here.pointCount);
    // Cells of half a metre have fractions of 1e-9.
    here.position.forEach((x, i) => expect(Math.abs(there.position[i] - (x === 0 ? 0 : x + far))).toBeLessThan(1e-4));
    expect(here.feature.some((feature) => feature !== 0)).toBe(true);
  });

  test('of hits alone are those of all, in order, and a target is written again', async () => {
    useShapes(tester, family.shapes);
    const all = await tester.manifolds(bodies, pairs, { margin: 0.05 });
    const hits = await tester.manifolds(bodies, pairs, { margin: 0.05, results: 'hits', escalate: true });
    const items = [...all].filter(({ points }) => points.length > 0);
    expect([...hits]).toEqual(items);
    const again = await tester.manifolds(bodies, pairs, { margin: 0.05, target: all });
    expect(again.position.buffer).toBe(all.position.buffer);
    expect([...again].filter(({ points }) => points.length > 0)).toEqual(items);
    // Unused slots.
    again.pointCount.forEach((count, slot) => {
      const unused = [
        ...again.position.subarray(12 * slot + 3 * count, 12 * slot + 12),
        ...again.distance.subarray(4 * slot + count, 4 * slot + 4),
        ...again.feature.subarray(4 * slot + count, 4 * slot + 4),
      ];
      expect(unused.every((value) => value === 0)).toBe(true);
    });
  });
});

test('shapes full of ties', async () => {
  const total = 4000;
  const { faults, counts, alike } = await judge(anyFamily('grid', total, SEED), 0.25);
  expect(summary(faults), `seed ${SEED}`).toEqual([]);
  expect(Math.min(...counts)).toBeGreaterThan(0.0075 * total);
  expect(alike.filter(Boolean).length).toBeGreaterThan(0.975 * total);
});

/** A family with sharp boxes for all shapes. */
function alone(family: Family): Family {
  const shapes = family.shapes.map((shape) =>
    shape.type === 'box' ? { ...shape, radius: 0 } : { type: 'box' as const, halfExtents: [1, 0.5, 0.25] as const },
  );
  return { ...family, shapes };
}

/** They have a kernel of their own. */
describe('sharp boxes alone', () => {
  const BOXES = 2000;
  const families = [
    alone(makeShapePairFamily('box/box', BOXES, SEED)),
    alone(anyFamily('grid', 2 * BOXES, SEED)),
    alone(anyFamily('aligned-boxes', BOXES, SEED)),
    alone(anyFamily('stacks', BOXES, SEED)),
  ];

  test.each(families.map((family) => [family.name, family] as const))(
    '%s: the promises hold',
    async (_name, family) => {
      const { faults, counts } = await judge(family, 0.25);
      expect(summary(faults), `seed ${SEED}`).toEqual([]);
      expect(counts[1] + counts[2] + counts[3] + counts[4]).toBeGreaterThan(BOXES / 4);
    },
  );

  test.each(families.map((family) => [family.name, family] as const))(
    '%s: beside a rounded one they have the same points',
    async (_name, family) => {
      const { shapes, bodies, pairs } = family;
      useShapes(tester, shapes);
      const found = [...(await tester.manifolds(bodies, pairs, { margin: 0.25 }))];
      useShapes(tester, [...shapes, { type: 'box', halfExtents: [1, 1, 1], radius: 0.5 }]);
      const ids = bodies.shapes.slice();
      ids[pairs[0]] = shapes.length;
      const others = [...(await tester.manifolds({ ...bodies, shapes: ids }, pairs, { margin: 0.25 }))];
      const changed = new Set([pairs[0]]);
      const alike = found.filter(({ points }, i) => {
        const other = others[i].points;
        return points.length === other.length && points.every(({ feature }, k) => feature === other[k].feature);
      });
      const compared = found.filter((_, i) => !changed.has(pairs[2 * i]) && !changed.has(pairs[2 * i + 1]));
      // Rounding decides of points on a border.
      expect(alike.length).toBeGreaterThan(0.99 * compared.length);
    },
  );
});

/** Triangles and hulls whose points lie on a line but for rounding, on large boxes, in either order. */
function collinearFamily(count: number): Family {
  const random = createRandom(SEED);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const shapes: ShapeDescription[] = Array.from({ length: 60 }, (_, i) => {
    const [from, to] = [0, 1].map(() =>
      [0, 1, 2].map(() => (i % 2 === 0 ? Math.round(between(-10, 10)) / 10 : between(-1, 1))),
    );
    const along = (t: number): number[] => from.map((x, k) => x + t * (to[k] - x));
    const points = [from, to, along(0.5), ...(i % 3 === 0 ? [along(between(0, 1))] : [])].flat();
    const radius = i % 5 === 0 ? 0.1 : 0;
    return i % 3 === 0 ? { type: 'hull', points, radius } : { type: 'triangle', points, radius };
  });
  const boxes = shapes.length;
  for (const halfExtents of [
    [5, 0.5, 5],
    [1, 1, 1],
    [50, 1, 50],
  ] as const)
    shapes.push({ type: 'box', halfExtents });
  const family = emptyFamily('collinear', shapes, count);
  for (let pair = 0; pair < count; pair++) {
    const box = below(random, 3);
    const [line, flat] = pair % 2 === 0 ? [2 * pair, 2 * pair + 1] : [2 * pair + 1, 2 * pair];
    const position = [0, (box === 0 ? 0.5 : 1) + between(-0.5, 0.9), 0];
    putBody(family, line, below(random, boxes), {
      position,
      quaternion: pair % 3 === 0 ? unitVector(random, [0, 0, 0, 0]) : [0, 0, 0, 1],
    });
    putBody(family, flat, boxes + box, { position: [0, 0, 0], quaternion: [0, 0, 0, 1] });
  }
  return family;
}

test.each([0, 0.05])('faces without a width, at a margin of %d', async (margin) => {
  const total = 3000;
  const { faults, counts } = await judge(collinearFamily(total), margin);
  expect(summary(faults), `seed ${SEED}`).toEqual([]);
  expect(Math.min(counts[1], counts[2])).toBeGreaterThan(total / 30);
});

/** What rests on a floor, turned and moved by a hundred thousandth. */
const RESTING: [name: string, shape: ShapeDescription, height: number, quaternion: number[], features: number][] = [
  ['a lying capsule', { type: 'capsule', halfHeight: 0.5, radius: 0.3 }, 0.3, LYING, 2],
  ['a lying cylinder', { type: 'cylinder', halfHeight: 0.5, radius: 0.3 }, 0.3, LYING, 2],
  [
    'a rounded triangle',
    { type: 'triangle', points: [-0.5, 0, -0.3, 0.6, 0, -0.2, 0, 0, 0.5], radius: 0.1 },
    0.1,
    [0, 0, 0, 1],
    3,
  ],
  ['a rounded box', { type: 'box', halfExtents: [0.4, 0.2, 0.3], radius: 0.1 }, 0.3, [0, 0, 0, 1], 4],
];

const FLOORS: [name: string, floor: ShapeDescription][] = [
  ['a half-space', { type: 'halfspace', normal: [0, 1, 0], offset: 0 }],
  ['a box', { type: 'box', halfExtents: [5, 5, 5] }],
];

describe('at rest', () => {
  const RESTS = 200;
  const cases = FLOORS.flatMap(([on, floor]) => RESTING.map((resting) => ({ on, floor, resting })));
  let found: ManifoldItem[];

  // All in one query, since each two types by themselves have kernels of their own.
  beforeAll(async () => {
    const families = cases.map(({ floor, resting: [name, shape, height, [x, y, z, w]] }) => {
      const random = createRandom(SEED);
      const little = (): number => 1e-5 * (random() - 0.5);
      const family = emptyFamily(name, [floor, shape], RESTS);
      for (let pair = 0; pair < RESTS; pair++) {
        putBody(family, 2 * pair, 0, { position: [0, floor.type === 'box' ? -5 : 0, 0], quaternion: [0, 0, 0, 1] });
        putBody(family, 2 * pair + 1, 1, {
          position: [little(), height - 1e-4 + little(), little()],
          quaternion: [x, y, z, w].map((q) => q + little()),
        });
      }
      return family;
    });
    const { shapes, bodies, pairs } = joinFamilies('at rest', families);
    useShapes(tester, shapes);
    found = [...(await tester.manifolds(bodies, pairs, { margin: 0.01 }))];
  });

  test.each(cases.map(({ on, resting }, i) => ({ on, name: resting[0], features: resting[4], i })))(
    '$name on $on keeps the same points',
    ({ features, i }) => {
      const seen = new Set(
        found.slice(RESTS * i, RESTS * (i + 1)).map(({ points }) =>
          points
            .map(({ feature }) => feature)
            .sort()
            .join(' '),
        ),
      );
      expect(seen.size, [...seen].join(', ')).toBe(1);
      expect([...seen][0].split(' ').length).toBe(features);
    },
  );
});

test('sides and edges along edges, and along the borders of faces, have both ends of the line', async () => {
  const family = joinRidgeFamilies(
    LINE_PAIRS.flatMap(([first, second]) =>
      [{ turn: 0, share: 0 }, { turn: 1e-5, share: 0.01 }, { turn: 1e-4 }].map((options) =>
        makeRidgeFamily(first, second, 12, SEED, { ...options, gap: LINE_GAPS }),
      ),
    ),
  );
  useShapes(tester, family.shapes);
  expect(missedEnds(family, await tester.manifolds(family.bodies, family.pairs, { margin: 0.01 }))).toEqual([]);
});

async function run(scene: BoxScene, frames: number, see: (frame: number) => void = () => {}): Promise<Watch> {
  useShapes(tester, scene.shapes);
  const watch = watchManifolds();
  const batch = await tester.createBatch({
    query: 'manifolds',
    maxBodies: scene.bodies.length,
    maxPairs: scene.pairs.length / 2,
    margin: MARGIN,
  });
  const manifolds = (bodies: PosedBodies, pairs: Uint32Array) =>
    frame(batch, { bodies: { ...bodies, positions: Float32Array.from(bodies.positions) }, pairs });
  await simulate(
    scene,
    manifolds,
    (found, at) => {
      watch.see(found, at);
      see(at);
    },
    frames,
  );
  batch.dispose();
  return watch;
}

describe('frame after frame, in a batch', () => {
  test('five boxes, each tilted by 1e-4, keep four points and stand where they settled frame after frame', async () => {
    const scene = boxStack();
    let settled: number[][] = [];
    const { counts, flips } = await run(scene, STACK_FRAMES, (at) => {
      if (at === 120) settled = scene.bodies.map(({ position }) => [...position]);
    });
    expect([...counts.values()]).toEqual([[4], [4], [4], [4], [4]]);
    expect(flips).toEqual([]);
    expect(drift(scene.bodies, settled)).toBeLessThan(1e-3);
  });

  test('a box slides over tiles without a change that is taken back', async () => {
    const scene = tiledFloor(0.35);
    const { counts, flickers, flips } = await run(scene, 500);
    expect(flickers).toEqual([]);
    expect(flips).toEqual([]);
    expect([...counts.values()].filter((seen) => seen.includes(4)).length).toBeGreaterThan(8);
  });
});
