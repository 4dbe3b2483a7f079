/** Arguments of the reference in 2-D: shapes and poses, and their checks. */
import { invalidInput } from '../../api/errors.ts';
import { expectCoordinate } from '../../request/validate-bodies.ts';
import { expectedOfScale } from '../../request/validate-scales.ts';
import { LARGEST_EXACT_SIZE } from '../../shapes/fields.ts';
import { expectKnown, namesOf } from '../../util/known.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';

/** A shape made by `createShape`. */
export type CpuPlanarShape = PlanarShapeData;

/** Place of a 2-D body. */
export interface CpuPlanarPose {
  /** World-space position x, y. */
  position: ArrayLike<number>;
  /** Rotation in radians, counter-clockwise. */
  angle: number;
  /** Uniform positive scale factor; default 1. */
  scale?: number;
}

/** Place of a 2-D body at the start of a motion, and its velocities. */
export interface CpuPlanarMovingPose extends CpuPlanarPose {
  /** World-space velocity x, y in units per second. */
  linearVelocity: ArrayLike<number>;
  /** Angular velocity in radians per second, counter-clockwise about the body's origin. Default 0. */
  angularVelocity?: number;
}

/** Every query takes velocities, so that one object serves `impact` and the others. */
const POSE_FIELDS = namesOf<CpuPlanarMovingPose>({
  position: true,
  angle: true,
  scale: true,
  linearVelocity: true,
  angularVelocity: true,
});

export function checkShapes(a: CpuPlanarShape, b: CpuPlanarShape): void {
  if (!a?.normals) invalidInput('a', a, 'a shape from planar.createShape');
  if (!b?.normals) invalidInput('b', b, 'a shape from planar.createShape');
  for (const [name, { parts }] of Object.entries({ a, b }))
    if (parts) invalidInput(name, `a ${parts.type}`, 'a convex shape: testers take compounds and chains');
}

export function checkPose(shape: CpuPlanarShape, pose: CpuPlanarPose, field: string): void {
  if (typeof pose !== 'object' || pose === null) invalidInput(field, pose, '{ position, angle, scale? }');
  expectKnown(pose, field, POSE_FIELDS);
  const { position, angle, scale = 1 } = pose;
  if (!(position?.length === 2)) invalidInput(`${field}.position`, position, 'an array of 2 numbers');
  for (let i = 0; i < 2; i++) expectCoordinate(`${field}.position`, position, i);
  if (!Number.isFinite(angle)) invalidInput(`${field}.angle`, angle, 'a finite number of radians');
  const expected = expectedOfScale(scale, shape, LARGEST_EXACT_SIZE);
  if (expected) invalidInput(`${field}.scale`, scale, expected);
}
