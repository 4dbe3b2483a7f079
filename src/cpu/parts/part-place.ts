/** Where a part of a body is, and what shape it has. */
import type { AnyBodies } from '../../records/bodies.ts';
import { quaternionProduct, rotationMatrix, set, transform, vec3, type Vec3 } from '../math.ts';
import { createTriangle, setCorners, setTriangle, type MutableTriangle } from '../../shapes/mesh-triangle.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { makePair, type Pair } from '../pair.ts';

/** A body as a whole. In 2-D, rotations are about the third axis, and its shape is that of 2-D. */
export interface BodyPlace {
  /** Which of the bodies it is. */
  body: number;
  axes: 2 | 3;
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
    body: -1,
    axes: 3,
    shape: undefined!,
    scale: 1,
    quaternion: new Float64Array(4),
    rotation: new Float64Array(9),
  };
}

export function createPartPlace(): PartPlace & { triangle: MutableTriangle } {
  return { shape: undefined!, scale: 1, quaternion: new Float64Array(4), offset: vec3(), triangle: createTriangle() };
}

export function placeBody(
  bodies: AnyBodies,
  table: readonly (ShapeData | undefined)[],
  body: number,
  to: BodyPlace,
): void {
  const { shapes, scales } = bodies;
  to.body = body;
  to.shape = table[shapes[body]]!;
  to.scale = scales ? scales[body] : 1;
  if ('angles' in bodies) {
    to.axes = 2;
    turnAboutThird(bodies.angles[body], to);
    return;
  }
  const { quaternions } = bodies;
  to.axes = 3;
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

/** Rotates a body by an angle in radians. */
function turnAboutThird(angle: number, { quaternion, rotation }: BodyPlace): void {
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  quaternion.fill(0);
  quaternion[2] = Math.sin(angle / 2);
  quaternion[3] = Math.cos(angle / 2);
  rotation.fill(0);
  rotation[0] = rotation[4] = cosine;
  rotation[1] = sine;
  rotation[3] = -sine;
  rotation[8] = 1;
}

/**
 * Places a part. A triangle of a mesh is in the mesh's frame. Its shape is the same object for all triangles; unless `isWhole`,
 * it has vertices only, which is enough for distances.
 */
export function placePart(
  { shape, scale, quaternion, rotation }: BodyPlace,
  part: number,
  isWhole: boolean,
  to: PartPlace & { triangle: MutableTriangle },
): void {
  const { parts } = shape;
  if (parts?.type === 'compound') {
    to.shape = parts.shapes[part];
    to.scale = scale * parts.scales[part];
    const { positions, quaternions } = parts;
    const own = quaternions.subarray(4 * part, 4 * part + 4);
    quaternionProduct(quaternion[0], quaternion[1], quaternion[2], quaternion[3], own, to.quaternion);
    set(positions[3 * part] * scale, positions[3 * part + 1] * scale, positions[3 * part + 2] * scale, to.offset);
    transform(rotation, to.offset, to.offset);
    return;
  }
  to.shape = shape;
  if (parts) to.shape = isWhole ? setTriangle(parts, part, to.triangle) : setCorners(parts, part, to.triangle);
  to.scale = scale;
  for (let k = 0; k < 4; k++) to.quaternion[k] = quaternion[k];
  set(0, 0, 0, to.offset);
}

const between = vec3();

/** Makes a pair of two parts. `offset` is B's position minus A's, in world axes. */
export function pairOfParts(a: PartPlace, b: PartPlace, offset: Vec3, to: Pair): Pair {
  set(
    offset.x + b.offset.x - a.offset.x,
    offset.y + b.offset.y - a.offset.y,
    offset.z + b.offset.z - a.offset.z,
    between,
  );
  return makePair(a.shape, a, b.shape, b, between, to);
}
