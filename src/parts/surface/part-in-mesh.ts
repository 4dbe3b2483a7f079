/** A convex body, or a convex part of one, in the frame and unit of a mesh. */
import {
  relativeQuaternion,
  rotationMatrix,
  scale,
  set,
  transform,
  transformBack,
  vec3,
  type Vec3,
} from '../../cpu/math.ts';
import { createCore, makeCore, type Core } from '../../cpu/pair.ts';
import type { BodyPlace, PartPlace } from '../../cpu/parts/part-place.ts';
import { support, vertex } from '../../cpu/support.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';

export interface PartInMesh {
  shape: ShapeData;
  scale: number;
  readonly quaternion: Float64Array;
  /** Takes vectors from the part's frame to the mesh's. */
  readonly rotation: Float64Array;
  readonly position: Vec3;
  readonly core: Core;
  /** The greatest distance of its points from its position. */
  reach: number;
}

export function createPartInMesh(): PartInMesh {
  return {
    shape: undefined!,
    scale: 1,
    quaternion: new Float64Array(4),
    rotation: new Float64Array(9),
    position: vec3(),
    core: createCore(),
    reach: 0,
  };
}

/** Places a part whose body is at `offset` from the mesh's, in world axes. */
export function placeInMesh(mesh: BodyPlace, part: PartPlace, { x, y, z }: Vec3, to: PartInMesh): void {
  to.shape = part.shape;
  to.scale = part.scale / mesh.scale;
  relativeQuaternion(mesh.quaternion, part.quaternion, to.quaternion);
  rotationMatrix(to.quaternion, to.rotation);
  set(x + part.offset.x, y + part.offset.y, z + part.offset.z, to.position);
  scale(transformBack(mesh.rotation, to.position, to.position), 1 / mesh.scale, to.position);
  makeCore(part.shape, to.scale, to.core);
  to.reach = part.shape.boundingRadius * to.scale;
}

const local = vec3();

/** Writes the point of a part that is farthest along a unit vector. */
export function supportOf(
  { shape, core, rotation, position, scale: size }: PartInMesh,
  direction: Vec3,
  to: Vec3,
): Vec3 {
  transformBack(rotation, direction, local);
  const { x, y, z } = local;
  vertex(core, support(core, x, y, z), to);
  const { middle, radius } = shape;
  const round = radius * size;
  set(
    to.x + middle[0] * size + round * x,
    to.y + middle[1] * size + round * y,
    to.z + middle[2] * size + round * z,
    local,
  );
  transform(rotation, local, to);
  return set(to.x + position.x, to.y + position.y, to.z + position.z, to);
}

const lowest = vec3();
const backward = vec3();

/** The least height of a part along a unit vector. */
export function leastHeight(part: PartInMesh, direction: Vec3): number {
  supportOf(part, set(-direction.x, -direction.y, -direction.z, backward), lowest);
  return lowest.x * direction.x + lowest.y * direction.y + lowest.z * direction.z;
}

/** The greatest height of a part along a unit vector. */
export function greatestHeight(part: PartInMesh, direction: Vec3): number {
  supportOf(part, direction, lowest);
  return lowest.x * direction.x + lowest.y * direction.y + lowest.z * direction.z;
}
