/** Where a part of a body is, and what shape it has. */
import type { PosedBodies } from '../api/bodies.ts';
import { quaternionProduct, rotationMatrix, set, transform, vec3, type Vec3 } from '../cpu/math.ts';
import { createTriangle, setTriangle, triangleShape } from '../shapes/mesh-triangle.ts';
import type { ShapeData } from '../shapes/shape-data.ts';

/** A body as a whole. */
export interface BodyPlace {
  shape: ShapeData;
  scale: number;
  /** Unit quaternion x, y, z, w. */
  quaternion: Float64Array;
  /** Takes vectors from the body's frame to the world. */
  rotation: Float64Array;
}

/** A part of a body: a convex shape in a place of its own. */
export interface PartPlace {
  shape: ShapeData;
  scale: number;
  quaternion: Float64Array;
  /** Position relative to the body's, in world axes. */
  offset: Vec3;
}

export function createBodyPlace(): BodyPlace {
  return {
    shape: undefined!,
    scale: 1,
    quaternion: new Float64Array(4),
    rotation: new Float64Array(9),
  };
}

export function createPartPlace(): PartPlace & { triangle: ShapeData } {
  return { shape: undefined!, scale: 1, quaternion: new Float64Array(4), offset: vec3(), triangle: createTriangle() };
}

export function placeBody(
  { shapes, quaternions, scales }: PosedBodies,
  table: readonly (ShapeData | undefined)[],
  body: number,
  to: BodyPlace,
): void {
  to.shape = table[shapes[body]]!;
  to.scale = scales ? scales[body] : 1;
  const x = quaternions[4 * body];
  const y = quaternions[4 * body + 1];
  const z = quaternions[4 * body + 2];
  const w = quaternions[4 * body + 3];
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  to.quaternion[0] = x / length;
  to.quaternion[1] = y / length;
  to.quaternion[2] = z / length;
  to.quaternion[3] = w / length;
  rotationMatrix(to.quaternion, to.rotation);
}

/**
 * Places a part. A triangle of a mesh is in the mesh's frame. Unless `isWhole`, its shape has vertices only, which is
 * enough for distances; it is the same object for all triangles.
 */
export function placePart(
  { shape, scale, quaternion, rotation }: BodyPlace,
  part: number,
  isWhole: boolean,
  to: PartPlace & { triangle: ShapeData },
): void {
  const { parts } = shape;
  if (parts?.type === 'compound') {
    to.shape = parts.shapes[part];
    to.scale = scale * parts.scales[part];
    const { positions, quaternions } = parts;
    const [x, y, z, w] = quaternion;
    quaternionProduct(x, y, z, w, quaternions.subarray(4 * part, 4 * part + 4), to.quaternion);
    set(positions[3 * part] * scale, positions[3 * part + 1] * scale, positions[3 * part + 2] * scale, to.offset);
    transform(rotation, to.offset, to.offset);
    return;
  }
  to.shape = shape;
  if (parts) to.shape = isWhole ? triangleShape(parts, part) : setTriangle(parts, part, to.triangle);
  to.scale = scale;
  to.quaternion.set(quaternion);
  set(0, 0, 0, to.offset);
}
