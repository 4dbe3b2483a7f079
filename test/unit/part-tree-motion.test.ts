/** Rays and moving bodies through trees of parts, against all parts and against many times. */
import { expect, test } from 'vitest';
import { buildPartTree, type Triangles } from '../../src/bvh/build-tree.ts';
import { castRay, type Ray, type RayHit } from '../../src/bvh/cast-ray.ts';
import { rayTree } from '../../src/bvh/mesh-tree.ts';
import { findSweptPairs, type Sweep } from '../../src/bvh/find-swept-pairs.ts';
import { treeOfOnePart, type PartTree } from '../../src/bvh/part-tree.ts';
import type { Placement } from '../../src/bvh/placement.ts';
import { createWalk } from '../../src/bvh/walk.ts';
import { finish } from '../../src/util/turns.ts';
import { createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { buildTree, MESH_FAMILIES, placedCorners, touchingPlacement } from '../helpers/meshes.ts';

/** When a ray meets a triangle from either side, by Cramer's rule; Infinity if it does not. */
function crossingTime(corners: Float64Array, at: number, { origin, direction }: Ray): number {
  const [p, q, r] = [0, 3, 6].map((k) => corners.subarray(at + k, at + k + 3));
  const e = q.map((x, k) => x - p[k]);
  const f = r.map((x, k) => x - p[k]);
  const o = origin.map((x, k) => x - p[k]);
  const volume = triple(e, f, direction);
  if (volume === 0) return Infinity;
  const u = triple(o, f, direction) / volume;
  const v = triple(e, o, direction) / volume;
  const time = -triple(e, f, o) / volume;
  return u >= 0 && v >= 0 && u + v <= 1 && time >= 0 ? time : Infinity;
}

function triple(a: ArrayLike<number>, b: ArrayLike<number>, c: ArrayLike<number>): number {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/** A ray towards a vertex of the mesh, or past it, or along an axis. */
function rayAt({ positions }: Triangles, i: number, random: Random): Ray {
  const vertex = 3 * Math.floor(uniform(random, 0, positions.length / 3));
  const away = i % 4 === 3 ? [0, 1, 2].map((k) => Number(k === i % 3)) : unitVector(random, [0, 0, 0]);
  const target = positions.subarray(vertex, vertex + 3).map((x) => x + (i % 2) * uniform(random, -0.1, 0.1));
  const distance = uniform(random, 0, 4);
  const speed = 10 ** uniform(random, -3, 3);
  return {
    origin: target.map((x, k) => x + distance * away[k]),
    direction: Float64Array.from(away, (x) => -speed * x),
    maxTime: i % 5 === 0 ? distance / speed : Infinity,
    radius: 0,
  };
}

test.each(Object.entries(MESH_FAMILIES))('a ray finds the first triangle: %s', (_, family) => {
  const random = createRandom(4);
  const mesh = family(300, random);
  const corners = placedCorners(mesh, 1);
  const walk = createWalk();
  for (const tree of [buildTree(mesh, 'aligned'), finish(rayTree(mesh))]) {
    for (let i = 0; i < 80; i++) {
      const ray = rayAt(mesh, i, random);
      const timeOf = (part: number): number => crossingTime(corners, 9 * part, ray);
      const times = Array.from({ length: mesh.indices.length / 3 }, (_part, part) => timeOf(part));
      const first = times.reduce((best, time, part) => (time < times[best] ? part : best), 0);
      const isHit = times[first] <= ray.maxTime && times[first] < Infinity;
      const hit: RayHit = { time: 0, part: 0 };
      finish(castRay(tree, ray, timeOf, hit, walk));
      const expected = isHit ? { time: times[first], part: first } : { time: Infinity, part: -1 };
      expect(hit, `ray ${i}`).toEqual(expected);
    }
  }
});

test('a ray looks at few triangles of many', () => {
  const mesh = MESH_FAMILIES['a curved sheet'](20_000, createRandom(1));
  const corners = placedCorners(mesh, 1);
  const tree = finish(rayTree(mesh));
  const walk = createWalk();
  const random = createRandom(2);
  for (let i = 0; i < 100; i++) {
    const ray = { ...rayAt(mesh, 2, random), maxTime: Infinity };
    finish(castRay(tree, ray, (part) => crossingTime(corners, 9 * part, ray), { time: 0, part: 0 }, walk));
  }
  expect(walk.boxTests / 100).toBeLessThan(100);
  expect(walk.partTests / 100).toBeLessThan(10);
});

/** Balls as parts: 4 numbers each, centre and radius, and their tree. */
function makeBalls(count: number, random: Random): { balls: Float64Array; tree: PartTree } {
  const balls = Float64Array.from({ length: 4 * count }, (_, i) =>
    Math.fround(uniform(random, i % 4 === 3 ? 0 : -1, 1)),
  );
  for (let i = 3; i < balls.length; i += 4) balls[i] *= 0.2;
  const boxes = Float64Array.from({ length: 6 * count }, (_, i) => {
    const at = 4 * Math.floor(i / 6);
    return balls[at + (i % 3)] + (i % 6 < 3 ? -1 : 1) * balls[at + 3];
  });
  return { balls, tree: count === 1 ? treeOfOnePart(boxes) : finish(buildPartTree(boxes)) };
}

/** When points that are `between` apart and move by `velocity` are within a distance; Infinity if they never are. */
function timeWithin(between: readonly number[], velocity: ArrayLike<number>, distance: number): number {
  const [x, y, z] = between;
  const a = velocity[0] ** 2 + velocity[1] ** 2 + velocity[2] ** 2;
  const b = x * velocity[0] + y * velocity[1] + z * velocity[2];
  const c = x * x + y * y + z * z - distance * distance;
  if (c <= 0) return 0;
  const d = b * b - a * c;
  return d < 0 || b >= 0 ? Infinity : (-b - Math.sqrt(d)) / a;
}

test.each([1, 2, 7, 200])('a ball along a ray finds the first of %i balls', (count) => {
  const random = createRandom(count);
  const { balls, tree } = makeBalls(count, random);
  const walk = createWalk();
  let hits = 0;
  for (let i = 0; i < 200; i++) {
    const away = unitVector(random, new Float64Array(3));
    const ray: Ray = {
      origin: away.map((x) => 3 * x),
      direction: away.map((x) => uniform(random, -0.5, 0.5) - x),
      maxTime: uniform(random, 0, 10),
      radius: uniform(random, 0, 0.5),
    };
    const timeOf = (part: number): number => {
      const between = [0, 1, 2].map((k) => ray.origin[k] - balls[4 * part + k]);
      return timeWithin(between, ray.direction, ray.radius + balls[4 * part + 3]);
    };
    const least = Math.min(...Array.from({ length: count }, (_, part) => timeOf(part)));
    const hit: RayHit = { time: 0, part: 0 };
    finish(castRay(tree, ray, timeOf, hit, walk));
    expect(hit.time, `ray ${i}`).toBe(least <= ray.maxTime ? least : Infinity);
    hits += Number(hit.part >= 0);
  }
  expect(hits).toBeGreaterThan(5);
});

/** A vector turned about a unit axis: Rodrigues' formula. */
function turned(v: readonly number[], axis: readonly number[], angle: number): number[] {
  const [x, y, z] = v;
  const [u, w, t] = axis;
  const along = (x * u + y * w + z * t) * (1 - Math.cos(angle));
  const across = [w * z - t * y, t * x - u * z, u * y - w * x];
  return v.map((value, k) => value * Math.cos(angle) + across[k] * Math.sin(angle) + axis[k] * along);
}

interface Motion {
  readonly placement: Placement;
  readonly sweep: { velocity: Float64Array; duration: number; angleA: number; angleB: number; margin: number };
  readonly axisA: readonly number[];
  readonly axisB: readonly number[];
}

function makeMotion(random: Random, scaleA: number, scaleB: number, isTurning: boolean): Motion {
  const one: Triangles = { positions: new Float64Array(3), indices: new Uint32Array(3) };
  const placement = touchingPlacement(one, one, scaleA, scaleB, random);
  const away = unitVector(random, [0, 0, 0]);
  const distance = (scaleA + scaleB) * uniform(random, 1, 3);
  away.forEach((x, k) => (placement.translation[k] = distance * x));
  const duration = uniform(random, 0.5, 4);
  // Towards A, or past it.
  const velocity = Float64Array.from(
    away,
    (x) => (-x * distance * uniform(random, 0, 2) + uniform(random, -1, 1)) / duration,
  );
  return {
    placement,
    sweep: {
      velocity,
      duration,
      angleA: isTurning ? uniform(random, 0, 2) : 0,
      angleB: isTurning ? uniform(random, 0, 4) : 0,
      margin: uniform(random, 0, 0.2),
    },
    axisA: unitVector(random, [0, 0, 0]),
    axisB: unitVector(random, [0, 0, 0]),
  };
}

/** The motion as a traversal takes it. A's axes turn with A. */
function sweepOf({ placement, sweep: { velocity, duration, angleA, angleB, margin }, axisA, axisB }: Motion): Sweep {
  const { rotation, translation, scaleA, scaleB } = placement;
  const place = { rotation: new Float64Array(9), translation: new Float64Array(3), scaleA, scaleB };
  const [spinA, spinB, velocityNow] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const moment = { time: 0, placement: place, velocity: velocityNow, spinA, spinB };
  const sweep = {
    duration,
    isTurning: angleA > 0 || angleB > 0,
    margin,
    moment,
    moveTo(time: number) {
      moment.time = time;
      const share = time / duration;
      const back = (vector: readonly number[]): number[] => turned(vector, axisA, -share * angleA);
      for (let column = 0; column < 9; column += 3) {
        const axis = turned([...rotation.subarray(column, column + 3)], axisB, share * angleB);
        place.rotation.set(back(axis), column);
      }
      place.translation.set(back([0, 1, 2].map((k) => translation[k] + time * velocity[k])));
      velocityNow.set(back([...velocity]));
      spinA.set(back(axisA.map((x) => (x * angleA) / duration)));
      spinB.set(back(axisB.map((x) => (x * angleB) / duration)));
    },
  };
  sweep.moveTo(0);
  return sweep;
}

/** The gap of two balls at a share of the duration. */
function gapAt(a: Float64Array, i: number, b: Float64Array, j: number, motion: Motion, share: number): number {
  const { placement, sweep, axisA, axisB } = motion;
  const { rotation: r, translation, scaleA, scaleB } = placement;
  const p = turned(
    [0, 1, 2].map((k) => scaleA * a[4 * i + k]),
    axisA,
    share * sweep.angleA,
  );
  const own = [0, 1, 2].map((k) => scaleB * (r[k] * b[4 * j] + r[3 + k] * b[4 * j + 1] + r[6 + k] * b[4 * j + 2]));
  const q = turned(own, axisB, share * sweep.angleB).map(
    (x, k) => x + translation[k] + share * sweep.duration * sweep.velocity[k],
  );
  return Math.hypot(...p.map((x, k) => q[k] - x)) - scaleA * a[4 * i + 3] - scaleB * b[4 * j + 3];
}

test.each([
  [1, 30],
  [30, 1],
  [30, 20],
])('findSweptPairs finds all pairs of %i and %i balls that meet on the way', (countA, countB) => {
  const walk = createWalk();
  let met = 0;
  let visits = 0;
  const seeds = Math.max(40, 6000 / (countA * countB));
  for (let seed = 0; seed < seeds; seed++) {
    const random = createRandom(seed);
    const a = makeBalls(countA, random);
    const b = makeBalls(countB, random);
    const [scaleA, scaleB] = [
      [1, 1],
      [10, 0.1],
      [0.5, 3],
    ][seed % 3];
    const motion = makeMotion(random, scaleA, scaleB, seed % 2 === 1);
    const earliest = new Float64Array(countA * countB).fill(Infinity);
    const visit = (i: number, j: number, time: number): void => {
      expect(earliest[i * countB + j]).toBe(Infinity);
      earliest[i * countB + j] = time;
      visits++;
    };
    finish(findSweptPairs(a.tree, b.tree, sweepOf(motion), visit, walk));
    for (let i = 0; i < countA; i++) {
      for (let j = 0; j < countB; j++) {
        for (let step = 0; step <= 64; step++) {
          if (gapAt(a.balls, i, b.balls, j, motion, step / 64) > motion.sweep.margin) continue;
          const time = (step / 64) * motion.sweep.duration;
          if (!(earliest[i * countB + j] <= time)) expect.fail(`seed ${seed}: balls ${i} and ${j} at ${time}`);
          met++;
          break;
        }
      }
    }
  }
  expect(met).toBeGreaterThan(40);
  // Boxes meet more often than balls, and turns enlarge them.
  expect(visits).toBeLessThan(0.5 * seeds * countA * countB);
});

test('pairs that cannot meet before the time that a visit returns are skipped', () => {
  const walk = createWalk();
  let all = 0;
  let needed = 0;
  for (let seed = 0; seed < 40; seed++) {
    const random = createRandom(seed);
    const a = makeBalls(60, random);
    const b = makeBalls(60, random);
    const motion = makeMotion(random, 1, 1, false);
    const { velocity, duration, margin } = motion.sweep;
    const timeOf = (i: number, j: number): number => {
      const { rotation: r, translation } = motion.placement;
      const between = [0, 1, 2].map((k) => {
        const own = r[k] * b.balls[4 * j] + r[3 + k] * b.balls[4 * j + 1] + r[6 + k] * b.balls[4 * j + 2];
        return own + translation[k] - a.balls[4 * i + k];
      });
      return timeWithin(between, velocity, margin + a.balls[4 * i + 3] + b.balls[4 * j + 3]);
    };
    let least = Infinity;
    for (let i = 0; i < 60; i++) for (let j = 0; j < 60; j++) least = Math.min(least, timeOf(i, j));
    finish(findSweptPairs(a.tree, b.tree, sweepOf(motion), () => void all++, walk));
    let first = Infinity;
    const visit = (i: number, j: number): number => {
      needed++;
      first = Math.min(first, timeOf(i, j));
      return first;
    };
    finish(findSweptPairs(a.tree, b.tree, sweepOf(motion), visit, walk));
    expect(first <= duration ? first : Infinity, `seed ${seed}`).toBe(least <= duration ? least : Infinity);
  }
  expect(needed).toBeLessThan(all / 5);
});
