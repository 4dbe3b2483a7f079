/**
 * The reference in the plane: the algorithms of the planar kernels in double precision, synchronous, one pair a call,
 * nothing rounded to f32 on the way in or out. `narrowphase/cpu` exports it as `planar`.
 */
import { invalidInput } from '../../api/errors.ts';
import { expectMprDepth, firstRung } from '../../request/validate.ts';
import type { PlanarShapeDescription } from '../../api/planar-shapes.ts';
import { makePlanarShapeData } from '../../shapes/planar-shape-data.ts';
import type { ManifoldPointIn, Status } from '../../api/types.ts';
import { createPairResult, type PairResult } from '../queries/result.ts';
import { expectKnown } from '../../util/known.ts';
import { CPU_OPTIONS, type CpuOptions } from '../options.ts';
import { type CpuPlanarPose, type CpuPlanarShape, checkPose, checkShapes } from './arguments.ts';
import { set, vec2 } from './math.ts';
import { createPlanarPair, makePair } from './pair.ts';
import { portalsOf, rungOf } from '../../request/planar-algorithm.ts';
import { contact as contactOfPair } from './queries/contacts.ts';
import { distance as distanceOfPair } from './queries/distances.ts';
import { intersects as intersectsPair } from './queries/intersects.ts';
import { manifold as manifoldOfPair } from './queries/manifolds.ts';

/** What `distance` finds; vectors are x, y in world space. */
export interface CpuPlanarDistance {
  status: Status;
  hit: boolean;
  distance: number;
  normal: [number, number];
  pointA: [number, number];
  pointB: [number, number];
  iterations: number;
}

/** What `contact` finds. */
export interface CpuPlanarContact extends CpuPlanarDistance {
  featureA: number;
  featureB: number;
  /** lower <= true signed distance <= upper */
  lower: number;
  upper: number;
}

/** What `manifold` finds. */
export interface CpuPlanarManifold {
  status: Status;
  hit: boolean;
  /** The contact's signed distance. */
  distance: number;
  normal: [number, number];
  points: ManifoldPointIn<[number, number]>[];
  iterations: number;
}

/** Validates a description and makes its hull; in double precision, unlike `addShape`. */
export function createShape(description: PlanarShapeDescription): CpuPlanarShape {
  return makePlanarShapeData(description, 'description', (value) => value);
}

/** Whether the signed distance is at most `margin` (default 0), and the status. */
export function intersects(
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions = {},
): { hit: boolean; status: Status } {
  const { hit, status } = run('intersects', a, poseA, b, poseB, options, 0);
  return { hit, status: status as Status };
}

/** Distance and witness points; zeros for a pair that overlaps. `margin` is Infinity by default. */
export function distance(
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions = {},
): CpuPlanarDistance {
  return distanceResult(run('distances', a, poseA, b, poseB, options, Infinity), poseA);
}

/** Signed distance, witness points, features and bounds. `margin` is 0 by default: pairs apart leave early. */
export function contact(
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions = {},
): CpuPlanarContact {
  const found = run('contacts', a, poseA, b, poseB, options, 0);
  const { featureA, featureB, lower, upper } = found;
  return { ...distanceResult(found, poseA), featureA, featureB, lower, upper };
}

/** One or two points of a pair at most `margin` (default 0) apart. */
export function manifold(
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions = {},
): CpuPlanarManifold {
  const found = run('manifolds', a, poseA, b, poseB, options, 0);
  const { status, hit, distance: depth, normal, iterations } = distanceResult(found, poseA);
  const points = Array.from({ length: found.pointCount }, (_, i): ManifoldPointIn<[number, number]> => ({
    position: [poseA.position[0] + found.positions[3 * i], poseA.position[1] + found.positions[3 * i + 1]],
    distance: found.distances[i],
    feature: found.features[i],
  }));
  return { status, hit, distance: depth, normal, points, iterations };
}

const pair = createPlanarPair();
const offset = vec2();
const result = createPairResult();

const queries = {
  intersects: intersectsPair,
  distances: distanceOfPair,
  contacts: contactOfPair,
  manifolds: manifoldOfPair,
};

function run(
  query: keyof typeof queries,
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions,
  defaultMargin: number,
): PairResult {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  expectKnown(options, 'options', CPU_OPTIONS);
  const { algorithm = 'auto', mprDepth, margin = defaultMargin } = options;
  checkShapes(a, b);
  if (!(margin >= 0)) invalidInput('options.margin', margin, 'a number of at least 0');
  const first = firstRung(query, algorithm);
  expectMprDepth(algorithm, mprDepth);
  if (algorithm === 'sat' && !(a.takesSat && b.takesSat)) {
    invalidInput(
      'options.algorithm',
      algorithm,
      "'auto', 'gjk' or 'mpr', as not both shapes are segments, rectangles or polygons",
    );
  }
  checkPose(a, poseA, 'poseA');
  checkPose(b, poseB, 'poseB');
  const { position: p, angle: angleA, scale: scaleA = 1 } = poseA;
  const { position: q, angle: angleB, scale: scaleB = 1 } = poseB;
  set(q[0] - p[0], q[1] - p[1], offset);
  makePair(a, { scale: scaleA, angle: angleA }, b, { scale: scaleB, angle: angleB }, offset, 0, pair);
  return queries[query](pair, margin, rungOf(first), result, portalsOf(mprDepth));
}

function distanceResult(from: PairResult, { position }: CpuPlanarPose): CpuPlanarDistance {
  const [x, y] = from.hasPoints ? [position[0], position[1]] : [0, 0];
  const { normal, pointA, pointB } = from;
  return {
    status: from.status as Status,
    hit: from.hit,
    distance: from.distance,
    normal: [normal.x, normal.y],
    pointA: [x + pointA.x, y + pointA.y],
    pointB: [x + pointB.x, y + pointB.y],
    iterations: from.iterations,
  };
}

export type { CpuPlanarMovingPose, CpuPlanarPose, CpuPlanarShape } from './arguments.ts';
export { impact, type CpuPlanarImpact } from './motion.ts';
