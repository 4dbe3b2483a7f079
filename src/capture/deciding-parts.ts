/** The two parts that decide a capture of compounds or meshes, as a capture of two convex shapes. */
import type { Capture, CapturedMatrix, CapturedPose, SpaceCapture } from '../api/capture.ts';
import { invalidInput } from '../api/errors.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import { quaternionProduct, rotationMatrix, set, transform, vec3 } from '../cpu/math.ts';
import { contact, createShape, impact, type CpuMovingPose } from '../cpu/one-pair.ts';
import { posesOfMatrices } from '../records/matrices.ts';
import { fromCaptureNumber } from './numbers.ts';

export interface DecidingPair {
  /** Of the two parts: their shapes, and their poses in the world. */
  capture: SpaceCapture;
  /** Part of A and of B; 0 for a convex body. */
  parts: [number, number];
}

/** Most pairs of parts that are searched for those that decide. */
const MOST_PAIRS = 10_000;

/**
 * Finds the parts that the captured answer names or, where it names none, those that the reference finds to be nearest,
 * deepest, or first to meet. `item`: which answer, if the capture has several. Convex captures are returned as they are.
 *
 * @throws NarrowphaseError `INVALID_INPUT` in 2-D, for an answer that is missing or names a part that is not there, for
 *   compounds that rotate, and for more than 10,000 pairs of parts of which none is named.
 */
export function decidingParts(capture: Capture, item = 0): DecidingPair {
  if (capture.dimension !== 3) invalidInput('dimension', capture.dimension, '3 for a trace');
  if (capture.shapes.every(isConvex)) return { capture, parts: [0, 0] };
  const result = [capture.result].flat()[item] as { partA?: number; partB?: number } | undefined;
  if (!result) invalidInput('result', capture.result, 'the answer for a pair of parts');
  const { parts: _, ...options } = capture.options;
  const ofParts = (parts: [number, number]): SpaceCapture => {
    const [a, b] = parts.map((part, side) => partOf(capture.shapes[side], part, poseOf(capture, side)));
    return {
      ...capture,
      shapes: [a.shape, b.shape],
      poses: [a.pose, b.pose],
      float64Positions: true,
      options,
      result: result as SpaceCapture['result'],
    };
  };
  const named = [result.partA, result.partB].map((part, side) => expectPart(capture.shapes[side], part, side));
  const parts = search(capture, named, ofParts);
  return { capture: ofParts(parts), parts };
}

/** The part that is named, or 0 for a convex shape; undefined if none is named. */
function expectPart(shape: ShapeDescription, part: number | undefined, side: number): number | undefined {
  const count = partCount(shape);
  if (part !== undefined && !(part < count))
    invalidInput(`result.${side === 0 ? 'partA' : 'partB'}`, part, `one of the ${count} parts`);
  return isConvex(shape) ? 0 : part;
}

/** Of the pairs of parts that are not ruled out by a name, that with the least distance or time. */
function search(
  { shapes, query }: SpaceCapture,
  named: readonly (number | undefined)[],
  ofParts: (parts: [number, number]) => SpaceCapture,
): [number, number] {
  const [partsA, partsB] = named.map((part, side) => (part === undefined ? partCount(shapes[side]) : 1));
  const count = partsA * partsB;
  if (count > MOST_PAIRS) invalidInput('shapes', count, `at most ${MOST_PAIRS} pairs of parts`);
  let best: [number, number] = [named[0] ?? 0, named[1] ?? 0];
  if (count === 1) return best;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const parts: [number, number] = [named[0] ?? i % partsA, named[1] ?? Math.floor(i / partsA)];
    const value = query === 'impacts' ? timeOf(ofParts(parts)) : distanceOf(ofParts(parts));
    if (value >= least) continue;
    least = value;
    best = parts;
  }
  return best;
}

function distanceOf({ shapes, poses }: SpaceCapture): number {
  const [a, b] = shapes.map(createShape);
  return contact(a, poses[0] as CapturedPose, b, poses[1] as CapturedPose, { margin: Infinity }).distance;
}

function timeOf({ shapes, poses, options }: SpaceCapture): number {
  const [a, b] = shapes.map(createShape);
  const [poseA, poseB] = poses as [CpuMovingPose, CpuMovingPose];
  const margin = options.margin === undefined ? 0 : fromCaptureNumber(options.margin);
  return impact(a, poseA, b, poseB, { duration: fromCaptureNumber(options.duration!), margin }).unclampedTime;
}

function partCount(shape: ShapeDescription): number {
  if (shape.type === 'compound') return shape.parts.length;
  return shape.type === 'mesh' ? shape.indices.length / 3 : 1;
}

function isConvex({ type }: ShapeDescription): boolean {
  return type !== 'compound' && type !== 'mesh';
}

type Placed = { shape: ShapeDescription; pose: CapturedPose };

/** A triangle has the pose of its mesh. */
function partOf(shape: ShapeDescription, part: number, pose: CapturedPose): Placed {
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

/** A body's pose by position and rotation. */
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
