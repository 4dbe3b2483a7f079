/**
 * Properties of times of impact, for every pair of shape types: where the bodies are then and before, and what must not
 * change under a swap, a common velocity, a scale or a turn of time. Then motions that hardly meet, or meet in a way
 * that leaves much open.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createShape, impact, Status, type CpuImpact, type CpuImpactOptions } from '../../src/cpu.ts';
import type { ConvexDescription } from '../../src/api/shapes.ts';
import { toleranceOf } from '../../src/shapes/tolerances.ts';
import {
  gapAt,
  judgeImpact,
  movingPair,
  poseAt,
  type MovingBody,
  type MovingPair,
} from '../../verification/oracle/motion.ts';
import { below, createRandom } from '../../verification/families/random.ts';

const SEED = 20_261_302;
const RUNS = 25;
const ON_GRID = 60;

/**
 * Lengths on a coarse grid, which meet and coincide often, and any others, but for those below the contract's sizes.
 */
const withoutTiny = (x: number): number => (Math.abs(x) < 1e-6 ? 0 : x);
const onGrid = fc.integer({ min: -8, max: 8 }).map((n) => n / 4);
const coordinate = fc.oneof(onGrid, fc.double({ min: -2, max: 2, noNaN: true }).map(withoutTiny));
const size = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map((n) => n / 8),
  fc.double({ min: 0, max: 1, noNaN: true }).map(withoutTiny),
);
const radius = fc.oneof(fc.constant(0), size);
const vectorOf = (part: fc.Arbitrary<number>): fc.Arbitrary<number[]> => fc.tuple(part, part, part);
const vector = vectorOf(coordinate);
const quaternion = fc
  .oneof(
    fc.constantFrom([0, 0, 0, 1], [0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0]),
    fc.tuple(coordinate, coordinate, coordinate, coordinate),
  )
  .filter((q) => Math.hypot(...q) > 0.1);

const shapes = {
  sphere: fc.record({ type: fc.constant('sphere'), radius: size }),
  box: fc.record({ type: fc.constant('box'), halfExtents: fc.tuple(size, size, size), radius }),
  capsule: fc.record({ type: fc.constant('capsule'), halfHeight: size, radius: size }),
  triangle: fc.record({
    type: fc.constant('triangle'),
    points: fc.tuple(vector, vector, vector).map((points) => points.flat()),
    radius,
  }),
  hull: fc.record({
    type: fc.constant('hull'),
    points: fc.array(vector, { minLength: 1, maxLength: 12 }).map((points) => points.flat()),
    radius,
  }),
  cylinder: fc.record({ type: fc.constant('cylinder'), halfHeight: size, radius: size }),
  cone: fc.record({ type: fc.constant('cone'), halfHeight: size, radius: size }),
  ellipsoid: fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(size, size, size) }),
  halfspace: fc.record({
    type: fc.constant('halfspace'),
    normal: vector.filter((n) => Math.hypot(...n) > 0.1),
    offset: coordinate,
  }),
} satisfies Record<ConvexDescription['type'], fc.Arbitrary<ConvexDescription>>;

type ShapeType = keyof typeof shapes;

/** Lengths in quarters alone, or any. */
interface Lengths {
  length: fc.Arbitrary<number>;
  isTurning?: boolean;
}

function bodyOf(type: ShapeType, { length, isTurning = false }: Lengths): fc.Arbitrary<MovingBody> {
  const scaled = (factor: number) => vectorOf(length).map((v) => v.map((x) => factor * x));
  return fc.record({
    shape: shapes[type] as fc.Arbitrary<ConvexDescription>,
    pose: fc.record({
      position: scaled(2),
      quaternion,
      linearVelocity: scaled(4),
      angularVelocity: isTurning ? scaled(4) : fc.constant([0, 0, 0]),
    }),
  });
}

/** Two bodies; in three of four pairs B comes by A's origin, more or less, while they move. */
function pairOf(typeA: ShapeType, typeB: ShapeType, lengths: Lengths): fc.Arbitrary<MovingPair> {
  const aim = fc.record({
    isAimed: fc.integer({ min: 0, max: 3 }),
    moment: fc.constantFrom(0.25, 0.5, 1),
    miss: vectorOf(lengths.length),
  });
  return fc.tuple(bodyOf(typeA, lengths), bodyOf(typeB, lengths), aim).map(([a, b, { isAimed, moment, miss }]) => {
    if (isAimed === 0) return movingPair(a, b);
    const towards = [0, 1, 2].map(
      (k) => a.pose.linearVelocity[k] + (a.pose.position[k] - b.pose.position[k] + 0.5 * miss[k]) / moment,
    );
    return movingPair(a, { ...b, pose: { ...b.pose, linearVelocity: towards } });
  });
}

const DURATION = 1;

function ask({ cpuA, cpuB, a, b }: MovingPair, options: Partial<CpuImpactOptions> = {}): CpuImpact {
  return impact(cpuA, a.pose, cpuB, b.pose, { duration: DURATION, ...options });
}

function faults(pair: MovingPair, said: CpuImpact, margin = 0): string[] {
  return judgeImpact(pair, said, { precision: 'reference', duration: DURATION, margin }).faults;
}

/** How far a distance may be off. */
function toleranceFor({ cpuA, cpuB, size: length }: MovingPair): number {
  return toleranceOf('reference', cpuA.kind, cpuB.kind, false) * length;
}

function withPose(pair: MovingPair, change: (pose: MovingBody['pose']) => Partial<MovingBody['pose']>): MovingPair {
  const [a, b] = [pair.a, pair.b].map(({ shape, pose }) => ({ shape, pose: { ...pose, ...change(pose) } }));
  return movingPair(a, b, pair.cpuA, pair.cpuB);
}

/** All lengths times `factor`. */
function scaledBy(given: MovingPair, factor: number): MovingPair {
  return withPose(given, ({ position, linearVelocity }) => ({
    position: Array.from(position, (x) => factor * x),
    linearVelocity: Array.from(linearVelocity, (x) => factor * x),
    scale: factor,
  }));
}

const types = Object.keys(shapes) as ShapeType[];
/** Two half-spaces are no pair. */
const typePairs = types.flatMap((a, i) => types.slice(i).map((b) => ({ a, b }))).filter(({ a }) => a !== 'halfspace');

describe.each(typePairs)('$a and $b', ({ a: typeA, b: typeB }) => {
  const check = <Extra>(
    extra: fc.Arbitrary<Extra>,
    property: (pair: MovingPair, more: Extra) => void,
    isTurning = false,
  ): void => {
    fc.assert(fc.property(pairOf(typeA, typeB, { length: coordinate, isTurning }), extra, property), {
      seed: SEED,
      numRuns: RUNS,
    });
  };
  const nothing = fc.constant(undefined);

  test.each([false, true])(
    'there is always an answer: the first touch, or that there is none; turning: %s',
    (isTurning) => {
      check(
        nothing,
        (pair) => {
          const said = ask(pair);
          expect(faults(pair, said)).toEqual([]);
          expect(said.hit).toBe(said.status !== Status.Separated);
        },
        isTurning,
      );
    },
  );

  test('each algorithm and either order of the bodies give a first touch, at one time', () => {
    check(nothing, (pair) => {
      const { unclampedTime } = ask(pair);
      const swapped = movingPair(pair.b, pair.a, pair.cpuB, pair.cpuA);
      const others = [ask(pair, { algorithm: 'cast' }), ask(pair, { algorithm: 'velocity-epa' }), ask(swapped)];
      for (const said of others.slice(0, 2)) expect(faults(pair, said)).toEqual([]);
      expect(faults(swapped, others[2])).toEqual([]);
      for (const said of others) {
        if (!Number.isFinite(unclampedTime) || !Number.isFinite(said.unclampedTime)) continue;
        const [earlier, later] = [unclampedTime, said.unclampedTime].sort((p, q) => p - q);
        expect(Math.abs(gapAt(pair, earlier).distance - gapAt(pair, later).distance)).toBeLessThanOrEqual(
          2 * toleranceFor(pair),
        );
      }
    });
  });

  test('a swap turns the normal where the bodies do not touch along many', () => {
    let compared = 0;
    let turned = 0;
    check(nothing, (pair) => {
      const { hit, unclampedTime, normal } = ask(pair);
      if (!hit || unclampedTime === -Infinity) return;
      const other = ask(movingPair(pair.b, pair.a, pair.cpuB, pair.cpuA));
      if (!other.hit) return;
      compared++;
      if (Math.hypot(...[0, 1, 2].map((k) => normal[k] + other.normal[k])) < 1e-3) turned++;
    });
    expect(compared).toBeGreaterThan(3);
    expect(turned).toBeGreaterThanOrEqual(0.8 * compared);
  });

  test('a velocity that both have besides, and another place for both, change nothing but the point', () => {
    const grid = vectorOf(onGrid);
    fc.assert(
      fc.property(
        pairOf(typeA, typeB, { length: onGrid }),
        fc.record({ common: grid, step: grid }),
        (pair, { common, step }) => {
          const said = ask(pair);
          const shifted = withPose(pair, ({ position, linearVelocity }) => ({
            position: [0, 1, 2].map((k) => position[k] + 16 * step[k]),
            linearVelocity: [0, 1, 2].map((k) => linearVelocity[k] + 16 * common[k]),
          }));
          const { point, ...others } = ask(shifted);
          const { point: _, ...expected } = said;
          // On the grid all differences are exact.
          expect(others).toEqual(expected);
          if (!said.hit || !Number.isFinite(said.unclampedTime)) return;
          const { linearVelocity: ownVelocity } = pair.a.pose;
          for (let k = 0; k < 3; k++) {
            const moved = said.point[k] + 16 * (step[k] + common[k] * said.unclampedTime);
            expect(Math.abs(point[k] - moved)).toBeLessThanOrEqual(
              1e-13 * (100 + Math.abs(ownVelocity[k] + 16 * common[k]) * Math.abs(said.unclampedTime)),
            );
          }
        },
      ),
      { seed: SEED, numRuns: RUNS },
    );
  });

  test('lengths of another scale change nothing in time, to the bit where that is a power of two', () => {
    check(
      fc.record({ octaves: fc.integer({ min: -18, max: 18 }), exponent: fc.double({ min: -5, max: 5, noNaN: true }) }),
      (pair, { octaves, exponent }) => {
        const { point: _, ...expected } = ask(pair);
        const { point: __, ...found } = ask(scaledBy(pair, 2 ** octaves));
        expect(found).toEqual(expected);
        const scaled = scaledBy(pair, 10 ** exponent);
        expect(faults(scaled, ask(scaled))).toEqual([]);
      },
    );
  });

  test('time that runs twice as fast ends after half as long', () => {
    check(nothing, (pair) => {
      const { unclampedTime, normal } = ask(pair);
      const fast = withPose(pair, ({ linearVelocity }) => ({
        linearVelocity: Array.from(linearVelocity, (x) => 2 * x),
      }));
      const found = ask(fast, { duration: 0.5 * DURATION });
      expect(2 * found.unclampedTime).toBe(unclampedTime);
      expect(found.normal).toEqual(normal);
    });
  });

  test('with a margin they meet no later, and at that distance', () => {
    check(fc.oneof(size, fc.constantFrom(1e-3, 3)), (pair, margin) => {
      const without = ask(pair);
      const said = ask(pair, { margin });
      expect(faults(pair, said, margin)).toEqual([]);
      if (Number.isFinite(without.unclampedTime) && Number.isFinite(said.unclampedTime)) {
        const speed = Math.hypot(...pair.velocity);
        expect((said.unclampedTime - without.unclampedTime) * speed).toBeLessThanOrEqual(1e-3 * pair.size);
      }
      if (without.hit && gapAt(pair, without.time).distance < margin - toleranceFor(pair)) expect(said.hit).toBe(true);
    });
  });

  test('from just before the touch backwards they leave, and from within the overlap they come to where they part', () => {
    let reversed = 0;
    check(fc.double({ min: 0.01, max: 0.99, noNaN: true }), (pair, share) => {
      const said = ask(pair);
      const speed = Math.hypot(...pair.velocity);
      const t = toleranceFor(pair);
      if (!said.hit || !(said.time > 0) || speed < 1e-3) return;
      const backFrom = (time: number): MovingPair =>
        withPose(pair, (pose) => ({
          position: poseAt(pose, time).position,
          linearVelocity: Array.from(pose.linearVelocity, (x) => -x),
        }));
      const before = backFrom(said.time - (100 * t) / speed);
      if (gapAt(before, 0).distance > t) {
        reversed++;
        expect(ask(before).status).toBe(Status.Separated);
      }
      const within = said.time + share * (DURATION - said.time);
      const inside = backFrom(within);
      const depth = gapAt(inside, 0).distance;
      if (depth > -100 * t) return;
      const there = ask(inside);
      expect(faults(inside, there)).toEqual([]);
      expect(there).toMatchObject({ hit: true, time: 0 });
      if (there.unclampedTime === -Infinity) return;
      // Where they part, from the far side: they meet there when they come back.
      const beyond = within - there.unclampedTime + 1;
      const from = withPose(pair, (pose) => ({
        position: poseAt(pose, beyond).position,
        linearVelocity: Array.from(pose.linearVelocity, (x) => -x),
      }));
      const { time } = impact(from.cpuA, from.a.pose, from.cpuB, from.b.pose, { duration: 3 });
      expect(Math.abs(gapAt(pair, beyond - time).distance)).toBeLessThanOrEqual(10 * t);
      expect(Math.abs(gapAt(pair, within - there.unclampedTime).distance)).toBeLessThanOrEqual(10 * t);
    });
    if (typeB !== 'halfspace') expect(reversed).toBeGreaterThan(3);
  });
});

/** Sharp and round, flat, thin and of no size at all, in lengths of a grid. */
const gridShapes: Record<string, ConvexDescription> = {
  point: { type: 'sphere', radius: 0 },
  ball: { type: 'sphere', radius: 0.5 },
  cube: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  plate: { type: 'box', halfExtents: [1, 0, 0.5] },
  needle: { type: 'box', halfExtents: [0, 1, 0] },
  'rounded cube': { type: 'box', halfExtents: [0.25, 0.25, 0.25], radius: 0.25 },
  segment: { type: 'capsule', halfHeight: 0.5, radius: 0 },
  capsule: { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
  triangle: { type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0] },
  octahedron: { type: 'hull', points: [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1] },
  cylinder: { type: 'cylinder', halfHeight: 0.5, radius: 0.5 },
  cone: { type: 'cone', halfHeight: 0.5, radius: 0.5 },
  disc: { type: 'ellipsoid', radii: [0.5, 0, 0.5] },
};
const gridNames = Object.keys(gridShapes);
const TURNS = [
  [0, 0, 0, 1],
  [0, 0, 1, 1],
  [0.5, 0.5, 0.5, 0.5],
  [1, 0, 0, 0],
  [0, 1, 0, 1],
];

describe.each(gridNames)('a %s that moves along the axes and diagonals of a grid', (nameA) => {
  test('past faces, edges and vertices of everything else: always an answer, the right one', () => {
    const random = createRandom(SEED);
    const counts = { missed: 0, met: 0, overlapped: 0, stood: 0, open: 0 };
    let openByEpa = 0;
    const wrong: string[] = [];
    for (const nameB of gridNames) {
      for (let i = 0; i < ON_GRID; i++) {
        const at = (): number[] => [0, 1, 2].map(() => (below(random, 9) - 4) / 4);
        const position = at();
        // Backwards along the way by a number of steps, so that exact touches come at the end of it as well as in the
        // middle and at the start.
        const step = [0, 1, 2].map(() => below(random, 3) - 1);
        const steps = below(random, 4);
        const turn = (): number[] => TURNS[below(random, TURNS.length)];
        const linearVelocity = step.map((x) => 2 * x);
        const pair = movingPair(
          {
            shape: gridShapes[nameA],
            pose: { position: position.map((x, k) => x - step[k] * steps), quaternion: turn(), linearVelocity },
          },
          { shape: gridShapes[nameB], pose: { position: [0, 0, 0], quaternion: turn(), linearVelocity: [0, 0, 0] } },
        );
        for (const algorithm of ['auto', 'cast', 'velocity-epa'] as const) {
          const verdict = judgeImpact(pair, ask(pair, { algorithm }), { precision: 'reference', duration: DURATION });
          if (verdict.outcome === 'open' && algorithm === 'velocity-epa') openByEpa++;
          else counts[verdict.outcome]++;
          wrong.push(
            ...verdict.faults.map(
              (fault) =>
                `${nameA} and ${nameB}, seed ${SEED}, ${i}, ${algorithm}: ${fault}, ` +
                `${JSON.stringify([pair.a.pose, pair.b.pose.quaternion])}`,
            ),
          );
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    // What grazes the rim of a cylinder, and says so.
    expect(counts.open).toBeLessThan(ON_GRID / 15);
    expect(openByEpa).toBeLessThan((2 / 15) * ON_GRID);
    expect(counts.missed).toBeGreaterThan((5 / 3) * ON_GRID);
    expect(counts.met + counts.overlapped).toBeGreaterThan((nameA === 'point' ? 1 / 3 : 5 / 3) * ON_GRID);
  });
});

function fly(position: number[], linearVelocity: number[]) {
  return { position, quaternion: [0, 0, 0, 1], linearVelocity };
}

/** Two bodies side by side that move as one. */
function abreast(distance: number) {
  return [0, distance].map((x) => fly([1 + x, 2, 3], [3, -4, 5]));
}

describe('without relative motion', () => {
  test.each(gridNames)('a %s that overlaps its like has done so for ever, and is told a way out', (name) => {
    const shape = createShape(gridShapes[name]);
    for (const distance of [0, 0.125]) {
      const [a, b] = abreast(distance);
      const pair = movingPair({ shape: gridShapes[name], pose: a }, { shape: gridShapes[name], pose: b });
      if (gapAt(pair, 0).distance > 0) continue;
      for (const duration of [0, 1, Infinity]) {
        const { status, hit, time, unclampedTime, normal, point } = impact(shape, a, shape, b, { duration });
        expect({ status, hit, time, unclampedTime }).toEqual({
          status: Status.Overlapping,
          hit: true,
          time: 0,
          unclampedTime: -Infinity,
        });
        expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThanOrEqual(1e-12);
        expect(point.every(Number.isFinite)).toBe(true);
        const depth = 10 + Math.hypot(...point.map((x, k) => x - a.position[k]));
        const out = { ...b, position: b.position.map((x, k) => x + depth * normal[k]) };
        expect(gapAt(movingPair(pair.a, { ...pair.b, pose: out }), 0).distance).toBeGreaterThan(0);
      }
    }
  });

  test.each(gridNames)('a %s apart from its like never meets it', (name) => {
    const shape = createShape(gridShapes[name]);
    const [a, b] = abreast(5);
    for (const duration of [0, 1, Infinity]) {
      expect(impact(shape, a, shape, b, { duration })).toMatchObject({
        status: Status.Separated,
        hit: false,
        time: Infinity,
        unclampedTime: Infinity,
        normal: [0, 0, 0],
        point: [0, 0, 0],
      });
    }
  });
});

describe('bodies of no size', () => {
  const point = createShape({ type: 'sphere', radius: 0 });

  test('two points that fly at each other meet in the middle', () => {
    const found = impact(point, fly([-3, 1, 2], [2, 0, 0]), point, fly([3, 1, 2], [-1, 0, 0]), { duration: 5 });
    expect(found).toMatchObject({ status: Status.Overlapping, time: 2, normal: [1, 0, 0], point: [1, 1, 2] });
  });

  test('a point that flies past another by a millionth of the way misses it', () => {
    expect(
      impact(point, fly([-3, 1e-6, 0], [2, 0, 0]), point, fly([3, 0, 0], [-1, 0, 0]), { duration: 5 }).status,
    ).toBe(Status.Separated);
  });

  test('a point that goes through what has no thickness meets it there, or passes: they never overlap', () => {
    const thin: ConvexDescription[] = [
      { type: 'triangle', points: [-1, 0, -1, 1, 0, -1, 0, 0, 1] },
      { type: 'box', halfExtents: [1, 0, 1] },
      { type: 'capsule', halfHeight: 0, radius: 0 },
      { type: 'hull', points: [-1, 0, 0, 1, 0, 0] },
      { type: 'cylinder', halfHeight: 0, radius: 1 },
      { type: 'ellipsoid', radii: [1, 0, 1] },
    ];
    for (const shape of thin) {
      for (const algorithm of ['auto', 'cast', 'velocity-epa'] as const) {
        const found = impact(createShape(shape), fly([0, 0, 0], [0, 0, 0]), point, fly([0, 4, 0], [0, -8, 0]), {
          duration: 1,
          algorithm,
        });
        if (found.status === Status.Separated) continue;
        expect(found.time, `${shape.type} by ${algorithm}`).toBeCloseTo(0.5, 6);
        expect(Math.abs(Math.hypot(...found.normal) - 1)).toBeLessThanOrEqual(1e-12);
      }
    }
  });
});

describe('overlap at the start', () => {
  const cube = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });

  test('of bodies that part is an impact all the same, and dated by where they came in', () => {
    // B goes out at x = 1, which is 0.25 away, and came in at x = -1.
    const found = impact(cube, fly([0, 0, 0], [0, 0, 0]), cube, fly([0.75, 0.125, 0], [2, 0, 0]), { duration: 1 });
    expect(found).toMatchObject({ status: Status.Overlapping, time: 0, unclampedTime: -0.875 });
    expect(found.normal.map((x) => x + 0)).toEqual([-1, 0, 0]);
    expect(found.point[0]).toBeCloseTo(-0.5, 12);
  });

  test('of bodies that touch and part, or slide, is none', () => {
    for (const velocity of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 1, -2],
      [1e-6, 3, 0],
      [0, 0, 1e-3],
    ]) {
      for (const algorithm of ['auto', 'cast', 'velocity-epa'] as const) {
        const found = impact(cube, fly([0, 0, 0], [0, 0, 0]), cube, fly([1, 0.25, 0], velocity), {
          duration: 1,
          algorithm,
        });
        expect(found.status, `${velocity} by ${algorithm}`).toBe(Status.Separated);
      }
    }
  });

  test('of bodies that touch and close in is an impact at once', () => {
    for (const velocity of [
      [-1, 0, 0],
      [-1, 100, 0],
      [-1e-3, 0, 1],
    ]) {
      for (const algorithm of ['auto', 'cast', 'velocity-epa'] as const) {
        const { status, time, unclampedTime, normal } = impact(
          cube,
          fly([0, 0, 0], [0, 0, 0]),
          cube,
          fly([1, 0.25, 0], velocity),
          { duration: 1, algorithm },
        );
        expect({ status, time, normal }, `${velocity} by ${algorithm}`).toEqual({
          status: Status.Overlapping,
          time: 0,
          normal: [1, expect.closeTo(0, 9), expect.closeTo(0, 9)],
        });
        expect(Math.abs(unclampedTime * velocity[0])).toBeLessThan(1e-9);
      }
    }
  });
});
