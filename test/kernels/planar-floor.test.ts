/**
 * What times of impact are for in the plane: bodies that slide fast over a floor of tiles are held up by it and never
 * stopped by a tile's side, and none falls through.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { Status, type PlanarMovingBodies, type PlanarTester } from '../../src/api/types.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_307;
const TILES = 200;
const STEPS = atNight(20, 40);
const STEP = 1 / 60;
const GRAVITY = 9.81;
/** Impacts that a body may have in a step before it is left where it is. */
const MOST_IMPACTS = 8;
const NOTHING = 0xffff_ffff;

const testers: Partial<Record<'webgpu' | 'cpu', PlanarTester>> = {};

beforeAll(async () => {
  for (const backend of ['webgpu', 'cpu'] as const) testers[backend] = await createTester({ dimension: 2, backend });
});

afterAll(() => {
  for (const tester of Object.values(testers)) tester.dispose();
});

interface Slider {
  label: string;
  shape: number;
  position: number[];
  angle: number;
  velocity: number[];
  /** Radians a second, for as long as nothing meets it and after. */
  spin: number;
}

interface Floor {
  /** Tiles are that wide. */
  width: number;
  /** Height of their upper sides. */
  top: number;
}

/** What a body went through. */
interface Ride {
  impacts: number;
  /** Least share of a normal that points up. */
  leastUp: number;
  /** Lowest and highest that the body's origin was over the floor. */
  lowest: number;
  highest: number;
  /** Steps at whose end some of the way was left. */
  stuck: number;
  /** Units along x. */
  way: number;
}

/** Tiles first, at their places, then bodies that all are at rest at the origin. */
function bodiesOver({ width, top }: Floor, tile: number, count: number): PlanarMovingBodies {
  const bodies = {
    shapes: new Uint32Array(TILES + count).fill(tile, 0, TILES),
    positions: new Float32Array(2 * (TILES + count)),
    angles: new Float32Array(TILES + count),
    linearVelocities: new Float32Array(2 * (TILES + count)),
  };
  for (let i = 0; i < TILES; i++) bodies.positions.set([i * width, top - 0.5], 2 * i);
  return bodies;
}

/**
 * Pairs of a body, which reaches no farther than 0.7, with the tiles that it may meet between two places, in either
 * order of the bodies.
 */
function pairsAlong(body: number, from: number, to: number, { width }: Floor): number[] {
  const first = Math.max(0, Math.floor((Math.min(from, to) - 0.7) / width));
  const last = Math.min(TILES - 1, Math.ceil((Math.max(from, to) + 0.7) / width));
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, k) => first + k).flatMap((tile) =>
    tile % 2 === 0 ? [body, tile] : [tile, body],
  );
}

/**
 * Each body moves to its first impact, or back to it, loses its velocity along the normal and goes on with the rest of
 * the step. All of them do so in one query, which has their ways within what is left of the step as velocities and 1 as
 * the duration.
 */
async function slide(tester: PlanarTester, sliders: readonly Slider[], floor: Floor, tile: number): Promise<Ride[]> {
  const { width, top } = floor;
  const bodies = bodiesOver(floor, tile, sliders.length);
  sliders.forEach(({ shape, position, angle }, i) => {
    bodies.shapes[TILES + i] = shape;
    bodies.angles[TILES + i] = angle;
    bodies.positions.set(position, 2 * (TILES + i));
  });
  if (sliders.some(({ spin }) => spin !== 0)) bodies.angularVelocities = new Float32Array(bodies.angles.length);
  const velocities = sliders.map(({ velocity }) => velocity.slice());
  const rides = sliders.map((): Ride => ({
    impacts: 0,
    leastUp: 1,
    lowest: Infinity,
    highest: -Infinity,
    stuck: 0,
    way: 0,
  }));
  const at = (i: number): Float32Array | Float64Array =>
    bodies.positions.subarray(2 * (TILES + i), 2 * (TILES + i) + 2);
  for (let step = 0; step < STEPS; step++) {
    const left = sliders.map(() => STEP);
    velocities.forEach((velocity, i) => {
      velocity[1] -= GRAVITY * STEP;
      // To and fro.
      const ahead = at(i)[0] + velocity[0] * STEP;
      if (ahead < 5 * width || ahead > (TILES - 6) * width) velocity[0] *= -1;
    });
    for (let impact = 0; impact <= MOST_IMPACTS; impact++) {
      const pairs: number[] = [];
      velocities.forEach((velocity, i) => {
        for (let k = 0; k < 2; k++) bodies.linearVelocities[2 * (TILES + i) + k] = velocity[k] * left[i];
        if (bodies.angularVelocities) bodies.angularVelocities[TILES + i] = sliders[i].spin * left[i];
        if (left[i] > 0) pairs.push(...pairsAlong(TILES + i, at(i)[0], at(i)[0] + velocity[0] * left[i], floor));
      });
      if (pairs.length === 0) break;
      const found = await tester.impacts(bodies, Uint32Array.from(pairs), { duration: 1, results: 'earliest' });
      expect(found.statusCounts.slice(2)).toEqual([0, 0, 0]);
      for (let i = 0; i < sliders.length; i++) {
        if (left[i] === 0) continue;
        const slot = found.first![TILES + i];
        // What has sunk in by rounding goes back to where it touches.
        const share = slot === NOTHING ? 1 : Math.max(found.unclampedTime[slot], -1);
        const [velocity, ride] = [velocities[i], rides[i]];
        for (let k = 0; k < 2; k++) at(i)[k] += velocity[k] * left[i] * share;
        bodies.angles[TILES + i] += sliders[i].spin * left[i] * share;
        ride.way += Math.abs(velocity[0] * left[i] * share);
        ride.lowest = Math.min(ride.lowest, at(i)[1] - top);
        ride.highest = Math.max(ride.highest, at(i)[1] - top);
        left[i] = slot === NOTHING ? 0 : left[i] * (1 - Math.max(share, 0));
        if (slot === NOTHING) continue;
        const [x, y] = found.normal.subarray(2 * slot, 2 * slot + 2);
        const along = velocity[0] * x + velocity[1] * y;
        velocity[0] -= along * x;
        velocity[1] -= along * y;
        ride.impacts++;
        ride.leastUp = Math.min(ride.leastUp, Math.abs(y));
        if (impact === MOST_IMPACTS) {
          ride.stuck++;
          left[i] = 0;
        }
      }
    }
  }
  return rides;
}

const WEDGE = [-0.5, -0.125, 0.5, -0.125, -0.5, 0.25];
const OCTAGON = Array.from({ length: 8 }, (_, i) => [
  0.25 * Math.cos((i * Math.PI) / 4),
  0.25 * Math.sin((i * Math.PI) / 4),
]).flat();

interface Kind {
  name: string;
  shape: PlanarShapeDescription;
  /** How far it reaches below its origin. */
  below: number;
  /** How it is turned to begin with. */
  angle?: number;
  /** How fast it rolls, as a share of what its way asks for. */
  roll?: number;
}

const kinds: Kind[] = [
  { name: 'a box', shape: { type: 'rectangle', halfExtents: [0.5, 0.25] }, below: 0.25 },
  { name: 'a circle', shape: { type: 'circle', radius: 0.25 }, below: 0.25 },
  { name: 'a circle that rolls', shape: { type: 'circle', radius: 0.25 }, below: 0.25, roll: 1 },
  { name: 'a wedge', shape: { type: 'polygon', points: WEDGE }, below: 0.125 },
  { name: 'a rounded wedge', shape: { type: 'polygon', points: WEDGE, radius: 0.125 }, below: 0.25 },
  { name: 'a wedge on its tip', shape: { type: 'polygon', points: [0, -0.25, 0.25, 0.25, -0.25, 0.25] }, below: 0.25 },
  { name: 'a rounded box', shape: { type: 'rectangle', halfExtents: [0.375, 0.125], radius: 0.125 }, below: 0.25 },
  // To the rounding of its angle.
  {
    name: 'a capsule on its side',
    shape: { type: 'capsule', halfHeight: 0.25, radius: 0.25 },
    below: 0.25,
    angle: Math.PI / 2,
  },
  { name: 'a rounded segment', shape: { type: 'segment', points: [-0.25, 0, 0.25, 0], radius: 0.25 }, below: 0.25 },
  { name: 'an upright capsule', shape: { type: 'capsule', halfHeight: 0.125, radius: 0.125 }, below: 0.25 },
];

/** What lies on a side that it can slide along. */
const lying: { shape: PlanarShapeDescription; below: number; angle: number }[] = [
  { shape: { type: 'rectangle', halfExtents: [0.5, 0.25] }, below: 0.25, angle: 0 },
  { shape: { type: 'rectangle', halfExtents: [0.25, 0.5] }, below: 0.25, angle: -Math.PI / 2 },
  { shape: { type: 'rectangle', halfExtents: [0.375, 0.125], radius: 0.125 }, below: 0.25, angle: 0 },
  { shape: { type: 'capsule', halfHeight: 0.25, radius: 0.25 }, below: 0.25, angle: Math.PI / 2 },
  { shape: { type: 'segment', points: [-0.5, 0, 0.5, 0] }, below: 0, angle: 0 },
  { shape: { type: 'polygon', points: WEDGE }, below: 0.125, angle: 0 },
];

/** Widths of tiles a step. */
const SPEEDS = [0.1, 0.37, 1, 2.5, 7.25, 20, 50];

/** Sliders of a speed, which go over all tiles together. */
function slidersOf(
  { name, below, angle = 0, roll = 0 }: Kind,
  shape: number,
  speed: number,
  { width, top }: Floor,
  random: () => number,
): Slider[] {
  // With the middle over a tile's middle or edge, with the front on an edge, anywhere; lying on the floor, over it, or
  // let fall.
  const offsets = [0, 0.5, 0.5 - 0.5 / width, 0.25, uniform(random, -0.5, 0.5)];
  const heights = [0, 0, 1e-6, 1e-3, 0.01];
  const count = Math.max(5, Math.ceil((TILES - 20) / (STEPS * speed)));
  return Array.from({ length: count }, (_, i): Slider => {
    const [offset, height] = [offsets[i % 5], heights[i % 5]];
    const tile = count === 5 ? 20 : 8 + Math.floor((i * (TILES - 20)) / count);
    return {
      label: `${name} at ${speed} tiles a step from tile ${tile} and ${offset} of one, ${height} over the floor`,
      shape,
      position: [(tile + offset) * width, top + below + height],
      angle,
      velocity: [(speed * width) / STEP, 0],
      // No more than 30 radians a step.
      spin: -Math.min((roll * speed * width) / (below * STEP), 30 / STEP),
    };
  });
}

/** Makes a tile and other shapes those of a tester, the tile being 0; gives what frees them. */
function useTileAnd(tester: PlanarTester, shapes: readonly PlanarShapeDescription[], { width }: Floor): () => void {
  const ids = [
    tester.addShape({ type: 'rectangle', halfExtents: [0.5 * width, 0.5] }),
    ...shapes.map((shape) => tester.addShape(shape)),
  ];
  expect(ids).toEqual([...ids.keys()]);
  return () => ids.forEach((id) => tester.removeShape(id));
}

const known = new Map<string, Promise<{ slider: Slider; ride: Ride; kind: string }[]>>();

/** What became of all that slide over a floor, or of all that roll: they do it in the same queries. */
function ridesOver(
  tester: PlanarTester,
  floor: Floor,
  isRolling: boolean,
): Promise<{ slider: Slider; ride: Ride; kind: string }[]> {
  const key = `${tester.backend} ${floor.width} ${isRolling}`;
  const slideAll = async (): Promise<{ slider: Slider; ride: Ride; kind: string }[]> => {
    const free = useTileAnd(
      tester,
      kinds.map(({ shape }) => shape),
      floor,
    );
    const random = createRandom(SEED);
    const all = kinds.flatMap((kind, i) =>
      SPEEDS.flatMap((speed) => slidersOf(kind, 1 + i, speed, floor, random)).map((slider) => ({
        slider,
        kind: kind.name,
      })),
    );
    const chosen = all.filter(({ slider }) => (slider.spin !== 0) === isRolling);
    const rides = await slide(
      tester,
      chosen.map(({ slider }) => slider),
      floor,
      0,
    );
    free();
    return chosen.map((each, i) => ({ ...each, ride: rides[i] }));
  };
  if (!known.has(key)) known.set(key, slideAll());
  return known.get(key)!;
}

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  // In quarters all of a tile's sides are numbers of f32; at 0.3 and 7.1 they overlap each other, or leave gaps, of as
  // much as those are rounded by.
  describe.each([
    { width: 1, top: 0 },
    { width: 0.3, top: 7.1 },
  ])('tiles of $width, their tops at $top', (floor) => {
    // Software adapters take long for the kernel of bodies that turn, which other files compare with the reference.
    test.each(kinds.filter(({ roll }) => backend === 'cpu' || !roll))(
      '$name goes over 200 of them, and is never stopped by a side nor falls through',
      async ({ name, below, roll }) => {
        const all = await ridesOver(testers[backend]!, floor, roll !== undefined);
        const own = all.filter(({ kind }) => kind === name);
        expect(own.length).toBeGreaterThan(80);
        for (const {
          slider: { label, velocity },
          ride: { impacts, leastUp, lowest, highest, stuck, way },
        } of own) {
          expect(leastUp, `${label}: a sideways normal`).toBeGreaterThan(0.9999);
          expect(lowest, `${label}: falls`).toBeGreaterThan(below - 2e-5 * Math.max(1, floor.top));
          expect(highest, `${label}: is thrown up`).toBeLessThan(below + 0.0101);
          expect(stuck, `${label}: is stuck`).toBe(0);
          // Nothing takes from the speed along the floor; what they go back by is counted, too.
          expect(way / (STEPS * STEP * velocity[0]), `${label}: is held up`).toBeCloseTo(1, 2);
          expect(impacts, `${label}: flies`).toBeGreaterThan(STEPS / 4);
        }
      },
    );
  });

  test.each([
    { width: 1, top: 0 },
    { width: 0.3, top: 7.1 },
  ])(
    'tiles of $width, their tops at $top, hold up what is turned by as little as can be told, and sinks as slowly',
    async (floor) => {
      const tester = testers[backend]!;
      const { width, top } = floor;
      const free = useTileAnd(
        tester,
        lying.map(({ shape }) => shape),
        floor,
      );
      const random = createRandom(SEED);
      const count = 3000;
      const bodies = bodiesOver(floor, 0, count);
      const pairs: number[] = [];
      // Down to which the rounding of a body's place and angle may have put it, and what bodies may overlap by.
      const least = -1e-5 * Math.max(1, top);
      for (let i = 0; i < count; i++) {
        const body = TILES + i;
        const { below, angle } = lying[i % lying.length];
        const tilt = 10 ** uniform(random, -8, -5.5) * (random() < 0.5 ? -1 : 1);
        bodies.shapes[body] = 1 + (i % lying.length);
        bodies.angles[body] = angle + tilt;
        bodies.positions.set(
          [uniform(random, 60, 140) * width, top + below + 0.5 * Math.abs(tilt) + (i % 3) * 1e-7],
          2 * body,
        );
        const speed = uniform(random, -50, 50) * width;
        // Along its own side, or as little into the floor.
        bodies.linearVelocities.set(
          [speed, i % 2 === 0 ? tilt * speed : -Math.abs(speed) * 10 ** uniform(random, -8, -5.5)],
          2 * body,
        );
        const x = bodies.positions[2 * body];
        pairs.push(...pairsAlong(body, x, x + speed, floor));
      }
      const found = await tester.impacts(bodies, Uint32Array.from(pairs), { duration: 1, results: 'earliest' });
      free();
      expect(found.statusCounts.slice(2)).toEqual([0, 0, 0]);
      let met = 0;
      for (let i = 0; i < count; i++) {
        const body = TILES + i;
        const [slot, place] = [
          found.first![body],
          `body ${i}, turned by ${bodies.angles[body]}, at ${bodies.positions.subarray(2 * body, 2 * body + 2)}`,
        ];
        const isMet = slot !== NOTHING;
        const sunk = bodies.linearVelocities[2 * body + 1] * (isMet ? found.time[slot] : 1);
        expect(sunk, `${place}: sinks`).toBeGreaterThan(least);
        if (!isMet) continue;
        met++;
        expect(Math.abs(found.normal[2 * slot + 1]), `${place}: a sideways normal`).toBeGreaterThan(0.9999);
      }
      expect(met).toBeGreaterThan(0.1 * count);
      expect(met).toBeLessThan(0.9 * count);
    },
  );

  test('a wall at the end of the floor does stop them, with a sideways normal', async () => {
    const tester = testers[backend]!;
    // With shapes that nobody has, for the kernel of those that slide.
    const free = useTileAnd(
      tester,
      [{ type: 'rectangle', halfExtents: [0.25, 0.25] }, ...kinds.map(({ shape }) => shape)],
      { width: 1, top: 0 },
    );
    const bodies: PlanarMovingBodies = {
      shapes: Uint32Array.of(0, 0, 0, 0, 0, 1),
      positions: Float32Array.of(0, -0.5, 1, -0.5, 2, -0.5, 3, -0.5, 4, 0.5, 0, 0.25),
      angles: new Float32Array(6),
      linearVelocities: Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0),
    };
    const found = await tester.impacts(bodies, Uint32Array.of(5, 0, 5, 1, 5, 2, 5, 3, 5, 4), {
      duration: 1,
      results: 'earliest',
    });
    free();
    const slot = found.first![5];
    expect(found.pair[slot]).toBe(4);
    expect(found.time[slot]).toBeCloseTo(0.325, 5);
    expect(Array.from(found.normal.subarray(2 * slot, 2 * slot + 2))).toEqual([
      expect.closeTo(1, 5),
      expect.closeTo(0, 5),
    ]);
  });
});

/** Corners, from which a body's lowest point can be told however it is turned, and what is around each. */
const tumbling: { name: string; shape: PlanarShapeDescription; corners: number[]; radius: number }[] = [
  {
    name: 'boxes',
    shape: { type: 'rectangle', halfExtents: [0.5, 0.25] },
    corners: [-0.5, -0.25, 0.5, -0.25, 0.5, 0.25, -0.5, 0.25],
    radius: 0,
  },
  { name: 'wedges', shape: { type: 'polygon', points: WEDGE }, corners: WEDGE, radius: 0 },
  {
    name: 'rounded octagons',
    shape: { type: 'polygon', points: OCTAGON, radius: 0.125 },
    corners: OCTAGON,
    radius: 0.125,
  },
  {
    name: 'capsules',
    shape: { type: 'capsule', halfHeight: 0.25, radius: 0.125 },
    corners: [0, -0.25, 0, 0.25],
    radius: 0.125,
  },
];

test.each(tumbling)(
  '$name that tumble on to the floor at up to 50 tiles a step meet it from above, where they come to it',
  async ({ shape, corners, radius }) => {
    const tester = testers.cpu!;
    const floor = { width: 1, top: 0 };
    const free = useTileAnd(tester, [shape], floor);
    const random = createRandom(SEED);
    const count = 60;
    const bodies = { ...bodiesOver(floor, 0, count), angularVelocities: new Float32Array(TILES + count) };
    const depthBelow = (angle: number): number =>
      radius -
      Math.min(
        ...Array.from(
          { length: corners.length / 2 },
          (_, k) => Math.sin(angle) * corners[2 * k] + Math.cos(angle) * corners[2 * k + 1],
        ),
      );
    const pairs: number[] = [];
    for (let i = 0; i < count; i++) {
      const [body, angle] = [TILES + i, Math.fround(uniform(random, -3, 3))];
      bodies.shapes[body] = 1;
      bodies.angles[body] = angle;
      bodies.positions.set([uniform(random, 80, 120), depthBelow(angle) + uniform(random, 0, 0.5)], 2 * body);
      bodies.linearVelocities.set([uniform(random, -1, 1) * SPEEDS[i % SPEEDS.length], -1 - random()], 2 * body);
      bodies.angularVelocities[body] = uniform(random, -3, 3);
      const x = bodies.positions[2 * body];
      pairs.push(...pairsAlong(body, x, x + bodies.linearVelocities[2 * body], floor));
    }
    const found = await tester.impacts(bodies, Uint32Array.from(pairs), { duration: 1, results: 'earliest' });
    free();
    expect(found.statusCounts.slice(2)).toEqual([0, 0, 0]);
    let met = 0;
    for (let i = 0; i < count; i++) {
      const body = TILES + i;
      const slot = found.first![body];
      const time = slot === NOTHING ? 1 : found.time[slot];
      const heightAt = (t: number): number =>
        bodies.positions[2 * body + 1] +
        t * bodies.linearVelocities[2 * body + 1] -
        depthBelow(bodies.angles[body] + t * bodies.angularVelocities[body]);
      // Until then nothing is below the floor.
      for (let t = 0; t < 1; t += 1 / 64) expect(heightAt(t * time), `body ${i}`).toBeGreaterThan(-1e-4);
      if (slot === NOTHING) continue;
      met++;
      expect(found.status[slot]).toBe(Status.Overlapping);
      expect(Math.abs(heightAt(time)), `body ${i} at ${time}`).toBeLessThan(1e-4);
      expect(Math.abs(found.normal[2 * slot + 1]), `body ${i} at ${time}: a sideways normal`).toBeGreaterThan(0.999);
    }
    expect(met).toBeGreaterThan(0.9 * count);
  },
);
