/**
 * The double-precision reference for one pair: the algorithms of `narrowphase/cpu`, without that entry's checks and
 * copies. Its input is rounded as testers round it: shapes, quaternions and scales to f32, positions to f64.
 */

import { makePair, createPair } from '../../src/cpu/pair.ts';
import type { Pair, Pose } from '../../src/cpu/pair.ts';
import { set, vec3 } from '../../src/cpu/math.ts';
import type { Vec3 } from '../../src/cpu/math.ts';
import { AT_ANY_DISTANCE, contact } from '../../src/cpu/queries/contacts.ts';
import { createPairResult } from '../../src/cpu/queries/result.ts';
import type { PairResult } from '../../src/cpu/queries/result.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';
import { aboutOrigin } from '../../src/shapes/core-middle.ts';
import { NO_GAUSS_MAP } from '../../src/shapes/gauss-map.ts';
import { NO_CELLS } from '../../src/shapes/support-cells.ts';
import { Status } from '../../src/api/types.ts';

/** Bodies and their shapes, as a scene of the command line or a family has them. */
export interface JudgedBodies {
  shapeData: ShapeData[];
  bodies: {
    /** Index into `shapeData`, n numbers. */
    shapes: Uint32Array;
    positions: Float64Array;
    quaternions: Float32Array;
    scales: Float32Array;
  };
}

/** Shapes and poses of a pair. Its arrays and vectors are overwritten for the next pair. */
export interface PosedPair {
  /** The pair as the algorithms see it. */
  pair: Pair;
  shapeA: ShapeData;
  shapeB: ShapeData;
  /** A's position. */
  origin: Vec3;
  /** max(s, |B - A|), with s the sum of both bounding radii. Tolerances are shares of it. */
  size: number;
  /** Whether the shapes are parts of bodies. */
  isOfParts: boolean;
  /** Whether a part is a triangle of a mesh. */
  isOfMesh: boolean;
  /** Whether those bodies have a cylinder, a cone or an ellipsoid among their parts. */
  hasCurvedParts: boolean;
}

/** What the reference or the oracle knows about a pair's signed distance. */
export interface KnownDistance {
  /** true: the distance is known and equals `low` and `high`. false: it lies between `low` and `high`. */
  hasAnswer: boolean;
  low: number;
  high: number;
  /** `low` and `high`, widened by the error of their source. An engine's bounds must contain this interval. */
  lower: number;
  upper: number;
}

/** A pair and its known distance. */
export interface Reference extends PosedPair {
  known: KnownDistance;
}

const NOTHING: ShapeData = {
  ...aboutOrigin(3, new Float64Array(), 0),
  kind: 0,
  halfExtents: [0, 0, 0],
  radius: 0,
  boundingRadius: 0,
  takesSat: false,
  extent: 0,
  vertices: new Float64Array(),
  pointIndices: new Uint32Array(),
  edges: new Uint32Array(),
  facePlanes: new Float64Array(),
  faceVertices: new Uint32Array(),
  faceStart: new Uint32Array(1),
  supportCells: NO_CELLS,
  gaussMap: NO_GAUSS_MAP,
};

export function createReference(): Reference {
  const known = { hasAnswer: false, low: 0, high: 0, lower: 0, upper: 0 };
  return {
    pair: createPair(),
    shapeA: NOTHING,
    shapeB: NOTHING,
    origin: vec3(),
    size: 0,
    isOfParts: false,
    isOfMesh: false,
    hasCurvedParts: false,
    known,
  };
}

const offset = vec3();
const poseA = { scale: 1, quaternion: new Float64Array(4) };
const poseB = { scale: 1, quaternion: new Float64Array(4) };

/** Fills in shapes, relative pose and size of the pair of bodies `a` and `b`. */
export function poseOfPair({ shapeData, bodies }: JudgedBodies, a: number, b: number, to: PosedPair): void {
  const { shapes, positions } = bodies;
  to.shapeA = shapeData[shapes[a]];
  to.shapeB = shapeData[shapes[b]];
  set(positions[3 * a], positions[3 * a + 1], positions[3 * a + 2], to.origin);
  set(positions[3 * b] - to.origin.x, positions[3 * b + 1] - to.origin.y, positions[3 * b + 2] - to.origin.z, offset);
  makePair(to.shapeA, poseOf(bodies, a, poseA), to.shapeB, poseOf(bodies, b, poseB), offset, to.pair);
  const reach = to.shapeA.boundingRadius * poseA.scale + to.shapeB.boundingRadius * poseB.scale;
  to.isOfParts = to.isOfMesh = to.hasCurvedParts = false;
  to.size = Math.max(reach, Math.sqrt(offset.x * offset.x + offset.y * offset.y + offset.z * offset.z));
}

const answer = createPairResult();

/**
 * Signed distance, normal, points and bounds of a pair, at any distance. Points are relative to A's position. The result
 * is overwritten by the next call.
 */
export function askReference({ pair, shapeA, shapeB }: PosedPair): PairResult {
  return contact(pair, shapeA, shapeB, AT_ANY_DISTANCE, answer);
}

/** Sets the known distance from an answer of the reference. Without a distance, only its bounds count. */
export function setKnownDistance(
  { status, distance, lower, upper }: Pick<PairResult, 'status' | 'distance' | 'lower' | 'upper'>,
  to: KnownDistance,
): void {
  to.hasAnswer = (status === Status.Separated || status === Status.Overlapping) && Number.isFinite(distance);
  to.low = to.hasAnswer ? distance : lower;
  to.high = to.hasAnswer ? distance : upper;
  to.lower = lower;
  to.upper = upper;
}

function poseOf({ quaternions, scales }: JudgedBodies['bodies'], body: number, to: typeof poseA): Pose {
  for (let i = 0; i < 4; i++) to.quaternion[i] = quaternions[4 * body + i];
  to.scale = scales[body];
  return to;
}
