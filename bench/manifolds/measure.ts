/** What a tester's manifolds are held against: contacts and surfaces of the double-precision reference, and the widest areas by brute force. */

import * as cpu from '../../src/cpu/index.ts';
import { MANIFOLD_LEVEL } from '../../src/generated/constants.ts';
import { F32_ROUNDING, TOLERANCE, toleranceOf } from '../../src/tolerances.ts';
import { Status, type ManifoldItem, type PosedBodies, type Tester } from '../../src/types.ts';
import { emptyFamily, poseOf, putBody } from '../../test/family.ts';
import { createRandom, uniform } from '../../test/random.ts';
import { areaOfPoints, cornersOf, makeArrangements, posesOf, reachOf, rounded, widestArea, type Arrangement } from '../../test/resting.ts';
import { makeSliverFamily, type Partner } from '../../test/sliver-families.ts';

export interface Sliver {
  pairs: number;
  hits: number;
  points: number;
  /** First points whose depth is not the contact's, points off either surface, and points that are deeper than the contact or beyond the margin. */
  wrongDepths: number;
  offSurfaces: number;
  beyond: number;
  notConverged: number;
  /** Largest errors as shares of the tolerance. */
  depthError: number;
  surfaceError: number;
  example: string;
}

const POINT = cpu.createShape({ type: 'sphere', radius: 0 });
const UNTURNED = [0, 0, 0, 1];
const MARGIN = 0.05;

/** Pairs of a sliver and another shape. */
export async function measureSlivers(tester: Tester, partner: Partner, width: number, count: number, seed: number): Promise<Sliver> {
  const family = makeSliverFamily(partner, width, count, seed);
  const ids = family.shapes.map((shape) => tester.addShape(shape));
  const shapes = family.shapes.map((shape) => cpu.createShape(shape));
  const bodies: PosedBodies = { ...family.bodies, shapes: family.bodies.shapes.map((shape) => ids[shape]) };
  const found = [...(await tester.manifolds(bodies, family.pairs, { margin: MARGIN }))];
  const row: Sliver = { pairs: count, hits: 0, points: 0, wrongDepths: 0, offSurfaces: 0, beyond: 0, notConverged: 0, depthError: 0, surfaceError: 0, example: '' };
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
    if (truth.distance > MARGIN + t || truth.distance > MARGIN - t) return;
    row.hits++;
    row.points += points.length;
    // Corners within the level of the deepest are as good as that.
    const deepest = points[0]?.distance ?? NaN;
    const off = Math.max(contactDistance - deepest, deepest - contactDistance - MANIFOLD_LEVEL * reach, Math.abs(contactDistance - truth.distance));
    row.depthError = Math.max(row.depthError, off / t);
    if (!(off <= t)) fault('wrongDepths', `first point ${deepest}, contact ${contactDistance}, reference ${truth.distance}, t ${t}`);
    for (const { position, distance } of points) {
      if (!(distance <= MARGIN) || !(distance >= deepest - t)) fault('beyond', `distance ${distance} after ${deepest}`);
      const other = position.map((x, k) => x + distance * normal[k]);
      const rounding = 4 * F32_ROUNDING * (length(position) + length(other) + length(poseA.position));
      const least = TOLERANCE.kernels * size + rounding;
      const onA = Math.abs(cpu.contact(shapeA, poseA, POINT, { position, quaternion: UNTURNED }, { margin: Infinity }).distance);
      const onB = Math.abs(cpu.contact(shapeB, poseB, POINT, { position: other, quaternion: UNTURNED }, { margin: Infinity }).distance);
      row.surfaceError = Math.max(row.surfaceError, onA / least, onB / least);
      // The contact's own point may be as far off as contacts may.
      if (!(Math.max(onA, onB) <= Math.max(least, t + rounding))) fault('offSurfaces', `point ${onA} off A, ${onB} off B, t ${least}, of ${points.length}`);
    }
  });
  for (const id of ids) tester.removeShape(id);
  return row;
}

function length(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2]);
}

function apart(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export interface Resting {
  arrangements: number;
  /** Those whose features were not the same in all frames, by name. */
  unsteady: string[];
}

/** Blocks that tremble by 1e-5 of their size, each for `frames` frames. */
export async function measureResting(tester: Tester, count: number, frames: number, seed: number): Promise<Resting> {
  const unsteady: string[] = [];
  for (const [index, arrangement] of makeArrangements(count, seed).entries()) {
    const random = createRandom(seed + index);
    const found = await manifoldsOf(tester, arrangement, Array.from({ length: frames }, () => posesOf(arrangement, random, 1e-5)));
    const sets = new Set(found.map(({ points }) => points.map(({ feature }) => feature).sort((a, b) => a - b).join()));
    if (sets.size !== 1) unsteady.push(`${index}: ${arrangement.name}, ${sets.size} sets`);
  }
  return { arrangements: count, unsteady };
}

export interface Areas {
  contacts: number;
  /** With more corners than a manifold has points. */
  crowded: number;
  /** Below 0.99 of the widest area. */
  below: number;
  least: number;
  example: string;
}

/** Blocks on each other, level or leaning by up to 0.02. */
export async function measureAreas(tester: Tester, count: number, seed: number): Promise<Areas> {
  const areas: Areas = { contacts: 0, crowded: 0, below: 0, least: Infinity, example: '' };
  const each = 20;
  for (const [index, arrangement] of makeArrangements(Math.ceil(count / each), seed).entries()) {
    const random = createRandom(seed + index);
    const lean = [0, 1e-4, 1e-3, 0.02];
    const poses = Array.from({ length: each }, (_, i) => {
      const most = lean[i % lean.length];
      return posesOf(arrangement, random, 1e-5, [uniform(random, -most, most), uniform(random, -most, most)]);
    });
    const found = await manifoldsOf(tester, arrangement, poses);
    found.forEach(({ points, normal }, i) => {
      const corners = cornersOf(arrangement, [rounded(poses[i][0]), rounded(poses[i][1])], normal);
      const best = widestArea(corners, arrangement.margin, 1e-4 * reachOf(arrangement));
      // Next to nothing is not told from a line.
      if (!(best > 1e-4 * arrangement.above.radius ** 2)) return;
      const share = areaOfPoints(points.map(({ position }) => position), normal) / best;
      areas.contacts++;
      if (corners.length > 4) areas.crowded++;
      areas.least = Math.min(areas.least, share);
      if (share >= 0.99) return;
      areas.below++;
      if (process.env.SHOW) console.log(index, i, arrangement.name, share, corners.length, points.length);
      areas.example ||= `${index}, ${i}: ${arrangement.name}, ${share} of ${corners.length} corners, ${points.length} points`;
    });
  }
  return areas;
}

async function manifoldsOf(tester: Tester, arrangement: Arrangement, poses: ReturnType<typeof posesOf>[]): Promise<ManifoldItem[]> {
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
