/** The two bodies of a pair, and where B is relative to A. */
import type { Placement } from '../../bvh/placement.ts';
import type { AnyBodies } from '../../records/bodies.ts';
import { relativeQuaternion, rotationMatrix, set, transformBack, vec3, type Vec3 } from '../math.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { createBodyPlace, placeBody, type BodyPlace } from './part-place.ts';

export interface PairPlaces {
  /** Which pair of a request it is, as far as the caller notes it; -1 before the first. */
  pair: number;
  a: BodyPlace;
  b: BodyPlace;
  /** B's position minus A's, in world axes. */
  offset: Vec3;
  /** The same in A's axes, with the rotation between them, for traversals of their trees. */
  placement: { -readonly [Name in keyof Placement]: Placement[Name] };
}

export function createPairPlaces(): PairPlaces {
  return {
    pair: -1,
    a: createBodyPlace(),
    b: createBodyPlace(),
    offset: vec3(),
    placement: { rotation: new Float64Array(9), translation: new Float64Array(3), scaleA: 1, scaleB: 1 },
  };
}

const relative = new Float64Array(4);
const inA = vec3();

export function placePair(
  bodies: AnyBodies,
  table: readonly (ShapeData | undefined)[],
  bodyA: number,
  bodyB: number,
  { a, b, offset, placement }: PairPlaces,
): void {
  placeBody(bodies, table, bodyA, a);
  placeBody(bodies, table, bodyB, b);
  const { positions } = bodies;
  const { axes } = a;
  const fromA = axes * bodyA;
  const fromB = axes * bodyB;
  const third = axes === 3 ? positions[fromB + 2] - positions[fromA + 2] : 0;
  set(positions[fromB] - positions[fromA], positions[fromB + 1] - positions[fromA + 1], third, offset);
  rotationMatrix(relativeQuaternion(a.quaternion, b.quaternion, relative), placement.rotation);
  const { x, y, z } = transformBack(a.rotation, offset, inA);
  placement.translation[0] = x;
  placement.translation[1] = y;
  placement.translation[2] = z;
  placement.scaleA = a.scale;
  placement.scaleB = b.scale;
}
