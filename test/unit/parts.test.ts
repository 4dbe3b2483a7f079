/**
 * Compounds against brute force: the reference's answers for all pairs of convex parts, whose poses are computed here by
 * matrices.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConvexDescription, PartDescription, ShapeDescription } from '../../src/api/shapes.ts';
import { contact, createShape, distance, impact, type CpuPose } from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import type { Tester } from '../../src/api/types.ts';
import { createRandom, uniform, type Random } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 7;
const SHAPES = 16;
const BODIES = 120;
const PAIRS = atNight(240, 600);

function vector(random: Random, size: number): [number, number, number] {
  return [0, 1, 2].map(() => Math.fround(uniform(random, -size, size))) as [number, number, number];
}

const makers: ((random: Random) => ConvexDescription)[] = [
  (random) => ({ type: 'sphere', radius: Math.fround(uniform(random, 0.1, 0.5)) }),
  (random) => ({ type: 'box', halfExtents: vector(random, 0.5).map(Math.abs), radius: Math.fround(random() * 0.1) }),
  (random) => ({ type: 'capsule', halfHeight: Math.fround(uniform(random, 0.1, 0.6)), radius: 0.125 }),
  (random) => ({ type: 'hull', points: Array.from({ length: 8 }, () => vector(random, 0.5)).flat() }),
  (random) => ({ type: 'triangle', points: Array.from({ length: 3 }, () => vector(random, 0.5)).flat() }),
  (random) => ({ type: 'cylinder', halfHeight: Math.fround(uniform(random, 0.1, 0.5)), radius: 0.25 }),
];

function partOf(random: Random, i: number): PartDescription {
  return {
    shape: makers[i % makers.length](random),
    position: vector(random, 1),
    quaternion: [...vector(random, 1), 0.5],
    scale: Math.fround(uniform(random, 0.5, 1.5)),
  };
}

function makeScene(seed: number) {
  const random = createRandom(seed);
  const shapes = Array.from({ length: SHAPES }, (_, i): ShapeDescription => {
    if (i < makers.length) return makers[i](random);
    return { type: 'compound', parts: Array.from({ length: 1 + (i % 5) }, (_each, k) => partOf(random, i + k)) };
  });
  const bodies = {
    shapes: Uint32Array.from({ length: BODIES }, () => Math.floor(random() * SHAPES)),
    positions: Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -0.9, 0.9)),
    quaternions: Float32Array.from({ length: 4 * BODIES }, () => uniform(random, -1, 1)),
    scales: Float32Array.from({ length: BODIES }, () => uniform(random, 0.5, 1.5)),
    linearVelocities: Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -2, 2)),
  };
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, () => Math.floor(random() * BODIES));
  return { shapes, bodies, pairs };
}

/** The convex parts of a body. */
type Parts = { shape: ReturnType<typeof createShape>; pose: CpuPose }[];

function partsOf(scene: ReturnType<typeof makeScene>, body: number): Parts {
  const { positions, quaternions } = scene.bodies;
  const quaternion = Array.from(quaternions.subarray(4 * body, 4 * body + 4));
  const length = Math.hypot(...quaternion);
  return partsAt(
    scene,
    body,
    Array.from(positions.subarray(3 * body, 3 * body + 3)),
    quaternion.map((x) => x / length),
  );
}

/** `turn` is a unit quaternion. */
function partsAt({ shapes, bodies }: ReturnType<typeof makeScene>, body: number, position: number[], turn: number[]) {
  const description = shapes[bodies.shapes[body]];
  const scale = bodies.scales[body];
  if (description.type !== 'compound')
    return [{ shape: createShape(description), pose: { position, quaternion: turn, scale } }];
  return description.parts.map((part) => {
    const offset = rotated(
      turn,
      Array.from(part.position!).map((x) => x * scale),
    );
    return {
      shape: createShape(part.shape),
      pose: {
        position: offset.map((x, k) => x + position[k]),
        quaternion: product(turn, Array.from(part.quaternion!, Math.fround)),
        scale: scale * part.scale!,
      },
    };
  });
}

/** The image of a vector under the rotation matrix of a unit quaternion. */
function rotated([x, y, z, w]: number[], [a, b, c]: number[]): number[] {
  return [
    (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
    2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
    2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c,
  ];
}

function product([x, y, z, w]: number[], [a, b, c, d]: number[]): number[] {
  return [
    w * a + x * d + y * c - z * b,
    w * b - x * c + y * d + z * a,
    w * c + x * b - y * a + z * d,
    w * d - x * a - y * b - z * c,
  ];
}

describe('compounds on the CPU backend', () => {
  const scene = makeScene(SEED);
  const { bodies, pairs } = scene;
  const parts = Array.from({ length: BODIES }, (_, body) => partsOf(scene, body));
  let tester: Tester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'cpu', threads: 1 });
    for (const shape of scene.shapes) tester.addShape(shape);
  });
  afterAll(() => tester.dispose());

  /** Two bodies are within about 8 units of each other, and results are f32. */
  const TOLERANCE = 4e-6;

  /** The answers for all pairs of parts of a pair. */
  function answersOf<Answer>(pair: number, ask: (a: Parts[0], b: Parts[0]) => Answer) {
    return parts[pairs[2 * pair]].flatMap((a, partA) =>
      parts[pairs[2 * pair + 1]].map((b, partB) => ({ partA, partB, ...ask(a, b) })),
    );
  }

  const isPart = (pair: number): boolean =>
    [pairs[2 * pair], pairs[2 * pair + 1]].some((body) => scene.shapes[bodies.shapes[body]].type === 'compound');

  test('the gap is that of the nearest parts', async () => {
    const found = await tester.distances(bodies, pairs);
    let apart = 0;
    for (let pair = 0; pair < PAIRS; pair++) {
      const least = Math.min(
        ...answersOf(pair, (a, b) => distance(a.shape, a.pose, b.shape, b.pose)).map((x) => x.distance),
      );
      expect(Math.abs(found.distance[pair] - least), `pair ${pair}, seed ${SEED}`).toBeLessThan(TOLERANCE);
      if (!(least > 0) || !isPart(pair)) continue;
      apart++;
      const [x, y, z] = [0, 1, 2].map((k) => found.pointB[3 * pair + k] - found.pointA[3 * pair + k]);
      expect(Math.abs(Math.hypot(x, y, z) - least)).toBeLessThan(TOLERANCE);
      const along = x * found.normal[3 * pair] + y * found.normal[3 * pair + 1] + z * found.normal[3 * pair + 2];
      expect(Math.abs(along - least)).toBeLessThan(TOLERANCE);
    }
    expect(apart).toBeGreaterThan(PAIRS / 6);
  });

  test('a contact is that of the deepest parts', async () => {
    const found = await tester.contacts(bodies, pairs, { margin: Infinity, fields: ['distance', 'partA', 'partB'] });
    let overlapping = 0;
    for (let pair = 0; pair < PAIRS; pair++) {
      const answers = answersOf(pair, (a, b) => contact(a.shape, a.pose, b.shape, b.pose, { margin: Infinity }));
      const least = Math.min(...answers.map((answer) => answer.distance));
      expect(Math.abs(found.distance[pair] - least), `pair ${pair}, seed ${SEED}`).toBeLessThan(TOLERANCE);
      const chosen = answers.find(({ partA, partB }) => partA === found.partA[pair] && partB === found.partB[pair])!;
      expect(chosen.distance - least).toBeLessThan(TOLERANCE);
      if (least < 0 && isPart(pair)) overlapping++;
    }
    expect(overlapping).toBeGreaterThan(PAIRS / 6);
  });

  test('a pair is a hit if any of its parts are, up to the margin', async () => {
    for (const margin of [0, 0.25]) {
      const found = await tester.intersects(bodies, pairs, { margin });
      for (let pair = 0; pair < PAIRS; pair++) {
        const least = Math.min(
          ...answersOf(pair, (a, b) => distance(a.shape, a.pose, b.shape, b.pose)).map((x) => x.distance),
        );
        if (Math.abs(least - margin) < TOLERANCE) continue;
        expect(found.hit[pair], `pair ${pair}, margin ${margin}, seed ${SEED}`).toBe(least < margin ? 1 : 0);
        expect(found.status[pair]).toBe(least > 0 ? 0 : 1);
      }
    }
  });

  test('beyond the margin the distance is a positive lower bound', async () => {
    const found = await tester.contacts(bodies, pairs);
    for (let pair = 0; pair < PAIRS; pair++) {
      if (found.distance[pair] <= 0 || !isPart(pair)) continue;
      const least = Math.min(
        ...answersOf(pair, (a, b) => distance(a.shape, a.pose, b.shape, b.pose)).map((x) => x.distance),
      );
      expect(found.distance[pair]).toBeLessThanOrEqual(least + TOLERANCE);
    }
  });

  test("parts: 'all' lists each pair of parts that hits, in ascending order", async () => {
    const found = await tester.contacts(bodies, pairs, { parts: 'all', margin: 0.25 });
    const listed = Array.from(found, ({ pair, partA, partB }) => `${pair} ${partA} ${partB}`);
    const all: string[] = [];
    const onVerge = new Set<string>();
    for (let pair = 0; pair < PAIRS; pair++) {
      for (const answer of answersOf(pair, (a, b) => contact(a.shape, a.pose, b.shape, b.pose, { margin: 0.5 }))) {
        const key = `${pair} ${answer.partA} ${answer.partB}`;
        if (Math.abs(answer.distance - 0.25) < TOLERANCE) onVerge.add(key);
        else if (answer.distance < 0.25) all.push(key);
      }
    }
    expect(listed.filter((key) => !onVerge.has(key))).toEqual(all);
    expect(all.length).toBeGreaterThan(PAIRS / 2);
  });

  test('manifolds have a slot for each pair of parts that hits, with points on their parts', async () => {
    const found = await tester.manifolds(bodies, pairs);
    const contacts = await tester.contacts(bodies, pairs, { parts: 'all' });
    expect(Array.from(found.pair)).toEqual(Array.from(contacts.pair));
    expect(Array.from(found.partA!)).toEqual(Array.from(contacts.partA!));
    expect(Array.from(found.partB!)).toEqual(Array.from(contacts.partB!));
    for (const { pair, partA, points, normal, contactDistance } of found) {
      const { shape, pose } = parts[pairs[2 * pair]][partA!];
      for (const { position, distance: depth } of points) {
        const point = { position, quaternion: [0, 0, 0, 1] };
        const { distance: gap } = contact(shape, pose, createShape({ type: 'sphere', radius: 0 }), point, {
          margin: 1,
        });
        expect(Math.abs(gap), `pair ${pair}, seed ${SEED}`).toBeLessThan(2e-3);
        expect(depth).toBeGreaterThan(contactDistance - TOLERANCE);
      }
      expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThan(1e-5);
    }
  });

  test('the time of impact is that of the parts that meet first', async () => {
    const found = await tester.impacts(bodies, pairs, { duration: 1 });
    const moving = (body: number, pose: CpuPose) => ({
      ...pose,
      linearVelocity: bodies.linearVelocities.subarray(3 * body, 3 * body + 3),
    });
    let later = 0;
    for (let pair = 0; pair < PAIRS; pair++) {
      const [bodyA, bodyB] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const answers = answersOf(pair, (a, b) =>
        impact(a.shape, moving(bodyA, a.pose), b.shape, moving(bodyB, b.pose), { duration: 1 }),
      );
      const first = Math.min(...answers.map((answer) => answer.unclampedTime));
      if (first > 0 && first < 1) later++;
      const time = found.unclampedTime[pair];
      if (Number.isFinite(first) && Number.isFinite(time))
        expect(Math.abs(time - first), `pair ${pair}, seed ${SEED}`).toBeLessThan(1e-3 * (1 + Math.abs(first)));
      else expect(time, `pair ${pair}, seed ${SEED}`).toBe(first);
    }
    expect(later).toBeGreaterThan(PAIRS / 30);
  });

  test('rotating compounds meet when the first of their parts do, curved parts among them', async () => {
    const random = createRandom(SEED + 1);
    const duration = 1;
    const moving = {
      ...bodies,
      positions: bodies.positions.map((x) => 2.5 * x),
      angularVelocities: Float32Array.from({ length: 3 * BODIES }, (_, i) => (i % 9 < 6 ? uniform(random, -2, 2) : 0)),
    };
    const count = 150;
    const found = await tester.impacts(moving, pairs.subarray(0, 2 * count), { duration });
    /** The least signed distance of any two parts at a time. */
    const gapAt = (pair: number, time: number): number => {
      const [a, b] = [0, 1].map((k) => {
        const body = pairs[2 * pair + k];
        const angular = Array.from(moving.angularVelocities.subarray(3 * body, 3 * body + 3));
        const speed = Math.hypot(...angular);
        const half = (speed * time) / 2;
        const turn = [...angular.map((x) => (speed > 0 ? (x / speed) * Math.sin(half) : 0)), Math.cos(half)];
        const quaternion = Array.from(bodies.quaternions.subarray(4 * body, 4 * body + 4));
        const length = Math.hypot(...quaternion);
        const position = [0, 1, 2].map(
          (i) => moving.positions[3 * body + i] + time * moving.linearVelocities[3 * body + i],
        );
        return partsAt(
          scene,
          body,
          position,
          product(
            turn,
            quaternion.map((x) => x / length),
          ),
        );
      });
      let least = Infinity;
      for (const p of a)
        for (const q of b)
          least = Math.min(least, contact(p.shape, p.pose, q.shape, q.pose, { margin: Infinity }).distance);
      return least;
    };
    let met = 0;
    for (let pair = 0; pair < count; pair++) {
      const time = found.time[pair];
      const message = `pair ${pair} at ${time}, seed ${SEED}`;
      expect(found.status[pair], message).not.toBe(2);
      if (found.unclampedTime[pair] < 0) continue;
      for (let t = 0; t < Math.min(time, duration); t += 0.05) expect(gapAt(pair, t), message).toBeGreaterThan(-1e-4);
      if (time > duration) continue;
      met++;
      expect(Math.abs(gapAt(pair, time)), message).toBeLessThan(1e-4);
    }
    expect(met).toBeGreaterThan(count / 15);
  });

  test('findPairs finds all pairs whose parts touch, by boxes that hold the parts exactly', async () => {
    const found = new Set<number>();
    const list = await tester.findPairs(bodies);
    for (let i = 0; i < list.length; i += 2) found.add(list[i] * BODIES + list[i + 1]);
    const all: number[] = [];
    for (let a = 0; a < BODIES; a++) for (let b = a + 1; b < BODIES; b++) all.push(a, b);
    const { hit } = await tester.intersects(bodies, Uint32Array.from(all));
    hit.forEach((isHit, i) => {
      if (isHit) expect(found.has(all[2 * i] * BODIES + all[2 * i + 1]), `${all[2 * i]}, ${all[2 * i + 1]}`).toBe(true);
    });
    expect(list.length).toBeLessThan(0.6 * all.length);
  });
});
