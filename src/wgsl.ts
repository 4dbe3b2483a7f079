/** narrowphase/wgsl: the records that kernels read and write, as WGSL text and byte layouts, for your own shaders. */
import { layouts as all } from './generated/layouts.ts';

const { Shape, Pose, Velocity, Distance, Contact, Manifold, Impact, RayCast, RayHit, Counts } = all;
const { PlanarShape, PlanarPose, PlanarVelocity, PlanarDistance, PlanarContact, PlanarManifold, PlanarImpact } = all;
const { PlanarRayCast, PlanarRayHit } = all;

/** Size in bytes, and offset of each field, of the structs below. The size is also the stride in arrays. */
export const layouts = {
  Shape,
  Pose,
  Velocity,
  Distance,
  Contact,
  Manifold,
  Impact,
  RayCast,
  RayHit,
  Counts,
  PlanarShape,
  PlanarPose,
  PlanarVelocity,
  PlanarDistance,
  PlanarContact,
  PlanarManifold,
  PlanarImpact,
  PlanarRayCast,
  PlanarRayHit,
} as const;

export { LIST_COUNT, LIST_HEADER } from './generated/constants.ts';

/**
 * WGSL text of records. Each text compiles alone, and any of them together.
 *
 * - `resultsWgsl`: the structs in result buffers (`Distance`, `Contact`, `Manifold`, `Impact`, `Counts`), the
 *   constants of their `info` words and of `output.hits`, and functions that read them, such as `contactStatus(c)`
 *   and `manifoldPointCount(m)`.
 * - `shapesWgsl`: the structs `Shape`, `Pose`, `Velocity` and `Core`.
 * - `planarResultsWgsl`: the structs of 2-D results (`PlanarDistance`, `PlanarContact`, `PlanarManifold`,
 *   `PlanarImpact`) and functions that read them. `Counts` and the constants are in `resultsWgsl`.
 * - `planarShapesWgsl`: the structs `PlanarShape`, `PlanarPose`, `PlanarVelocity` and `PlanarCore`.
 * - `raysWgsl`: the structs of batches that cast rays (`RayCast`, `RayHit`, `PlanarRayCast`, `PlanarRayHit`), and
 *   `NO_BODY`.
 */
export { resultsWgsl, shapesWgsl, planarResultsWgsl, planarShapesWgsl, raysWgsl } from './generated/records.ts';
