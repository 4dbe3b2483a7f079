/**
 * Measures a tester's manifolds against contacts and surfaces of the double-precision reference, and against the
 * largest areas found by brute force.
 */

import * as cpu from '../../src/cpu.ts';
import { F32_ROUNDING, toleranceOf } from '../../src/shapes/tolerances.ts';
import { Status, type ManifoldItem, type PosedBodies, type Tester } from '../../src/api/types.ts';
import { emptyFamily, poseOf, putBody, putRandomPair, shapeCores } from '../families/family.ts';
import { randomBox, randomCapsule, randomHull, randomUpright } from '../families/random-shapes.ts';
import { below, createRandom, uniform } from '../families/random.ts';
import {
  areaOfPoints,
  cornersOf,
  makeArrangements,
  posesOf,
  reachOf,
  rounded,
  widestArea,
  type Arrangement,
} from '../families/resting.ts';
import { makeSliverFamily, type Partner } from '../families/sliver-families.ts';

export interface Slivers {
  pairs: number;
  hits: number;
  points: number;
  /**
   * Depths that differ from the contact's or the reference's, points off either surface, and points beyond the margin.
   */
  wrongDepths: number;
  offSurfaces: number;
  beyond: number;
  notConverged: number;
  /** Largest errors as shares of the tolerance. */
  depthError: number;
  surfaceError: number;
  example: string;
}

/** Corners whose depth is within this share of the sum of the bounding radii of the deepest count as equally deep. */
const LEVEL = 1e-4;

const POINT = cpu.createShape({ type: 'sphere', radius: 0 });
const UNTURNED = [0, 0, 0, 1];
const MARGIN = 0.05;

/** Measures pairs of a sliver and another shape. */
export async function measureSlivers(
  tester: Tester,
  partner: Partner,
  width: number,
  count: number,
  seed: number,
): Promise<Slivers> {
  const family = makeSliverFamily(partner, width, count, seed);
  const ids = family.shapes.map((shape) => tester.addShape(shape));
  const shapes = family.shapes.map((shape) => cpu.createShape(shape));
  const bodies: PosedBodies = { ...family.bodies, shapes: family.bodies.shapes.map((shape) => ids[shape]) };
  const found = [...(await tester.manifolds(bodies, family.pairs, { margin: MARGIN }))];
  const row: Slivers = {
    pairs: count,
    hits: 0,
    points: 0,
    wrongDepths: 0,
    offSurfaces: 0,
    beyond: 0,
    notConverged: 0,
    depthError: 0,
    surfaceError: 0,
    example: '',
  };
  found.forEach(({ points, normal, contactDistance, status }, i) => {
    const [a, b] = [2 * i, 2 * i + 1];
    const [shapeA, shapeB] = [shapes[family.bodies.shapes[a]], shapes[family.bodies.shapes[b]]];
    const [poseA, poseB] = [poseOf(family, a), poseOf(family, b)] as [cpu.CpuPose, cpu.CpuPose];
    if (status === Status.NotConverged) {
      row.notConverged++;
      return;
    }
    const reach = shapeA.boundingRadius + shapeB.boundingRadius;
    const size = Math.max(reach, apart(poseA.position, poseB.position));
    const truth = cpu.contact(shapeA, poseA, shapeB, poseB, { margin: MARGIN });
    const t = toleranceOf('kernels', shapeA.kind, shapeB.kind, truth.distance <= 0) * size;
    const fault = (kind: 'wrongDepths' | 'offSurfaces' | 'beyond', text: string): void => {
      row[kind]++;
      row.example ||= `pair ${i} of seed ${seed}: ${text}`;
    };
    // Beyond the margin, or hardly within it.
    if (truth.distance > MARGIN - t) return;
    row.hits++;
    row.points += points.length;
    const deepest = points[0]?.distance ?? NaN;
    const least = Math.min(...points.map(({ distance }) => distance));
    const off = Math.max(
      Math.abs(contactDistance - truth.distance),
      contactDistance - least,
      deepest - contactDistance - LEVEL * reach,
      deepest - least,
    );
    row.depthError = Math.max(row.depthError, off / t);
    if (!(off <= t))
      fault('wrongDepths', `first point ${deepest}, contact ${contactDistance}, reference ${truth.distance}, t ${t}`);
    for (const { position, distance } of points) {
      if (!(distance <= MARGIN)) fault('beyond', `distance ${distance}`);
      const other = position.map((x, k) => x + distance * normal[k]);
      const rounding = 4 * F32_ROUNDING * (norm(position) + norm(other) + norm(poseA.position));
      const allowed = t + rounding;
      const onA = Math.abs(
        cpu.contact(shapeA, poseA, POINT, { position, quaternion: UNTURNED }, { margin: Infinity }).distance,
      );
      const onB = Math.abs(
        cpu.contact(shapeB, poseB, POINT, { position: other, quaternion: UNTURNED }, { margin: Infinity }).distance,
      );
      row.surfaceError = Math.max(row.surfaceError, onA / allowed, onB / allowed);
      if (!(Math.max(onA, onB) <= allowed))
        fault('offSurfaces', `point ${onA} off A, ${onB} off B, t ${allowed}, of ${points.length}`);
    }
  });
  for (const id of ids) tester.removeShape(id);
  return row;
}

function norm(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2]);
}

function apart(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export interface Resting {
  arrangements: number;
  /** Names of pairs whose features were not the same in all frames. */
  unsteady: string[];
}

/** Measures blocks that vibrate by 1e-5 of their size, each for `frames` frames. */
export async function measureResting(tester: Tester, count: number, frames: number, seed: number): Promise<Resting> {
  const unsteady: string[] = [];
  for (const [index, arrangement] of makeArrangements(count, seed).entries()) {
    const random = createRandom(seed + index);
    const found = await manifoldsOf(
      tester,
      arrangement,
      Array.from({ length: frames }, () => posesOf(arrangement, random, 1e-5)),
    );
    const sets = new Set(
      found.map(({ points }) =>
        points
          .map(({ feature }) => feature)
          .sort((a, b) => a - b)
          .join(),
      ),
    );
    if (sets.size !== 1) unsteady.push(`${index}: ${arrangement.name}, ${sets.size} sets`);
  }
  return { arrangements: count, unsteady };
}

export interface Areas {
  contacts: number;
  /** Contact regions with more corners than a manifold has points. */
  crowded: number;
  /** Manifolds below 0.99 of the largest area. */
  below: number;
  least: number;
  example: string;
}

/**
 * Measures blocks on each other, level or tilted by up to 0.02; and level cylinders, of whose rims manifolds know eight
 * points.
 */
export async function measureAreas(tester: Tester, count: number, seed: number): Promise<Areas> {
  const areas: Areas = { contacts: 0, crowded: 0, below: 0, least: Infinity, example: '' };
  const each = 20;
  for (const [index, arrangement] of makeArrangements(Math.ceil(count / each), seed).entries()) {
    const random = createRandom(seed + index);
    const lean = arrangement.name.includes('cylinder') ? [0] : [0, 1e-4, 1e-3, 0.02];
    const poses = Array.from({ length: each }, (_, i) => {
      const most = lean[i % lean.length];
      return posesOf(arrangement, random, 1e-5, [uniform(random, -most, most), uniform(random, -most, most)]);
    });
    const found = await manifoldsOf(tester, arrangement, poses);
    found.forEach(({ points, normal }, i) => {
      const corners = cornersOf(arrangement, [rounded(poses[i][0]), rounded(poses[i][1])], normal);
      // Rounding decides whether a corner at the level's border counts as equally deep.
      const best = Math.min(
        ...[0.99, 1.01].map((border) => widestArea(corners, arrangement.margin, border * LEVEL * reachOf(arrangement))),
      );
      // An area of almost nothing can't be told from a line.
      if (!(best > 1e-4 * arrangement.above.radius ** 2)) return;
      const share =
        areaOfPoints(
          points.map(({ position }) => position),
          normal,
        ) / best;
      areas.contacts++;
      if (corners.length > 4) areas.crowded++;
      areas.least = Math.min(areas.least, share);
      if (share >= 0.99) return;
      areas.below++;
      areas.example ||= `${index}, ${i}: ${arrangement.name}, ${share} of ${corners.length} corners, ${points.length} points`;
    });
  }
  return areas;
}

async function manifoldsOf(
  tester: Tester,
  arrangement: Arrangement,
  poses: ReturnType<typeof posesOf>[],
): Promise<ManifoldItem[]> {
  const ids = [arrangement.below, arrangement.above].map(({ shape }) => tester.addShape(shape));
  const family = emptyFamily('resting', [], poses.length);
  poses.forEach(([a, b], i) => {
    putBody(family, 2 * i, ids[0], a);
    putBody(family, 2 * i + 1, ids[1], b);
  });
  const found = [...(await tester.manifolds(family.bodies, family.pairs, { margin: arrangement.margin }))];
  for (const id of ids) tester.removeShape(id);
  return found;
}

export interface Touches {
  hits: number;
  /** Pairs that have one point in all frames. */
  singles: number;
  /** Names of those among them whose point changes its kind. */
  alternating: string[];
}

/** Measures random boxes, hulls and round shapes near touch that vibrate by 1e-5. */
export async function measureTouches(tester: Tester, count: number, frames: number, seed: number): Promise<Touches> {
  const random = createRandom(seed);
  const makers = [
    (i: number) => randomBox(random, i, 0.7),
    () => randomHull(random),
    (i: number) => randomUpright('cylinder', random, i, 0.7),
    (i: number) => randomUpright('cone', random, i, 0.7),
    () => randomCapsule(random),
  ];
  const shapes = Array.from({ length: 40 }, (_, i) => makers[i % makers.length](i));
  const family = emptyFamily('touches', shapes, count);
  const cores = shapeCores(shapes);
  for (let i = 0; i < count; i++)
    putRandomPair(random, family, cores, i, [below(random, shapes.length), below(random, shapes.length)], {
      room: 0.5,
    });
  const ids = shapes.map((shape) => tester.addShape(shape));
  const seen = Array.from({ length: count }, () => [] as number[][]);
  for (let frame = 0; frame < frames; frame++) {
    const moved = emptyFamily('touches', shapes, count);
    for (let body = 0; body < 2 * count; body++) {
      const { position, quaternion } = poseOf(family, body);
      const tremble = (x: number): number => (body % 2 === 0 ? x : x + uniform(random, -1e-5, 1e-5));
      putBody(moved, body, ids[family.bodies.shapes[body]], {
        position: Array.from(position, tremble),
        quaternion: Array.from(quaternion, tremble),
      });
    }
    for (const { pair, points } of await tester.manifolds(moved.bodies, moved.pairs, { margin: 0.01 }))
      seen[pair].push(points.map(({ feature }) => feature));
  }
  for (const id of ids) tester.removeShape(id);
  const hits = [...seen.entries()].filter(([, found]) => found.every(({ length }) => length > 0));
  const singles = hits.filter(([, found]) => found.every(({ length }) => length === 1));
  const alternating = singles
    .filter(([, found]) => kindsOf(found).length > 1)
    .map(([pair, found]) => `pair ${pair} of seed ${seed}: kinds ${kindsOf(found)}`);
  return { hits: hits.length, singles: singles.length, alternating };
}

function kindsOf(found: number[][]): number[] {
  return [...new Set(found.map(([feature]) => feature >>> 30))];
}
