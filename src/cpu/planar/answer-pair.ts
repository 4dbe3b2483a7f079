/** The answer for one pair of a query in 2-D, in double precision. */
import { MOTION_TOUCH_ULPS } from '../../generated/constants.ts';
import { planarPart } from '../../shapes/planar-part-shapes.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import type { BodyMotion } from '../../records/bodies.ts';
import { turnsTooFar } from '../../records/turning.ts';
import type { PlanarBodies } from '../../api/types.ts';
import type { AskedPairs } from '../asked-pairs.ts';
import { invalidPair, type PairResult } from '../queries/result.ts';
import { set } from './math.ts';
import { createPlanarPair, makePair } from './pair.ts';
import { planarMprDepth, planarStage } from '../../request/planar-algorithm.ts';
import { contact } from './queries/contacts.ts';
import { distance } from './queries/distances.ts';
import { intersects } from './queries/intersects.ts';
import { impactOfBodies } from './queries/impacts.ts';
import { manifold } from './queries/manifolds.ts';
import { type MovingBodies, createMotion, isRound } from './queries/motion.ts';

const algorithms = { intersects, distances: distance, contacts: contact, manifolds: manifold };

const pair = createPlanarPair();
const motion = createMotion();
const { offset } = motion;
/** In ulps of f32, to which callers' positions and the times that they get are rounded. */
const TOUCH_TOLERANCE = MOTION_TOUCH_ULPS * 2 ** -23;
const poseA = { scale: 1, angle: 0 };
const poseB = { scale: 1, angle: 0 };
const posed: MovingBodies = { shapeA: undefined!, poseA, shapeB: undefined!, poseB, motion };

/** The answer for one pair of a query. */
export function answerPlanarPair({ what, over }: AskedPairs, index: number, to: PairResult): void {
  const { query, leadStage, mprDepth, margin } = what;
  const { pairs, motion: moving, parts } = over;
  const bodies = over.bodies as PlanarBodies;
  const shapes = over.shapes.shapes as unknown as readonly PlanarShapeData[];
  const { positions } = bodies;
  const a = pairs[2 * index];
  const b = pairs[2 * index + 1];
  set(positions[2 * b] - positions[2 * a], positions[2 * b + 1] - positions[2 * a + 1], offset);
  setPose(bodies, a, poseA);
  setPose(bodies, b, poseB);
  posed.shapeA = shapes[bodies.shapes[a]];
  posed.shapeB = shapes[bodies.shapes[b]];
  if (parts) {
    posed.shapeA = planarPart(posed.shapeA, parts.a[index]);
    posed.shapeB = planarPart(posed.shapeB, parts.b[index]);
  }
  if (query === 'impacts') {
    if (turnsTooFar(moving!, a, 1) || turnsTooFar(moving!, b, 1)) {
      invalidPair(to);
      return;
    }
    setMotion(moving!, a, b, posed.shapeA, posed.shapeB);
    motion.margin = margin;
    impactOfBodies(pair, posed, leadStage, to);
    return;
  }
  makePair(posed, offset, 0, pair);
  algorithms[query](pair, margin, planarStage(leadStage), to, planarMprDepth(mprDepth));
}

/** Circles look the same however they turn. */
function setMotion(
  { linear, angular, duration, passesParting = false }: BodyMotion,
  a: number,
  b: number,
  shapeA: PlanarShapeData,
  shapeB: PlanarShapeData,
): void {
  set(linear[2 * b] - linear[2 * a], linear[2 * b + 1] - linear[2 * a + 1], motion.velocity);
  motion.duration = duration;
  motion.passesParting = passesParting;
  motion.touchTolerance = TOUCH_TOLERANCE;
  motion.angularVelocityA = angular && !isRound(shapeA) ? angular[a] : 0;
  motion.angularVelocityB = angular && !isRound(shapeB) ? angular[b] : 0;
}

function setPose({ angles, scales }: PlanarBodies, body: number, to: typeof poseA): void {
  to.angle = angles[body];
  to.scale = scales ? scales[body] : 1;
}
