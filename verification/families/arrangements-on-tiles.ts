/**
 * Pairs of a body and a tile: sliding onto it, resting on it, rising from it, landing or passing by. Each has its time
 * of impact without rotation.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';

export interface Arrangement<Shape> {
  name: string;
  a: Shape;
  b: Shape;
  /** B's position and velocity; A is at rest at the origin. */
  position: number[];
  velocity: number[];
  duration: number;
  /** Time of impact without rotation. */
  time?: number;
}

const TILE: ShapeDescription = { type: 'box', halfExtents: [0.5, 0.5, 2] };
const WEDGE_POINTS = [
  -0.5, -0.25, -0.25, 0.5, -0.25, -0.25, -0.5, -0.25, 0.25, 0.5, -0.25, 0.25, -0.5, 0.25, -0.25, -0.5, 0.25, 0.25,
];

/** Shapes whose lowest points are 0.25 below the origin. */
const RIDERS: [name: string, shape: ShapeDescription][] = [
  ['a box', { type: 'box', halfExtents: [0.5, 0.25, 0.25] }],
  ['a wedge', { type: 'hull', points: WEDGE_POINTS }],
  ['an upright cylinder', { type: 'cylinder', halfHeight: 0.25, radius: 0.3 }],
  ['a rounded box', { type: 'box', halfExtents: [0.4, 0.15, 0.15], radius: 0.1 }],
  ['a cone', { type: 'cone', halfHeight: 0.25, radius: 0.3 }],
];

export const arrangements: Arrangement<ShapeDescription>[] = [
  ...RIDERS.flatMap(([name, b]): Arrangement<ShapeDescription>[] => [
    { name: `${name} slides onto a tile`, a: TILE, b, position: [-2, 0.75, 0], velocity: [1, 0, 0], duration: 3 },
    {
      name: `${name} slides on a tile and off it`,
      a: TILE,
      b,
      position: [0, 0.75, 0],
      velocity: [1, 0, 0.3],
      duration: 3,
    },
    {
      name: `${name} rests on a tile`,
      a: TILE,
      b,
      position: [0.1, 0.75, 0],
      velocity: [0, 0, 0],
      duration: 1,
      time: 0,
    },
    { name: `${name} rises from a tile`, a: TILE, b, position: [0.1, 0.75, 0], velocity: [1, 1, 0], duration: 1 },
    {
      name: `${name} presses on a tile`,
      a: TILE,
      b,
      position: [0.1, 0.75, 0],
      velocity: [1, -0.1, 0],
      duration: 1,
      time: 0,
    },
    {
      name: `${name} lands on a tile`,
      a: TILE,
      b,
      position: [-0.5, 1.75, 0],
      velocity: [0.5, -1, 0],
      duration: 2,
      time: 1,
    },
    {
      name: `${name} lands on a tile just before the motion ends`,
      a: TILE,
      b,
      position: [0, 1.75, 0],
      velocity: [0, -1, 0],
      duration: 1 + 1e-11,
      time: 1,
    },
    { name: `${name} passes by a tile's side`, a: TILE, b, position: [-2, 0.76, 0], velocity: [1, 0, 0], duration: 3 },
  ]),
  {
    name: 'a box runs into a side',
    a: TILE,
    b: RIDERS[0][1],
    position: [-3, 0.5, 0],
    velocity: [1, 0, 0],
    duration: 3,
    time: 2,
  },
  { name: 'a box grazes an edge', a: TILE, b: RIDERS[0][1], position: [-3, 0, 2.25], velocity: [1, 0, 0], duration: 5 },
  {
    name: 'rods cross',
    a: { type: 'capsule', halfHeight: 1, radius: 0.125 },
    b: { type: 'box', halfExtents: [1, 0.125, 0.125] },
    position: [0, 0, 1.25],
    velocity: [0, 0, -1],
    duration: 2,
    time: 1,
  },
];

const PLANAR_TILE: PlanarConvexDescription = { type: 'rectangle', halfExtents: [0.5, 0.5] };
const PLANAR_RIDERS: [name: string, shape: PlanarConvexDescription][] = [
  ['a rectangle', { type: 'rectangle', halfExtents: [0.5, 0.25] }],
  ['a wedge', { type: 'polygon', points: [-0.5, -0.25, 0.5, -0.25, -0.5, 0.25] }],
  ['a rounded rectangle', { type: 'rectangle', halfExtents: [0.4, 0.15], radius: 0.1 }],
];

export const planarArrangements: Arrangement<PlanarConvexDescription>[] = PLANAR_RIDERS.flatMap(([name, b]) => [
  { name: `${name} slides onto a tile`, a: PLANAR_TILE, b, position: [-2, 0.75], velocity: [1, 0], duration: 3 },
  { name: `${name} rests on a tile`, a: PLANAR_TILE, b, position: [0.1, 0.75], velocity: [0, 0], duration: 1, time: 0 },
  { name: `${name} rises from a tile`, a: PLANAR_TILE, b, position: [0.1, 0.75], velocity: [1, 1], duration: 1 },
  {
    name: `${name} presses on a tile`,
    a: PLANAR_TILE,
    b,
    position: [0.1, 0.75],
    velocity: [1, -0.1],
    duration: 1,
    time: 0,
  },
  {
    name: `${name} presses on a tile for no time`,
    a: PLANAR_TILE,
    b,
    position: [0.1, 0.75],
    velocity: [0, -1],
    duration: 0,
    time: 0,
  },
  {
    name: `${name} lands on a tile`,
    a: PLANAR_TILE,
    b,
    position: [-0.5, 1.75],
    velocity: [0.5, -1],
    duration: 2,
    time: 1,
  },
  {
    name: `${name} lands on a tile just before the motion ends`,
    a: PLANAR_TILE,
    b,
    position: [0, 1.75],
    velocity: [0, -1],
    duration: 1 + 1e-11,
    time: 1,
  },
  { name: `${name} passes by a tile's side`, a: PLANAR_TILE, b, position: [-2, 0.76], velocity: [1, 0], duration: 3 },
]);
