/**
 * The double-precision reference, one pair at a time: the algorithms of `narrowphase/cpu`, on the numbers that testers
 * see (shapes, quaternions and scales rounded to f32, positions in 64 bits), without that entry's checks and copies.
 */

import { makePair, createPair } from '../../cpu/pair.ts';
import type { Pair, Pose } from '../../cpu/pair.ts';
import { set, vec3 } from '../../cpu/math.ts';
import type { Vec3 } from '../../cpu/math.ts';
import { contact } from '../../cpu/queries/contacts.ts';
import { createPairResult } from '../../cpu/queries/result.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import type { Scene, SceneBodies } from '../../scene/scene.ts';
import { Status } from '../../types.ts';

/** What the reference knows of a pair. Its arrays and vectors are written again for the next pair. */
export interface Reference {
  /** The pair as the algorithms see it. */
  pair: Pair;
  /** A's position. */
  origin: Vec3;
  /** The contact, whatever the distance; points are relative to A's position. */
  result: PairResult;
  /** max(s, |B - A|), s being the sum of both bounding radii: what tolerances are shares of. */
  size: number;
}

export function createReference(): Reference {
  return { pair: createPair(), origin: vec3(), result: createPairResult(), size: 0 };
}

const offset = vec3();
const poseA = { scale: 1, quaternion: new Float64Array(4) };
const poseB = { scale: 1, quaternion: new Float64Array(4) };

/** Signed distance, normal, points and bounds of the bodies `a` and `b`. */
export function askReference({ shapeData, bodies }: Scene, a: number, b: number, to: Reference): Reference {
  const { shapes, positions } = bodies;
  const shapeA = shapeData[shapes[a]];
  const shapeB = shapeData[shapes[b]];
  set(positions[3 * a], positions[3 * a + 1], positions[3 * a + 2], to.origin);
  set(positions[3 * b] - to.origin.x, positions[3 * b + 1] - to.origin.y, positions[3 * b + 2] - to.origin.z, offset);
  makePair(shapeA, poseOf(bodies, a, poseA), shapeB, poseOf(bodies, b, poseB), offset, to.pair);
  contact(to.pair, shapeA, shapeB, Infinity, true, to.result);
  const reach = shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale;
  to.size = Math.max(reach, Math.sqrt(offset.x * offset.x + offset.y * offset.y + offset.z * offset.z));
  return to;
}

function poseOf({ quaternions, scales }: SceneBodies, body: number, to: typeof poseA): Pose {
  for (let i = 0; i < 4; i++) to.quaternion[i] = quaternions[4 * body + i];
  to.scale = scales[body];
  return to;
}

/** Whether the reference itself has an answer; where it has none, only its bounds hold. */
export function hasAnswer({ result }: Reference): boolean {
  return result.status === Status.Separated || result.status === Status.Overlapping;
}
