/** What the page shows: two bodies in motion, and what is asked about them. */

import type {
  Algorithm,
  MovingBodies,
  PlanarMovingBodies,
  PlanarConvexDescription,
  ShapeDescription,
} from 'narrowphase';

export type AnyShape = ShapeDescription | PlanarConvexDescription;

export interface BodyState {
  shape: AnyShape;
  /** World-space position, 3 numbers or in 2-D 2. */
  position: number[];
  /** Quaternion x, y, z, w, or in 2-D one angle in radians. */
  rotation: number[];
  /** Velocity in units per second, 3 numbers or 2. */
  linear: number[];
  /** Angular velocity in radians per second, 3 numbers or 1. */
  angular: number[];
}

export interface PlaygroundScene {
  dimension: 2 | 3;
  bodies: [BodyState, BodyState];
  algorithm: Algorithm;
  /** Largest gap of manifolds. */
  margin: number;
  /** Seconds of motion. */
  duration: number;
}

/** How many numbers each field of a body has. */
export const LENGTHS = {
  2: { position: 2, rotation: 1, linear: 2, angular: 1 },
  3: { position: 3, rotation: 4, linear: 3, angular: 3 },
} as const;

/** Steps of all numbers that the page makes: the address and the code then have the same numbers as the page. */
const STEP = 1e5;

export function rounded(values: readonly number[]): number[] {
  return values.map((value) => Math.round(value * STEP) / STEP + 0);
}

export function bodyOf(shape: AnyShape, dimension: 2 | 3, place: Partial<Omit<BodyState, 'shape'>> = {}): BodyState {
  const zeros = { 2: [0, 0], 3: [0, 0, 0] }[dimension];
  return {
    shape,
    position: [...zeros],
    rotation: dimension === 3 ? [0, 0, 0, 1] : [0],
    linear: [...zeros],
    angular: dimension === 3 ? [...zeros] : [0],
    ...place,
  };
}

/** The arguments of the package's queries. `ids` are the shapes of both bodies. */
export function moving({ bodies }: PlaygroundScene, ids: readonly number[]): MovingBodies & PlanarMovingBodies {
  const both = (field: 'position' | 'rotation' | 'linear' | 'angular'): Float32Array =>
    Float32Array.from(bodies.flatMap((body) => body[field]));
  const turns = both('rotation');
  return {
    shapes: Uint32Array.from(ids),
    positions: both('position'),
    ...(turns.length === 8 ? { quaternions: turns } : { angles: turns }),
    linearVelocities: both('linear'),
    angularVelocities: both('angular'),
  } as MovingBodies & PlanarMovingBodies;
}

export function isMoving({ bodies }: PlaygroundScene): boolean {
  return bodies.some(({ linear, angular }) => [...linear, ...angular].some((value) => value !== 0));
}
