/** Bodies of any shape as solids: convex parts with their poses, or a mesh with what it encloses. */

import { quaternionProduct, rotationMatrix, transform, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_POINT,
  CORE_SEGMENT,
} from '../../../src/generated/constants.ts';
import { hasVertices } from '../../../src/shapes/kinds.ts';
import { meshTree } from '../../../src/bvh/mesh-tree.ts';
import type { Compound, Mesh } from '../../../src/shapes/parts.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';
import { finish } from '../../../src/util/turns.ts';
import type { SolidScene } from './convex-meshes.ts';
import type { MeshTopology } from './mesh-topology.ts';
import { pointDistance } from './point-distance.ts';
import { createSolid, intoFrameOf, readSolid, type Solid } from './solid.ts';
import { createInside, type InsideTest } from './winding.ts';

export interface Body {
  /** The body's pose, with the shape of the scene. */
  whole: Solid;
  /** A convex body itself, or the parts of a compound. Empty for a mesh. */
  parts: Solid[];
  mesh?: MeshSolid;
}

/** A mesh in its body's frame. */
export interface MeshSolid extends MeshTopology {
  mesh: Mesh;
  /** Whether a point is inside; false for a mesh that is not closed. */
  isInside: InsideTest;
  /** Some points inside: x, y, z in turn. */
  innerPoints: number[];
}

/** A function that reads bodies of a scene. */
export function createBodyReader({ scene, topologies }: SolidScene): (body: number) => Body {
  const meshes = new Map<Mesh, MeshSolid>();
  const meshSolid = (mesh: Mesh): MeshSolid => {
    const known = meshes.get(mesh);
    if (known) return known;
    const topology = topologies.get(mesh)!;
    finish(meshTree(mesh));
    const inside = topology.isClosed ? createInside(topology.welded, topology.isOriented) : undefined;
    const made = {
      ...topology,
      mesh,
      isInside: inside?.isInside ?? (() => false),
      innerPoints: inside?.points() ?? [],
    };
    meshes.set(mesh, made);
    return made;
  };
  return (body) => {
    const whole = readSolid(scene, body, createSolid(scene.shapeData[0]));
    const { parts } = whole.shape;
    if (parts?.type === 'mesh') return { whole, parts: [], mesh: meshSolid(parts) };
    if (!parts) return { whole, parts: [whole] };
    return { whole, parts: partsOf(parts, whole) };
  };
}

function partsOf(compound: Compound<ShapeData>, whole: Solid): Solid[] {
  const [x, y, z, w] = whole.quaternion;
  return compound.shapes.map((shape, i) => {
    const part = createSolid(shape);
    part.scale = whole.scale * compound.scales[i];
    quaternionProduct(x, y, z, w, compound.quaternions.subarray(4 * i, 4 * i + 4), part.quaternion);
    rotationMatrix(part.quaternion, part.rotation);
    const [px, py, pz] = [0, 1, 2].map((k) => compound.positions[3 * i + k] * whole.scale);
    transform(whole.rotation, vec3(px, py, pz), part.position);
    part.position.x += whole.position.x;
    part.position.y += whole.position.y;
    part.position.z += whole.position.z;
    return part;
  });
}

/** A point of a body, in the frame of `solid`, with a ball of `radius` around it that is part of the body as well. */
export interface BodyPoint {
  solid: Solid;
  x: number;
  y: number;
  z: number;
  /** At full scale. */
  radius: number;
}

const RIM_POINTS = 8;

/** Points of a body: vertices of a mesh and points inside; of convex parts corners, points of rims, and the middle. */
export function pointsOf({ whole, parts, mesh }: Body): BodyPoint[] {
  if (mesh) {
    const { positions } = mesh.mesh;
    const { innerPoints } = mesh;
    const point = (from: ArrayLike<number>, at: number): BodyPoint => ({
      solid: whole,
      x: from[at],
      y: from[at + 1],
      z: from[at + 2],
      radius: 0,
    });
    return [
      ...Array.from({ length: innerPoints.length / 3 }, (_, i) => point(innerPoints, 3 * i)),
      ...Array.from(mesh.vertices, (v) => point(positions, 3 * v)),
    ];
  }
  return parts.flatMap((solid) => {
    const { kind, radius } = solid.shape;
    const ball = kind === CORE_ELLIPSOID ? 0 : radius * solid.scale;
    return corePoints(solid.shape).map(([x, y, z]) => ({ solid, x, y, z, radius: ball }));
  });
}

function corePoints({ kind, halfExtents, vertices }: ShapeData): [number, number, number][] {
  const [hx, hy, hz] = halfExtents;
  const rim = (y: number): [number, number, number][] =>
    Array.from({ length: RIM_POINTS }, (_, i) => {
      const angle = (2 * Math.PI * i) / RIM_POINTS;
      return [hx * Math.cos(angle), y, hx * Math.sin(angle)];
    });
  const middle: [number, number, number] = [0, 0, 0];
  switch (kind) {
    case CORE_POINT:
      return [middle];
    case CORE_SEGMENT:
      return [middle, [0, hy, 0], [0, -hy, 0]];
    case CORE_BOX: {
      const corners = Array.from({ length: 8 }, (_, bits): [number, number, number] => [
        bits & 1 ? hx : -hx,
        bits & 2 ? hy : -hy,
        bits & 4 ? hz : -hz,
      ]);
      return [middle, ...corners];
    }
    case CORE_CYLINDER:
      return [middle, [0, hy, 0], [0, -hy, 0], ...rim(hy), ...rim(-hy)];
    case CORE_CONE:
      return [middle, [0, hy, 0], [0, -hy, 0], ...rim(-hy)];
    case CORE_ELLIPSOID:
      return [middle, [hx, 0, 0], [-hx, 0, 0], [0, hy, 0], [0, -hy, 0], [0, 0, hz], [0, 0, -hz]];
    default: {
      // The middle of a hull is its centroid.
      const corners = Array.from({ length: vertices.length / 3 }, (_, v): [number, number, number] => [
        vertices[3 * v],
        vertices[3 * v + 1],
        vertices[3 * v + 2],
      ]);
      return [[hx, hy, hz], ...corners];
    }
  }
}

const local = vec3();

/** Whether a point of another body is inside a body. */
export function isInside(body: Body, { solid, x, y, z }: BodyPoint): boolean {
  if (body.mesh) {
    const p = intoFrameOf(solid, x, y, z, body.whole, local);
    return body.mesh.isInside(p.x, p.y, p.z);
  }
  return body.parts.some((part) => distanceFrom(part, solid, x, y, z) <= 0);
}

/** Signed distance of a point in the frame of `solid` from a convex part. */
export function distanceFrom(part: Solid, solid: Solid, x: number, y: number, z: number): number {
  const p = intoFrameOf(solid, x, y, z, part, local);
  return part.scale * pointDistance(part.shape, p.x, p.y, p.z);
}

/** The middle of a convex part in the world: the centroid of a hull, the origin of other shapes. */
export function middleOf(solid: Solid): Vec3 {
  const [x, y, z] = hasVertices(solid.shape.kind) ? solid.shape.halfExtents : [0, 0, 0];
  return placeOf({ solid, x, y, z });
}

/** The point in the world. */
export function placeOf({ solid, x, y, z }: Omit<BodyPoint, 'radius'>): Vec3 {
  const { rotation, position, scale } = solid;
  const at = transform(rotation, vec3(scale * x, scale * y, scale * z), vec3());
  return vec3(at.x + position.x, at.y + position.y, at.z + position.z);
}
