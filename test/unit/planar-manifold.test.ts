/**
 * Points of manifolds in the plane, by hand: where they are, what they are named, and that neither changes with a
 * tremble.
 */

import { describe, expect, test } from 'vitest';
import { planar } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';

interface Body {
  shape: PlanarShapeDescription;
  position: readonly [number, number];
  angle?: number;
}

interface Expected {
  /** x, y on A's surface. */
  at: readonly [number, number];
  distance: number;
  name: number;
}

/** A corner of A, and of B. Of a rectangle bit 0 is set where x is positive and bit 1 where y is. */
const ofA = (corner: number): number => 0x4000_0000 + corner;
const ofB = (corner: number): number => 0x6000_0000 + corner;

const UNIT_BOX: PlanarShapeDescription = { type: 'rectangle', halfExtents: [0.5, 0.5] };
/** Its top is at 0. */
const FLOOR: Body = { shape: { type: 'rectangle', halfExtents: [5, 1] }, position: [0, -1] };

function manifold(a: Body, b: Body, margin = 0.01): planar.CpuPlanarManifold {
  const { shape: shapeA, ...poseA } = a;
  const { shape: shapeB, ...poseB } = b;
  return planar.manifold(
    planar.createShape(shapeA),
    { angle: 0, ...poseA },
    planar.createShape(shapeB),
    { angle: 0, ...poseB },
    { margin },
  );
}

function names({ points }: planar.CpuPlanarManifold): number[] {
  return points.map(({ feature }) => feature).sort((a, b) => a - b);
}

/** In any order, as ties have none. */
function expectPoints({ points }: planar.CpuPlanarManifold, expected: readonly Expected[], digits = 9): void {
  const byName = [...points].sort((a, b) => a.feature - b.feature);
  expect(byName.map(({ feature }) => feature.toString(16))).toEqual(expected.map(({ name }) => name.toString(16)));
  byName.forEach(({ position, distance }, i) => {
    expect(position[0]).toBeCloseTo(expected[i].at[0], digits);
    expect(position[1]).toBeCloseTo(expected[i].at[1], digits);
    expect(distance).toBeCloseTo(expected[i].distance, digits);
  });
}

const SQRT_HALF = Math.SQRT1_2;

/** What is over the floor, 1e-3 deep or, with a corner down, 1e-2. */
const cases: { name: string; a: Body; b: Body; expected: Expected[]; margin?: number }[] = [
  {
    name: 'a corner on an edge is one point, named by the corner',
    a: FLOOR,
    b: { shape: UNIT_BOX, position: [0.2, SQRT_HALF - 0.01], angle: Math.PI / 4 },
    expected: [{ at: [0.2, 0], distance: -0.01, name: ofB(0) }],
  },
  {
    name: 'the same with the corner on A is on the corner',
    a: { shape: UNIT_BOX, position: [0.2, SQRT_HALF - 0.01], angle: Math.PI / 4 },
    b: FLOOR,
    expected: [{ at: [0.2, -0.01], distance: -0.01, name: ofA(0) }],
  },
  {
    name: 'an edge on a longer one is two points, at its corners',
    a: FLOOR,
    b: { shape: UNIT_BOX, position: [0.2, 0.499] },
    expected: [
      { at: [-0.3, 0], distance: -1e-3, name: ofB(0) },
      { at: [0.7, 0], distance: -1e-3, name: ofB(1) },
    ],
  },
  {
    name: 'an edge that reaches beyond the end of another is a corner of each',
    a: { shape: UNIT_BOX, position: [0, 0] },
    b: { shape: UNIT_BOX, position: [0.4, 0.999] },
    expected: [
      { at: [0.5, 0.5], distance: -1e-3, name: ofA(3) },
      { at: [-0.1, 0.5], distance: -1e-3, name: ofB(0) },
    ],
  },
  {
    name: "edges of one length on each other are A's corners",
    a: { shape: UNIT_BOX, position: [0, 0] },
    b: { shape: UNIT_BOX, position: [0, 1.001] },
    expected: [
      { at: [-0.5, 0.5], distance: 1e-3, name: ofA(2) },
      { at: [0.5, 0.5], distance: 1e-3, name: ofA(3) },
    ],
  },
  {
    name: 'of a tilted edge the end that is within the margin is there',
    a: FLOOR,
    b: { shape: UNIT_BOX, position: [0, 0.5], angle: 0.03 },
    // The lowest corner is at (-cos + sin, 1 - sin - cos) / 2.
    expected: [
      {
        at: [(Math.sin(0.03) - Math.cos(0.03)) / 2, 0],
        distance: (1 - Math.sin(0.03) - Math.cos(0.03)) / 2,
        name: ofB(0),
      },
    ],
  },
  {
    name: 'of a tilted edge both ends are there with a wider one',
    a: FLOOR,
    b: { shape: UNIT_BOX, position: [0, 0.5], angle: 0.03 },
    margin: 0.05,
    expected: [
      {
        at: [(Math.sin(0.03) - Math.cos(0.03)) / 2, 0],
        distance: (1 - Math.sin(0.03) - Math.cos(0.03)) / 2,
        name: ofB(0),
      },
      {
        at: [(Math.sin(0.03) + Math.cos(0.03)) / 2, 0],
        distance: (1 + Math.sin(0.03) - Math.cos(0.03)) / 2,
        name: ofB(1),
      },
    ],
  },
  {
    name: 'two circles touch in one point',
    a: { shape: { type: 'circle', radius: 0.5 }, position: [1, 1] },
    b: { shape: { type: 'circle', radius: 0.25 }, position: [1.44, 1.58] },
    expected: [
      { at: [1 + 0.5 * (0.44 / 0.728011), 1 + 0.5 * (0.58 / 0.728011)], distance: 0.728011 - 0.75, name: ofA(0) },
    ],
  },
  {
    name: "a circle on a segment touches it in one point, the circle's",
    a: { shape: { type: 'segment', points: [-1, 0, 1, 0] }, position: [0, 0] },
    b: { shape: { type: 'circle', radius: 0.5 }, position: [0.3, 0.495] },
    expected: [{ at: [0.3, 0], distance: -0.005, name: ofB(0) }],
  },
  {
    name: 'capsules beside each other touch along both sides',
    a: { shape: { type: 'capsule', halfHeight: 1, radius: 0.25 }, position: [0, 0] },
    b: { shape: { type: 'capsule', halfHeight: 0.5, radius: 0.5 }, position: [0.745, 0.2] },
    expected: [
      { at: [0.25, -0.3], distance: -0.005, name: ofB(0) },
      { at: [0.25, 0.7], distance: -0.005, name: ofB(1) },
    ],
  },
  {
    name: 'a capsule that stands on the side of another touches it in one point',
    a: { shape: { type: 'capsule', halfHeight: 1, radius: 0.25 }, position: [0, 0] },
    b: { shape: { type: 'capsule', halfHeight: 0.5, radius: 0.5 }, position: [1.245, 0.2], angle: Math.PI / 2 },
    expected: [{ at: [0.25, 0.2], distance: -0.005, name: ofB(1) }],
  },
  {
    name: 'capsules whose ends meet touch in one point',
    a: { shape: { type: 'capsule', halfHeight: 1, radius: 0.25 }, position: [0, 0] },
    b: { shape: { type: 'capsule', halfHeight: 0.5, radius: 0.5 }, position: [0.3, 1.9] },
    expected: [{ at: [0.15, 1.2], distance: -0.25, name: ofA(1) }],
  },
  {
    name: 'a rounded box lies on the flat part of its side',
    a: FLOOR,
    b: { shape: { type: 'rectangle', halfExtents: [0.4, 0.2], radius: 0.1 }, position: [0, 0.299] },
    expected: [
      { at: [-0.4, 0], distance: -1e-3, name: ofB(0) },
      { at: [0.4, 0], distance: -1e-3, name: ofB(1) },
    ],
  },
];

test.each(cases)('$name', ({ a, b, margin, expected }) => {
  // Figures of the two circles have six digits.
  expectPoints(manifold(a, b, margin), expected, a.shape.type === 'circle' ? 5 : 9);
});

/** Fills a notch with a right angle, from its bottom at (0, 0) up to 1, if its tip is at 0. */
function wedge(height: number, angle = 0): Body {
  return { shape: { type: 'polygon', points: [0, 0, 1, 1, -1, 1] }, position: [0, height], angle };
}

describe('three touching places of a wedge in a notch', () => {
  /** Both sides of the notch, and a floor below it. */
  const left: Body = { shape: { type: 'polygon', points: [0, 0, -2, 2, -2, 0] }, position: [0, 0] };
  const right: Body = { shape: { type: 'polygon', points: [0, 0, 2, 0, 2, 2] }, position: [0, 0] };
  const floor: Body = { shape: { type: 'rectangle', halfExtents: [1, 0.5] }, position: [0, -0.5] };
  const gap = 1e-3 * SQRT_HALF;

  test('are two points on either side and the tip on the floor', () => {
    const onLeft = manifold(left, wedge(1e-3));
    expect(onLeft.normal[0]).toBeCloseTo(SQRT_HALF, 12);
    expect(onLeft.normal[1]).toBeCloseTo(SQRT_HALF, 12);
    // The tip comes to the side a little up from its lower end, which is near enough to name it.
    expectPoints(onLeft, [
      { at: [-5e-4, 5e-4], distance: gap, name: ofA(0) },
      { at: [-1.0005, 1.0005], distance: gap, name: ofB(2) },
    ]);
    const onRight = manifold(right, wedge(1e-3));
    expectPoints(onRight, [
      { at: [5e-4, 5e-4], distance: gap, name: ofA(0) },
      { at: [1.0005, 1.0005], distance: gap, name: ofB(1) },
    ]);
    expectPoints(manifold(floor, wedge(1e-3)), [{ at: [0, 0], distance: 1e-3, name: ofB(0) }]);
  });

  test.each([1e-7, 1e-6, 1e-5, 1e-4])('keep their names where the wedge is turned by %d', (turn) => {
    for (const angle of [-turn, turn]) {
      expect(names(manifold(left, wedge(1e-3, angle)))).toEqual([ofA(0), ofB(2)]);
      expect(names(manifold(right, wedge(1e-3, angle)))).toEqual([ofA(0), ofB(1)]);
      expect(names(manifold(floor, wedge(1e-3, angle)))).toEqual([ofB(0)]);
    }
  });
});

/** What rests on what along two edges, and what its points are named. */
const resting: { name: string; a: Body; b: Body; expected: number[]; swapped: number[] }[] = [
  {
    name: 'a box on a floor',
    a: FLOOR,
    b: { shape: UNIT_BOX, position: [0.2, 0.4999] },
    expected: [ofB(0), ofB(1)],
    swapped: [ofA(0), ofA(1)],
  },
  {
    name: 'a box on one of its size',
    a: { shape: UNIT_BOX, position: [0, 0] },
    b: { shape: UNIT_BOX, position: [0, 0.9999] },
    expected: [ofA(2), ofA(3)],
    swapped: [ofA(0), ofA(1)],
  },
  ...[1 / 16, 0.05, 0.1, 0.125, 0.2, 0.25, 0.5].map((aside) => ({
    name: `a box on one of its size, aside by ${aside} of it`,
    a: { shape: UNIT_BOX, position: [0, 0] as const },
    b: { shape: UNIT_BOX, position: [aside, 0.9999] as const },
    expected: aside < 0.054 ? [ofA(2), ofA(3)] : [ofA(3), ofB(0)],
    swapped: aside < 0.054 ? [ofA(0), ofA(1)] : [ofA(0), ofB(3)],
  })),
  {
    name: 'a rounded box on a floor',
    a: FLOOR,
    b: { shape: { type: 'rectangle', halfExtents: [0.4, 0.4], radius: 0.1 }, position: [0.2, 0.4999] },
    expected: [ofB(0), ofB(1)],
    swapped: [ofA(0), ofA(1)],
  },
  {
    name: 'a capsule along a floor',
    a: FLOOR,
    b: { shape: { type: 'capsule', halfHeight: 0.5, radius: 0.25 }, position: [0.2, 0.2499], angle: Math.PI / 2 },
    expected: [ofB(0), ofB(1)],
    swapped: [ofA(0), ofA(1)],
  },
  {
    name: 'a capsule along another',
    a: { shape: { type: 'capsule', halfHeight: 0.7, radius: 0.25 }, position: [0, 0], angle: Math.PI / 2 },
    b: { shape: { type: 'capsule', halfHeight: 0.5, radius: 0.25 }, position: [0, 0.4999], angle: Math.PI / 2 },
    expected: [ofB(0), ofB(1)],
    swapped: [ofA(0), ofA(1)],
  },
  {
    name: 'the broad side of a wedge on a floor',
    a: FLOOR,
    b: { shape: { type: 'polygon', points: [-0.5, -0.25, 0.5, -0.25, 0, 0.5] }, position: [0, 0.2499] },
    expected: [ofB(0), ofB(1)],
    swapped: [ofA(0), ofA(1)],
  },
];

describe.each(resting)('$name', ({ a, b, expected, swapped }) => {
  const around = b.angle ?? 0;

  test.each([0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3])('has two points of the same names, tilted and moved by %d', (little) => {
    for (const tilt of [-little, little]) {
      for (const [x, y] of [
        [0, 0],
        [little, little],
        [-little, -little],
      ]) {
        const moved: Body = { ...b, position: [b.position[0] + x, b.position[1] + y], angle: around + tilt };
        const label = `tilted by ${tilt}, moved by ${x}`;
        expect(names(manifold(a, moved)), label).toEqual(expected);
        expect(names(manifold(moved, a)), label).toEqual(swapped);
      }
    }
  });

  test.each([0, 1e-5, 1e-3])('has the same points with A and B swapped, tilted by %d', (tilt) => {
    const tilted: Body = { ...b, angle: around + tilt };
    const [one, other] = [manifold(a, tilted), manifold(tilted, a)];
    for (let k = 0; k < 2; k++) expect(one.normal[k]).toBeCloseTo(-other.normal[k], 2);
    const places = one.points.map(({ position, distance }) => position.map((x, k) => x + distance * one.normal[k]));
    for (const { position, distance } of other.points) {
      const nearest = Math.min(...places.map((place) => Math.hypot(place[0] - position[0], place[1] - position[1])));
      expect(nearest).toBeLessThan(1e-6 + 2 * tilt);
      expect(Math.min(...one.points.map((point) => Math.abs(point.distance - distance)))).toBeLessThan(
        1e-6 + tilt * 0.1,
      );
    }
  });
});

describe('what is round', () => {
  test('has one name as it rolls over edges and corners', () => {
    const found = new Set<string>();
    for (let i = 0; i <= 400; i++) {
      const along = -0.5 + i / 200;
      // Along the top, then around the right corner.
      const place: [number, number] =
        along < 0.5 ? [along, 0.749] : [0.5 + 0.249 * Math.sin(along - 0.5), 0.5 + 0.249 * Math.cos(along - 0.5)];
      const { points } = manifold(
        { shape: UNIT_BOX, position: [0, 0] },
        { shape: { type: 'circle', radius: 0.25 }, position: place },
      );
      expect(points.length).toBe(1);
      for (const { feature } of points) found.add(feature.toString(16));
    }
    expect([...found]).toEqual([ofB(0).toString(16)]);
  });

  test.each([
    ['a rounded box', { type: 'rectangle', halfExtents: [0.4, 0.4], radius: 0.1 }, 0.5, 0],
    ['a capsule', { type: 'capsule', halfHeight: 0.4, radius: 0.25 }, 0.25, Math.PI / 2],
  ] as [string, PlanarShapeDescription, number, number][])(
    '%s that tips over a corner of its own keeps the name of the point that it tips over',
    (_name, shape, height, angle) => {
      for (let tilt = 0; tilt < 0.4; tilt += 1e-3) {
        // Turned to the left, it rests on its left corner: so far up is its middle.
        const up = height < 0.3 ? 0.25 + 0.4 * Math.sin(tilt) : 0.1 + 0.4 * (Math.sin(tilt) + Math.cos(tilt));
        const { points } = manifold(FLOOR, { shape, position: [0, up - 1e-4], angle: angle + tilt });
        expect(points[0].distance, `${tilt}`).toBeCloseTo(-1e-4, 9);
        // A capsule's upper end is the left one where it lies.
        expect(names({ points } as planar.CpuPlanarManifold), `${tilt}`).toContain(height < 0.3 ? ofB(1) : ofB(0));
      }
    },
  );
});

test('contactDistance is what contacts gives, hit or not', async () => {
  const tester = await createTester({ dimension: 2, backend: 'cpu' });
  const box = tester.addShape({ type: 'rectangle', halfExtents: [0.5, 0.3] });
  const bodies = {
    shapes: Uint32Array.of(box, box, box),
    positions: Float32Array.of(0, 0, 0.1, 0.59, 4, 5),
    angles: Float32Array.of(0, 0.1, 0.2),
  };
  const pairs = Uint32Array.of(0, 1, 0, 2);
  const contacts = await tester.contacts(bodies, pairs);
  const manifolds = await tester.manifolds(bodies, pairs);
  expect(manifolds.contactDistance).toEqual(contacts.distance);
  expect([...manifolds].map(({ contactDistance }) => contactDistance)).toEqual([...contacts.distance]);
  expect(Math.sign(contacts.distance[0])).toBe(-1);
  expect(Math.sign(contacts.distance[1])).toBe(1);
  tester.dispose();
});
