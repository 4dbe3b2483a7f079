/** The two parts that decide a capture of compounds or meshes, as a capture of two convex shapes. */
import type { Capture, CapturedMatrix, CapturedPose, SpaceCapture } from '../api/capture.ts';
import { invalidInput } from '../api/errors.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import { quaternionProduct, rotationMatrix, set, transform, vec3 } from '../cpu/math.ts';
import { contact, createShape, impact, type CpuMovingPose, type CpuShape } from '../cpu/one-pair.ts';
import { posesOfMatrices } from '../records/matrices.ts';
import { fromCaptureNumber } from './numbers.ts';

/** The two parts that decide a capture. */
export interface DecidingPair {
  /** The two parts' shapes, and their poses in the world. */
  capture: SpaceCapture;
  /** Index of A's part and of B's part; 0 for a convex body. */
  parts: [number, number];
}

/** Most pairs of parts that are compared. */
const MOST_PAIRS = 10_000;

/** A convex shape and its pose in the world. */
interface Placed {
  shape: ShapeDescription;
  pose: CapturedPose;
}

/** Consecutive numbers of parts. */
interface PartRange {
  first: number;
  count: number;
}

/**
 * Finds the two parts that decide a capture. These are the parts that the captured answer names. If it names none, they are
 * the parts that the reference finds to be nearest, deepest, or first to meet. Captures of convex shapes are returned as
 * they are.
 *
 * @param item Index of the answer, for a capture with several.
 * @throws NarrowphaseError `INVALID_INPUT` in 2-D, for an answer that is missing or names a part that the shape doesn't
 *   have, for compounds that rotate, and for more than 10,000 pairs of parts if the answer names none.
 */
export function decidingParts(capture: Capture, item = 0): DecidingPair {
  if (capture.dimension !== 3) invalidInput('dimension', capture.dimension, '3 for a trace');
  if (capture.shapes.every(isConvex)) return { capture, parts: [0, 0] };
  const result = [capture.result].flat()[item] as { partA?: number; partB?: number } | undefined;
  if (!result) invalidInput('result', capture.result, 'the answer for a pair of parts');
  const poses = [poseOf(capture, 0), poseOf(capture, 1)];
  const place = (side: number, part: number): Placed => placePart(capture.shapes[side], part, poses[side]);
  const [rangeA, rangeB] = [result.partA, result.partB].map((part, side) =>
    candidates(capture.shapes[side], part, side),
  );
  const pairCount = rangeA.count * rangeB.count;
  if (pairCount > MOST_PAIRS) invalidInput('shapes', pairCount, `at most ${MOST_PAIRS} pairs of parts`);
  const parts = pairCount === 1 ? firstOf(rangeA, rangeB) : leastPair(capture, rangeA, rangeB, place);
  const [a, b] = parts.map((part, side) => place(side, part));
  const { parts: _, ...options } = capture.options;
  const convex: SpaceCapture = {
    ...capture,
    shapes: [a.shape, b.shape],
    poses: [a.pose, b.pose],
    float64Positions: true,
    options,
    result: result as SpaceCapture['result'],
  };
  return { capture: convex, parts };
}

/** The named part, or all parts if none is named. A convex shape is its own only part. */
function candidates(shape: ShapeDescription, named: number | undefined, side: number): PartRange {
  const count = partCount(shape);
  if (named !== undefined && !(named < count))
    invalidInput(`result.${side === 0 ? 'partA' : 'partB'}`, named, `one of the ${count} parts`);
  return named === undefined || isConvex(shape) ? { first: 0, count } : { first: named, count: 1 };
}

function firstOf(a: PartRange, b: PartRange): [number, number] {
  return [a.first, b.first];
}

/** The pair of parts with the least distance, or the least time of impact. */
function leastPair(
  capture: SpaceCapture,
  rangeA: PartRange,
  rangeB: PartRange,
  place: (side: number, part: number) => Placed,
): [number, number] {
  const measure = capture.query === 'impacts' ? timeMeasure(capture) : distanceBetween;
  const [bodiesA, bodiesB] = [rangeA, rangeB].map(({ first, count }, side) =>
    Array.from({ length: count }, (_, i): Body => {
      const { shape, pose } = place(side, first + i);
      return { shape: createShape(shape), pose };
    }),
  );
  let best = firstOf(rangeA, rangeB);
  let least = Infinity;
  for (const [j, b] of bodiesB.entries())
    for (const [i, a] of bodiesA.entries()) {
      const value = measure(a, b);
      if (value >= least) continue;
      least = value;
      best = [rangeA.first + i, rangeB.first + j];
    }
  return best;
}

interface Body {
  shape: CpuShape;
  pose: CapturedPose;
}

function distanceBetween(a: Body, b: Body): number {
  return contact(a.shape, a.pose, b.shape, b.pose, { margin: Infinity }).distance;
}

function timeMeasure({ options }: SpaceCapture): (a: Body, b: Body) => number {
  const duration = fromCaptureNumber(options.duration!);
  const margin = options.margin === undefined ? 0 : fromCaptureNumber(options.margin);
  return (a, b) =>
    impact(a.shape, a.pose as CpuMovingPose, b.shape, b.pose as CpuMovingPose, { duration, margin }).unclampedTime;
}

function partCount(shape: ShapeDescription): number {
  if (shape.type === 'compound') return shape.parts.length;
  return shape.type === 'mesh' ? shape.indices.length / 3 : 1;
}

function isConvex({ type }: ShapeDescription): boolean {
  return type !== 'compound' && type !== 'mesh';
}

/** A part in the world. A triangle has the pose of its mesh. */
function placePart(shape: ShapeDescription, part: number, pose: CapturedPose): Placed {
  if (shape.type !== 'compound' && shape.type !== 'mesh') return { shape, pose };
  if (shape.type === 'mesh') {
    const corners = [0, 1, 2].map((corner) => shape.indices[3 * part + corner]);
    const points = corners.flatMap((vertex) => [0, 1, 2].map((k) => shape.positions[3 * vertex + k]));
    return { shape: { type: 'triangle', points }, pose };
  }
  if (pose.angularVelocity?.some((x) => x !== 0))
    invalidInput('poses', pose.angularVelocity, 'no rotation: parts of compounds that rotate have no trace');
  const { shape: own, position = [0, 0, 0], quaternion = [0, 0, 0, 1], scale = 1 } = shape.parts[part];
  const { scale: outer = 1 } = pose;
  const turn = rotationMatrix(pose.quaternion, new Float64Array(9));
  const away = set(position[0] * outer, position[1] * outer, position[2] * outer, vec3());
  transform(turn, away, away);
  const [x, y, z, w] = pose.quaternion;
  const product = quaternionProduct(x, y, z, w, quaternion, new Float64Array(4));
  return {
    shape: own,
    pose: {
      ...pose,
      position: [pose.position[0] + away.x, pose.position[1] + away.y, pose.position[2] + away.z],
      quaternion: Array.from(product) as CapturedPose['quaternion'],
      scale: scale * outer,
    },
  };
}

/** A body's pose with position, quaternion and scale in place of a matrix. */
export function poseOf(capture: SpaceCapture, side: number): CapturedPose {
  const given = capture.poses[side];
  if (!('matrix' in given)) return given;
  const { matrix, ...velocities } = given as CapturedMatrix;
  const matrices = capture.float64Positions ? Float64Array.from(matrix) : Float32Array.from(matrix);
  const { positions, quaternions, scales } = posesOfMatrices({ shapes: new Uint32Array(1), matrices });
  return {
    position: Array.from(positions) as CapturedPose['position'],
    quaternion: Array.from(quaternions) as CapturedPose['quaternion'],
    scale: scales[0],
    ...velocities,
  };
}
