/** Bodies of a scene as arrays, in the layout that the GPU's buffers have. */

import type { ShapeDescription, Tester } from 'narrowphase';
import { BODY_FLOATS, HELD } from './constants.ts';

export interface Body {
  /** Index into the scene's shapes. */
  shape: number;
  position: readonly [number, number, number];
  quaternion?: readonly [number, number, number, number];
  /** Kilograms per cubic metre. Default 1; only ratios matter. */
  density?: number;
  /** A body that never moves. */
  fixed?: boolean;
  /** The number of the solid that this is a piece of: it stays in place until something strikes the solid. */
  solid?: number;
  /** A ball that waits to be thrown: it meets nothing until then. */
  waiting?: boolean;
}

export interface SceneData {
  shapes: readonly ShapeDescription[];
  bodies: readonly Body[];
}

export interface BodyArrays {
  count: number;
  /** One shape id of the tester per body. */
  shapes: Uint32Array;
  /** 8 floats per body: position, scale 1, quaternion. */
  poses: Float32Array;
  /** 8 floats per body: linear velocity, 0, angular velocity, 0. */
  motions: Float32Array;
  /** 8 floats per body: mass, then the inertia about the centre: xx, yy, zz, xy, xz, yz, 0. All zero: it never moves. */
  masses: Float32Array;
  fixed: Uint32Array;
  /** Steps at rest: 0, or HELD and the number of the solid. */
  rests: Uint32Array;
  /** Collision groups: 0 for a ball that waits. */
  groups: Uint32Array;
  /** Whether a body is a mesh, so that contacts are between its triangles and other bodies. */
  hasMesh: boolean;
}

/** A contact point that presses. */
export interface PressingPoint {
  /** Its bodies. */
  a: number;
  b: number;
  /** Bodies, parts and feature: the same point has the same in the next step. */
  id: string;
}

export const ALL_GROUPS = 0xffff_ffff;

/** Centres of mass must be at the shapes' origins. `ids` are the tester's ids of the scene's shapes. */
export function makeBodyArrays({ shapes, bodies }: SceneData, ids: readonly number[], tester: Tester): BodyArrays {
  const count = bodies.length;
  const arrays: BodyArrays = {
    count,
    shapes: Uint32Array.from(bodies, ({ shape }) => ids[shape]),
    poses: new Float32Array(BODY_FLOATS * count),
    motions: new Float32Array(BODY_FLOATS * count),
    masses: new Float32Array(BODY_FLOATS * count),
    fixed: Uint32Array.from(bodies, ({ fixed }) => Number(fixed ?? false)),
    rests: Uint32Array.from(bodies, ({ solid }) => (solid === undefined ? 0 : HELD + solid)),
    groups: Uint32Array.from(bodies, ({ waiting }) => (waiting ? 0 : ALL_GROUPS)),
    hasMesh: bodies.some(({ shape }) => shapes[shape].type === 'mesh'),
  };
  for (const [i, { shape, position, quaternion = [0, 0, 0, 1], ...body }] of bodies.entries()) {
    arrays.poses.set([...position, 1, ...quaternion], BODY_FLOATS * i);
    if (!body.fixed && !body.waiting) arrays.masses.set(massOf(tester, ids[shape], body.density), BODY_FLOATS * i);
  }
  return arrays;
}

/** The bodies as queries take them. */
export function posedBodies(shapes: Uint32Array, poses: Float32Array) {
  const positions = new Float32Array(3 * shapes.length);
  const quaternions = new Float32Array(4 * shapes.length);
  for (let i = 0; i < shapes.length; i++) {
    positions.set(poses.subarray(BODY_FLOATS * i, BODY_FLOATS * i + 3), 3 * i);
    quaternions.set(poses.subarray(BODY_FLOATS * i + 4, BODY_FLOATS * i + 8), 4 * i);
  }
  return { shapes, positions, quaternions };
}

/** A record of `masses`. */
export function massOf(tester: Tester, id: number, density = 1): number[] {
  const { volume, inertia } = tester.massProperties(id);
  const [xx, xy, xz, , yy, yz, , , zz] = inertia;
  return [volume, xx, yy, zz, xy, xz, yz, 0].map((value) => density * value);
}
