/** The answer for one pair of a query in 3-D on the CPU, in double precision. */
import { CORE_POINT, CURVED_MOTION_TOUCH_ULPS, MOTION_TOUCH_ULPS } from '../generated/constants.ts';
import { isCurved } from '../shapes/kinds.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { BodyMotion } from '../records/bodies.ts';
import { turnsTooFar } from '../records/turning.ts';
import type { PosedBodies } from '../api/types.ts';
import { answerParts } from './parts/answer-parts.ts';
import type { AskedPairs } from './asked-pairs.ts';
import { type Vec3, set } from './math.ts';
import { createPair, makePair } from './pair.ts';
import { contact } from './queries/contacts.ts';
import { distance } from './queries/distances.ts';
import { impactOfBodies } from './queries/impacts.ts';
import { intersects } from './queries/intersects.ts';
import { manifold } from './queries/manifolds.ts';
import { createMotion } from './queries/motion.ts';
import { invalidPair, type PairResult } from './queries/result.ts';

const algorithms = { intersects, distances: distance, contacts: contact, manifolds: manifold };

const pair = createPair();
const motion = createMotion();
const { offset } = motion;

/** The answer for one pair of a query. GJK starts from `guess`, if given, and leaves there what it ended with. */
export function answerPair(asked: AskedPairs, index: number, to: PairResult, guess?: Float64Array): void {
  const { what, over } = asked;
  const { query, leadStage, margin } = what;
  const { pairs, motion: moving } = over;
  const bodies = over.bodies as PosedBodies;
  const { positions } = bodies;
  const shapes = over.shapes.shapes as unknown as readonly ShapeData[];
  const a = pairs[2 * index];
  const b = pairs[2 * index + 1];
  const shapeA = shapes[bodies.shapes[a]];
  const shapeB = shapes[bodies.shapes[b]];
  if (over.parts && (shapeA.parts || shapeB.parts)) {
    answerParts(asked, index, to);
    return;
  }
  set(
    positions[3 * b] - positions[3 * a],
    positions[3 * b + 1] - positions[3 * a + 1],
    positions[3 * b + 2] - positions[3 * a + 2],
    offset,
  );
  if (query === 'impacts') {
    if (turnsTooFar(moving!, a, 3) || turnsTooFar(moving!, b, 3)) {
      invalidPair(to);
      return;
    }
    setMotion(moving!, a, b, shapeA.kind, shapeB.kind);
    motion.margin = margin;
    motion.touchTolerance =
      isCurved(shapeA.kind) || isCurved(shapeB.kind)
        ? CURVED_MOTION_TOUCH_ULPS * F32_EPSILON
        : MOTION_TOUCH_ULPS * F32_EPSILON;
    const ofTwo = { shapeA, poseA: poseOf(bodies, a, poseA), shapeB, poseB: poseOf(bodies, b, poseB), motion };
    impactOfBodies(pair, ofTwo, leadStage, to);
    return;
  }
  makePair(shapeA, poseOf(bodies, a, poseA), shapeB, poseOf(bodies, b, poseB), offset, pair);
  algorithms[query](pair, shapeA, shapeB, what, to, guess);
}

/** Machine epsilon of f32: what callers' positions and the times they get are rounded to. */
const F32_EPSILON = 2 ** -23;

/** Spheres look the same however they turn. */
function setMotion(
  { linear, angular, duration, passesParting = false }: BodyMotion,
  a: number,
  b: number,
  kindA: number,
  kindB: number,
): void {
  set(
    linear[3 * b] - linear[3 * a],
    linear[3 * b + 1] - linear[3 * a + 1],
    linear[3 * b + 2] - linear[3 * a + 2],
    motion.velocity,
  );
  motion.duration = duration;
  motion.passesParting = passesParting;
  setAngularVelocity(angular, a, kindA, motion.angularVelocityA);
  setAngularVelocity(angular, b, kindB, motion.angularVelocityB);
}

function setAngularVelocity(angular: Float32Array | undefined, body: number, kind: number, to: Vec3): void {
  if (angular && kind !== CORE_POINT) set(angular[3 * body], angular[3 * body + 1], angular[3 * body + 2], to);
  else set(0, 0, 0, to);
}

const poseA = { scale: 1, quaternion: new Float64Array(4) };
const poseB = { scale: 1, quaternion: new Float64Array(4) };

function poseOf({ quaternions, scales }: PosedBodies, body: number, to: typeof poseA): typeof poseA {
  const { quaternion } = to;
  quaternion[0] = quaternions[4 * body];
  quaternion[1] = quaternions[4 * body + 1];
  quaternion[2] = quaternions[4 * body + 2];
  quaternion[3] = quaternions[4 * body + 3];
  to.scale = scales ? scales[body] : 1;
  return to;
}
