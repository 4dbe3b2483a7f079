/** What the readers of model files make: shapes and placed bodies, before the shapes are checked. */

import type { ShapeDescription } from '../../../src/api/shapes.ts';
import type { BodyName } from './body-names.ts';
import type { Quaternion, Triple } from './transform.ts';

export interface ModelBody {
  name: BodyName;
  /** Index into the shapes. */
  shape: number;
  position: Triple;
  /** x, y, z, w. */
  rotation: Quaternion;
  scale: number;
}

export interface Model {
  /** `owner` names the mesh or node in errors. */
  shapes: { description: ShapeDescription; owner: string }[];
  bodies: ModelBody[];
}

export interface ModelOptions {
  /** Whether meshes become their convex hulls. */
  hulls: boolean;
}

/**
 * Limits of a model. `vertices` and `triangles` count what all shapes of a scene have. `components`: numbers that the
 * accessors of a glTF file decode to. `emptyElements`: elements of accessors that the file describes without storing them.
 */
export const MODEL_LIMITS = {
  fileBytes: 2 ** 30,
  textBytes: 256 * 2 ** 20,
  vertices: 2 ** 25,
  triangles: 2 ** 26,
  components: 2 ** 28,
  emptyElements: 1_000_000,
} as const;
