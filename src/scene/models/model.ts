/** What the readers of model files make: shapes and placed bodies, before the shapes are checked. */

import type { ShapeDescription } from '../../api/shapes.ts';
import type { BodyName } from './body-names.ts';
import type { Quaternion, Triple } from './transform.ts';

/** Triangles of any kind: x, y, z of each vertex, and three vertex indices per triangle. */
export interface MeshShape {
  type: 'mesh';
  positions: Float32Array;
  indices: Uint32Array;
}

/** Convex shapes in the frame of their body. */
export interface CompoundShape {
  type: 'compound';
  parts: CompoundPart[];
}

export interface CompoundPart {
  shape: ShapeDescription;
  position: number[];
  quaternion: number[];
  scale: number;
}

export type ModelShape = ShapeDescription | MeshShape | CompoundShape;

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
  shapes: { description: ModelShape; owner: string }[];
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
