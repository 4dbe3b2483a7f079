/**
 * The reference's queries of one pair in 2-D: synchronous, double precision, nothing rounded to f32 on the way in or out.
 * `narrowphase/cpu` exports it as `planar`.
 */
import { invalidInput } from '../../api/errors.ts';
import { expectMprDepth, chooseLeadStage, queryMargin } from '../../request/validate.ts';
import type { PlanarShapeDescription } from '../../api/planar-shapes.ts';
import { makePlanarShapeData } from '../../shapes/planar-shape-data.ts';
import type { ManifoldPointIn, Status } from '../../api/types.ts';
import { createPairResult, type PairResult } from '../queries/result.ts';
import { expectKnown } from '../../util/known.ts';
import { CPU_OPTIONS, type CpuOptions } from '../options.ts';
import { type CpuPlanarPose, type CpuPlanarShape, checkPose, checkShapes } from './arguments.ts';
import { set, vec2 } from './math.ts';
import { createPlanarPair, makePair } from './pair.ts';
import { planarMprDepth, planarStage } from '../../request/planar-algorithm.ts';
import { contact as contactOfPair } from './queries/contacts.ts';
import { distance as distanceOfPair } from './queries/distances.ts';
import { intersects as intersectsPair } from './queries/intersects.ts';
import { manifold as manifoldOfPair } from './queries/manifolds.ts';

/** Result of `distance`. */
export interface CpuPlanarDistance {
  status: Status;
  /** Whether the signed distance is at most `margin`. */
  hit: boolean;
  /** Signed distance in world units; of `distance`, 0 for a pair that overlaps. */
  distance: number;
  /** Unit vector from A to B in world space. */
  normal: [number, number];
  /** Point on A's surface in world space. */
  pointA: [number, number];
  /** Point on B's surface in world space. */
  pointB: [number, number];
  /** Iterations of all searches. */
  iterations: number;
}

/** Result of `contact`. */
export interface CpuPlanarContact extends CpuPlanarDistance {
  /**
   * Feature of A that the point lies on;
   * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md#feature-numbers.
   */
  featureA: number;
  /** Feature of B that the point lies on. */
  featureB: number;
  /** Lower bound of the true signed distance. */
  lower: number;
  /** Upper bound of the true signed distance. */
  upper: number;
}

/** Result of `manifold`; see `Manifolds`. */
export interface CpuPlanarManifold {
  status: Status;
  /** Whether the signed distance is at most `margin`. */
  hit: boolean;
  /** Signed distance of the pair, as `contact` returns it. */
  distance: number;
  /** Unit vector from A to B in world space. */
  normal: [number, number];
  /** Contact points; the first is the deepest. */
  points: ManifoldPointIn<[number, number]>[];
  iterations: number;
}

/**
 * Validates a description and builds its hull. Unlike `addShape`, it rounds nothing to f32.
 *
 * @throws NarrowphaseError `INVALID_INPUT` for a bad description; `LIMIT_EXCEEDED` for a polygon of more than 65,535
 * corners.
 */
export function createShape(description: PlanarShapeDescription): CpuPlanarShape {
  return makePlanarShapeData(description, 'description', (value) => value);
}

/**
 * Says whether the signed distance is at most `margin` (default 0), and the status.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function intersects(
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions = {},
): { hit: boolean; status: Status } {
  const { hit, status } = run('intersects', a, poseA, b, poseB, options);
  return { hit, status: status as Status };
}

/**
 * Computes the gap, the normal and the nearest points; zeros for a pair that overlaps. The default margin is `Infinity`.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function distance(
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions = {},
): CpuPlanarDistance {
  return distanceResult(run('distances', a, poseA, b, poseB, options), poseA);
}

/**
 * Computes the signed distance with penetration resolved, points, features and bounds. With the default margin 0, the
 * distance of a pair that is apart is a lower bound of the gap.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function contact(
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions = {},
): CpuPlanarContact {
  const found = run('contacts', a, poseA, b, poseB, options);
  const { featureA, featureB, lower, upper } = found;
  return { ...distanceResult(found, poseA), featureA, featureB, lower, upper };
}

/**
 * Computes one or two contact points of a pair that is at most `margin` (default 0) apart.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function manifold(
  a: CpuPlanarShape,
  poseA: CpuPlanarPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarPose,
  options: CpuOptions = {},
): CpuPlanarManifold {
  const found = run('manifolds', a, poseA, b, poseB, options);
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
): PairResult {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  expectKnown(options, 'options', CPU_OPTIONS);
  const { algorithm = 'auto', mprDepth } = options;
  checkShapes(a, b);
  const margin = queryMargin(query, options.margin);
  const leadStage = chooseLeadStage(query, algorithm);
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
  const bodies = {
    shapeA: a,
    poseA: { scale: scaleA, angle: angleA },
    shapeB: b,
    poseB: { scale: scaleB, angle: angleB },
  };
  makePair(bodies, offset, 0, pair);
  return queries[query](pair, margin, planarStage(leadStage), result, planarMprDepth(mprDepth));
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
