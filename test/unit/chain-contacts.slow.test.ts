/** Contacts and manifolds with chains and tiles in 2-D have normals of the surface (docs/parts.md#normals-at-chains-and-tiles). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, type PlanarTester } from '../../src/index.ts';
import { planar } from '../../src/cpu.ts';
import type { PlanarConvexDescription, PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import {
  makePlanarSurfaceFamilies,
  type PlanarSurfaceFamily,
} from '../../verification/families/planar-surface-families.ts';
import { isGhost, partsOfSurface } from '../../verification/judges/planar-surface-contacts.ts';
import { atNight } from '../helpers/night.ts';

let tester: PlanarTester;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
});
afterAll(() => tester.dispose());

/** The contact of a shape and a body, which are at rest and not turned. */
async function contactOf(ground: PlanarShapeDescription, body: PlanarConvexDescription, x: number, y: number) {
  const ids = [tester.addShape(ground), tester.addShape(body)];
  const bodies = { shapes: Uint32Array.from(ids), positions: Float32Array.of(0, 0, x, y), angles: new Float32Array(2) };
  const [found] = [...(await tester.contacts(bodies, Uint32Array.of(0, 1)))];
  const slots = [...(await tester.contacts(bodies, Uint32Array.of(0, 1), { parts: 'all' }))];
  for (const id of ids) tester.removeShape(id);
  return { distance: found.distance, normal: found.normal, slots };
}

const CIRCLE: PlanarConvexDescription = { type: 'circle', radius: 0.5 };
const BOX: PlanarConvexDescription = { type: 'rectangle', halfExtents: [0.5, 0.5] };

function near(actual: ArrayLike<number>, expected: readonly number[], digits = 5): void {
  expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, digits));
}

describe('a corner of a chain', () => {
  const ridge: PlanarShapeDescription = { type: 'chain', points: [-2, -1, 0, 0, 2, -1] };
  const valley: PlanarShapeDescription = { type: 'chain', points: [-2, 1, 0, 0, 2, 1] };

  test('that is convex has all normals between those of its segments', async () => {
    for (const angle of [-0.4, 0, 0.3]) {
      const [x, y] = [-Math.sin(angle), Math.cos(angle)];
      const { distance, normal } = await contactOf(ridge, CIRCLE, 0.49 * x, 0.49 * y);
      near(normal, [x, y]);
      expect(distance).toBeCloseTo(-0.01, 5);
    }
  });

  test('that is concave has those of its segments only, one for each', async () => {
    const { slots } = await contactOf(valley, CIRCLE, 0, 0.55);
    expect(slots).toHaveLength(2);
    const size = Math.sqrt(5);
    near(slots[0].normal, [1 / size, 2 / size]);
    near(slots[1].normal, [-1 / size, 2 / size]);
  });

  test('at a free end has half a turn', async () => {
    const bar: PlanarShapeDescription = { type: 'chain', points: [0, 0, 1, 0, 2, 0] };
    for (const angle of [0.6 * Math.PI, Math.PI, 1.3 * Math.PI]) {
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      near((await contactOf(bar, CIRCLE, 0.49 * x, 0.49 * y)).normal, [x, y]);
    }
    // Over the middle, only up and down.
    near((await contactOf(bar, BOX, 0.9, 0.45)).normal, [0, 1]);
    near((await contactOf(bar, BOX, 0.9, -0.45)).normal, [0, -1]);
  });
});

test('sides: with front, a body below its middle comes up at the front, and with both on the other side', async () => {
  const points = [3, 0, 1, 0, -1, 0, -3, 0];
  for (const y of [0.4, 0.1, -0.1, -0.4]) {
    const front = await contactOf({ type: 'chain', points, sides: 'front' }, BOX, 0.2, y);
    near(front.normal, [0, 1]);
    expect(front.distance).toBeCloseTo(y - 0.5, 5);
    near((await contactOf({ type: 'chain', points }, BOX, 0.2, y)).normal, [0, Math.sign(y)]);
  }
});

test('a step: the riser is kept where the crate meets it, and left out where it stands on the step', async () => {
  const steps: PlanarShapeDescription[] = [
    { type: 'chain', points: [-3, 0, 0, 0, 0, 1, 3, 1] },
    {
      type: 'compound',
      parts: [
        { shape: { type: 'polygon', points: [-3, -1, 0, -1, 0, 0, -3, 0] } },
        { shape: { type: 'polygon', points: [0, -1, 3, -1, 3, 1, 0, 1] } },
      ],
    },
  ];
  for (const step of steps) {
    const below = await contactOf(step, BOX, -0.49, 0.49);
    expect(below.slots.map(({ normal }) => Array.from(normal, (x) => Math.round(x) + 0)).sort()).toEqual([
      [-1, 0],
      [0, 1],
    ]);
    const above = await contactOf(step, BOX, 0.3, 1.49);
    near(above.normal, [0, 1]);
    expect(above.slots.every(({ normal }) => normal[1] > 0.999)).toBe(true);
  }
});

test('the side of a tile that a lower neighbour covers in part has a normal above the neighbour only', async () => {
  const tiles: PlanarShapeDescription = {
    type: 'compound',
    parts: [
      { shape: { type: 'rectangle', halfExtents: [1, 1] }, position: [-1, -1] },
      { shape: { type: 'rectangle', halfExtents: [1, 1] }, position: [1, -0.8] },
    ],
  };
  const { slots } = await contactOf(tiles, BOX, -0.49, 0.499);
  expect(slots.map(({ normal }) => Array.from(normal, (x) => Math.round(x) + 0))).toEqual([
    [0, 1],
    [-1, 0],
  ]);
  // Deep in the platform, only the tops have normals.
  const flat = { ...tiles, parts: tiles.parts.map((part, i) => ({ ...part, position: [2 * i - 1, -1] })) };
  for (const x of [-0.4, 0, 0.05, 0.4]) {
    const found = await contactOf(flat, { type: 'rectangle', halfExtents: [0.2, 0.5] }, x, 0.1);
    near(found.normal, [0, 1]);
    expect(found.distance).toBeCloseTo(-0.4, 5);
  }
});

test('rounded parts keep their own normals, and parts that overlap have none inside of each other', async () => {
  const rounded: PlanarShapeDescription = {
    type: 'compound',
    parts: [-1, 1].map((x) => ({ shape: { type: 'circle', radius: 1 }, position: [x, -1] })),
  };
  near((await contactOf(rounded, CIRCLE, 0, 0.1)).normal, [1 / Math.hypot(1, 1.1), 1.1 / Math.hypot(1, 1.1)]);
  const crossed: PlanarShapeDescription = {
    type: 'compound',
    parts: [
      { shape: { type: 'rectangle', halfExtents: [2, 0.5] } },
      { shape: { type: 'rectangle', halfExtents: [0.5, 0.5] }, position: [0.3, 0] },
    ],
  };
  for (const x of [-0.3, 0, 0.5, 1.1]) near((await contactOf(crossed, BOX, x, 0.95)).normal, [0, 1]);
});

/** A row of square tiles around the origin. */
const tiles = (count: number, half: number): PlanarShapeDescription => ({
  type: 'compound',
  parts: Array.from({ length: count }, (_, i) => ({
    shape: { type: 'rectangle', halfExtents: [half, half] },
    position: [(2 * i + 1 - count) * half, 0],
  })),
});

test('compounds slide over compounds', async () => {
  const ids = [tester.addShape(tiles(40, 0.125)), tester.addShape(tiles(4, 0.125))];
  for (const x of [0, 0.1, 1.234])
    for (const [a, b] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const bodies = {
        shapes: Uint32Array.from(ids),
        positions: Float32Array.of(0, 0, x, 0.24),
        angles: new Float32Array(2),
      };
      const found = [...(await tester.contacts(bodies, Uint32Array.of(a, b), { parts: 'all' }))];
      expect(found.length).toBeGreaterThan(3);
      for (const { normal, distance } of found) {
        near(normal, [0, a === 0 ? 1 : -1]);
        expect(distance).toBeCloseTo(-0.01, 5);
      }
    }
});

/** Numbers of a family's cases with some fault. */
interface Faults {
  hits: number;
  ghosts: number;
  lost: number;
  tooDeep: number;
  tooShallow: number;
  notInList: number;
  down: number;
  slotGhosts: number;
  emptyManifolds: number;
  swapped: number;
}

const SEED = 7;
const CASES = atNight(40, 1000);

/** How deep a case is, by the half-plane or the hull below it. */
function depthOf({ plane, solid, cases }: PlanarSurfaceFamily, index: number): number {
  const { shape, position, angle } = cases[index];
  const below = planar.createShape(
    solid ? { type: 'polygon', points: solid } : { type: 'rectangle', halfExtents: [64, 64] },
  );
  const place = { position: [0, plane ? plane.height - 64 : 0] as const, angle: 0 };
  return -planar.contact(below, place, planar.createShape(shape), { position, angle }).distance;
}

async function judge(family: PlanarSurfaceFamily): Promise<Faults> {
  const { shape, cases } = family;
  const ids = [tester.addShape(shape), ...cases.map((each) => tester.addShape(each.shape))];
  const bodies = {
    shapes: Uint32Array.from(ids),
    positions: Float32Array.of(0, 0, ...cases.flatMap(({ position }) => position)),
    angles: Float32Array.of(0, ...cases.map(({ angle }) => angle)),
  };
  const pairs = Uint32Array.from({ length: 2 * cases.length }, (_, i) => (i % 2 ? 1 + (i >> 1) : 0));
  const { hit } = await tester.intersects(bodies, pairs);
  const found = await tester.contacts(bodies, pairs);
  const swapped = await tester.contacts(bodies, pairs.slice().reverse());
  const slots = [...(await tester.contacts(bodies, pairs, { parts: 'all' }))];
  const manifolds = [...(await tester.manifolds(bodies, pairs))];
  for (const id of ids) tester.removeShape(id);
  const parts = partsOfSurface(family);
  const faults: Faults = {
    hits: 0,
    ghosts: 0,
    lost: 0,
    tooDeep: 0,
    tooShallow: 0,
    notInList: 0,
    down: 0,
    slotGhosts: slots.filter(({ pointA, normal }) => isGhost(parts, pointA, normal)).length,
    emptyManifolds: manifolds.filter(({ points }) => points.length === 0).length,
    swapped: 0,
  };
  cases.forEach((_, i) => {
    if (!hit[i]) return;
    faults.hits++;
    const { distance, normal, pointA } = found;
    const n = [normal[2 * i], normal[2 * i + 1]];
    const depth = -distance[i];
    if (!(depth >= 0) || (n[0] === 0 && n[1] === 0)) faults.lost++;
    if (isGhost(parts, [pointA[2 * i], pointA[2 * i + 1]], n)) faults.ghosts++;
    if (family.isGround && n[1] < 0.2) faults.down++;
    const deepest = Math.max(...slots.filter(({ pair }) => pair === i).map((slot) => -slot.distance));
    if (Math.abs(deepest - depth) > 1e-5) faults.notInList++;
    const other = cases.length - 1 - i;
    const isSame = Math.abs(swapped.distance[other] + depth) < 1e-5;
    if (!isSame || Math.abs(swapped.normal[2 * other + 1] + n[1]) > 1e-3) faults.swapped++;
    if (!family.plane && !family.solid) return;
    const truth = depthOf(family, i);
    if (depth > 1.002 * truth + 1e-5) faults.tooDeep++;
    if (depth < 0.998 * truth - 1e-5) faults.tooShallow++;
  });
  return faults;
}

describe('families of bodies', () => {
  test.each(makePlanarSurfaceFamilies(SEED, CASES).map((family) => [family.name, family] as const))(
    '%s: no ghosts, nothing lost, depths of the ground',
    async (_, family) => {
      const { hits, ...faults } = await judge(family);
      expect(hits).toBeGreaterThan(0.7 * CASES);
      for (const [name, count] of Object.entries(faults)) expect(count, `${name}, seed ${SEED}`).toBe(0);
    },
  );

  test('each part by itself has ghosts, which the judge finds', async () => {
    let ghosts = 0;
    for (const family of makePlanarSurfaceFamilies(SEED, CASES)) {
      if (family.name !== 'flat chain' && family.name !== 'flat tiles') continue;
      const parts = partsOfSurface(family);
      const shapes = parts.map((points) =>
        planar.createShape(points.length === 4 ? { type: 'segment', points } : { type: 'polygon', points }),
      );
      for (const { shape, position, angle } of family.cases.slice(0, 25))
        for (const part of shapes) {
          const found = planar.contact(part, { position: [0, 0], angle: 0 }, planar.createShape(shape), {
            position,
            angle,
          });
          if (found.hit && isGhost(parts, found.pointA, found.normal)) ghosts++;
        }
    }
    expect(ghosts).toBeGreaterThan(10);
  });

  test('at all depths no family has a ghost', async () => {
    for (const family of makePlanarSurfaceFamilies(SEED + 1, atNight(15, 400), [0.05, 0.4])) {
      const { ghosts, slotGhosts, lost, notInList, tooDeep } = await judge(family);
      expect({ ghosts, slotGhosts, lost, notInList, tooDeep }, family.name).toEqual({
        ghosts: 0,
        slotGhosts: 0,
        lost: 0,
        notInList: 0,
        tooDeep: 0,
      });
    }
  });
});

/** Where body i is over the long chain. */
const placeOf = (i: number): number => Math.fround(-400 + 0.8 * i);

test('a chain of 100,000 points: built once, and each query takes few tests', async () => {
  const points = new Float32Array(200_000);
  for (let i = 0; i < 100_000; i++) points.set([i / 100 - 500, Math.sin(i / 500)], 2 * i);
  const ids = [tester.addShape({ type: 'chain', points }), tester.addShape(CIRCLE), tester.addShape(BOX)];
  const count = atNight(200, 1000);
  const bodies = {
    shapes: Uint32Array.of(ids[0], ...Array.from({ length: count }, (_, i) => ids[1 + (i % 2)])),
    positions: Float32Array.of(
      0,
      0,
      ...Array.from({ length: count }, (_, i) => [placeOf(i), Math.sin((placeOf(i) + 500) / 5) + 0.48]).flat(),
    ),
    angles: new Float32Array(count + 1),
    linearVelocities: Float32Array.from({ length: 2 * count + 2 }, (_, i) => (i < 2 ? 0 : i % 2 ? 0 : 1)),
  };
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 1 + (i >> 1) : 0));
  const { hits } = await tester.intersects(bodies, pairs);
  expect(hits).toBe(count);
  expect(tester.timings.tree!.boxTests).toBeLessThan(100 * count);
  const found = [...(await tester.contacts(bodies, pairs))];
  for (const { pair, distance, normal } of found) {
    const slope = Math.cos((placeOf(pair) + 500) / 5) / 5;
    expect(distance).toBeLessThan(0);
    // The normal of the ground, which bends by 0.02 per unit and holds boxes at their corners.
    if (pair % 2 === 0) near(normal, [-slope / Math.hypot(1, slope), 1 / Math.hypot(1, slope)], 1);
  }
  const apart = { ...bodies, positions: bodies.positions.map((value, i) => (i > 2 && i % 2 ? value + 1 : value)) };
  await tester.distances(apart, pairs);
  expect(tester.timings.tree!.partTests).toBeLessThan(200 * count);
  await tester.impacts(
    { ...apart, linearVelocities: apart.linearVelocities.map((v, i) => (i > 2 && i % 2 ? -1 : v)) },
    pairs,
    { duration: 3 },
  );
  expect(tester.timings.tree!.boxTests).toBeLessThan(400 * count);
  for (const id of ids) tester.removeShape(id);
});
