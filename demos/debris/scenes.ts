/**
 * The scenes: a wall of blocks, a solid cut into pieces, a heap, rubble on a terrain. The ground comes first, then the bodies,
 * the balls that wait, and the terrain if there is one.
 */

import type { MeshDescription, ShapeDescription } from 'narrowphase';
import type { Body } from './bodies.ts';
import { createRandom } from '../../verification/families/random.ts';
import { makeTerrain } from './terrain.ts';
import { cutBox } from './voronoi.ts';

export const SCENES = ['wall', 'solid', 'heap', 'terrain'] as const;
export type SceneName = (typeof SCENES)[number];

type Vector = readonly [number, number, number];

/** A throw that belongs to the scene: at this step, ball number `ball` flies. */
export interface Throw {
  step: number;
  ball: number;
  position: Vector;
  velocity: Vector;
}

export interface Scene {
  shapes: ShapeDescription[];
  bodies: Body[];
  /** Index of the first ball. */
  firstBall: number;
  throws: Throw[];
  /** Where the balls of the "Throw" button fly to. */
  aim: Vector;
  /** Half of the scene's width, for the camera. */
  size: number;
  height: number;
}

export const BALLS = 16;
export const BLOCK: Vector = [0.2, 0.1, 0.1];

/** The scene with about as many bodies as asked for. */
export function makeScene(name: SceneName, count: number): Scene {
  return { wall: makeWall, solid: makeSolid, heap: makeHeap, terrain: makeRubble }[name](count);
}

interface Ball {
  radius: number;
  density: number;
}

type Rest = Pick<Scene, 'throws' | 'aim' | 'size' | 'height'>;

function finish(
  shapes: ShapeDescription[],
  bodies: Body[],
  { radius, density }: Ball,
  rest: Rest,
  terrain?: MeshDescription,
): Scene {
  const ball = shapes.push({ type: 'sphere', radius }) - 1;
  const ground = shapes.push({ type: 'halfspace', normal: [0, 1, 0], offset: 0 }) - 1;
  const all: Body[] = [{ shape: ground, position: [0, 0, 0], fixed: true }, ...bodies];
  const firstBall = all.length;
  for (let i = 0; i < BALLS; i++) all.push({ shape: ball, position: [0, -50 - 3 * i, 0], density, waiting: true });
  if (terrain) all.push({ shape: shapes.push(terrain) - 1, position: [0, 0, 0], fixed: true });
  return { shapes, bodies: all, firstBall, ...rest };
}

/** Walls one behind the other, in a running bond, the lowest course first. Five balls knock them over. */
function makeWall(count: number): Scene {
  const courses = Math.max(6, Math.min(24, Math.round(Math.sqrt(count))));
  const depth = Math.max(1, Math.round(count / 4000));
  const length = Math.max(2, Math.round(count / courses / depth));
  const [x, y] = BLOCK;
  const bodies: Body[] = [];
  for (let course = 0; course < courses; course++) {
    for (let row = 0; row < depth; row++) {
      for (let i = 0; i < length; i++) {
        const left = i - (length - 1) / 2 + (course % 2) / 2 - 0.25;
        bodies.push({ shape: 0, position: [2.005 * x * left, y * (2 * course + 1), 1.5 * row - 0.75 * (depth - 1)] });
      }
    }
  }
  const size = length * x;
  const height = 2 * y * courses;
  const radius = Math.max(0.3, Math.min(0.7, height / 6));
  const throws = [
    [0, 0.7],
    [-0.55, 0.6],
    [0.55, 0.6],
    [-0.25, 0.35],
    [0.28, 0.3],
  ].map(([side, share], ball) => ({
    step: 30 + 20 * ball,
    ball,
    position: [side * size, share * height + 0.3, -5 - 0.75 * depth] as Vector,
    velocity: [0, 1.5, 12] as Vector,
  }));
  return finish(
    [{ type: 'box', halfExtents: [...BLOCK] }],
    bodies,
    { radius, density: 2.5 },
    { throws, aim: [0, height / 2, 0], size, height },
  );
}

/** Most different pieces that a solid is cut into; larger scenes repeat the solid. */
const PIECES = 400;

/** A third of a solid's mass, so that the first blow breaks it: a light ball only loosens pieces, which lean on each other. */
const WRECKING_BALL: Ball = { radius: 0.5, density: 8 };

/** Columns cut into convex pieces, which stay together until something strikes one of them. */
function makeSolid(count: number): Scene {
  const half: Vector = [0.9, 1.8, 0.9];
  const pieces = Math.min(PIECES, count);
  const solids = Math.max(1, Math.round(count / pieces));
  const side = Math.ceil(Math.sqrt(solids));
  const cells = cutBox(half, pieces, 7);
  const shapes: ShapeDescription[] = cells.map(({ points }) => ({ type: 'hull', points }));
  const placeOf = (solid: number): Vector => [
    3.2 * ((solid % side) - (side - 1) / 2),
    half[1],
    3.2 * (Math.floor(solid / side) - (side - 1) / 2),
  ];
  const bodies: Body[] = [];
  for (let solid = 0; solid < solids; solid++) {
    const place = placeOf(solid);
    for (const [shape, { centre }] of cells.entries()) {
      bodies.push({ shape, position: [0, 1, 2].map((k) => place[k] + centre[k]) as unknown as Vector, solid });
    }
  }
  // The middle one of the first row, which is the nearest to the camera.
  const aim = placeOf(side >> 1);
  return finish(shapes, bodies, WRECKING_BALL, { throws: [], aim, size: 1.6 * side + 0.6, height: 2 * half[1] });
}

/** Blocks, cubes, balls and pieces that fall on a heap. */
function makeHeap(count: number): Scene {
  const random = createRandom(11);
  const pieces = piecesOfCube(0.35);
  const shapes: ShapeDescription[] = [
    { type: 'box', halfExtents: [...BLOCK] },
    { type: 'box', halfExtents: [0.13, 0.13, 0.13] },
    { type: 'sphere', radius: 0.15 },
    ...pieces,
  ];
  const side = Math.max(3, Math.round(Math.cbrt(count / 2)));
  const bodies = Array.from({ length: count }, (_, i): Body => {
    const layer = Math.floor(i / (side * side));
    const [column, row] = [i % side, Math.floor(i / side) % side];
    const turn = Math.PI * random();
    return {
      shape: Math.floor(random() * shapes.length),
      position: [
        0.55 * (column - (side - 1) / 2 + 0.3 * (random() - 0.5)),
        0.5 + 0.55 * layer,
        0.55 * (row - (side - 1) / 2 + 0.3 * (random() - 0.5)),
      ],
      quaternion: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)],
    };
  });
  const height = 0.3 * side;
  const rest = { throws: [], aim: [0, height / 2, 0] as Vector, size: 0.65 * side, height };
  return finish(shapes, bodies, { radius: 0.5, density: 2.5 }, rest);
}

/** Metres between bodies that begin to fall. */
const RUBBLE_SPACING = 0.65;
const RUBBLE_LAYERS = 2;
/** The share of the terrain's half width that the rubble covers, and the least half width in metres. */
const RUBBLE_SHARE = 0.6;
const SMALLEST_TERRAIN = 4;

/** Pieces, blocks and some balls that fall on a terrain, and slide and roll into its valleys. */
function makeRubble(count: number): Scene {
  const random = createRandom(5);
  const shapes: ShapeDescription[] = [
    { type: 'sphere', radius: 0.13 },
    { type: 'box', halfExtents: [...BLOCK] },
    { type: 'box', halfExtents: [0.13, 0.13, 0.13] },
    ...piecesOfCube(0.35),
    ...piecesOfCube(0.45),
  ];
  const places = middleCells(Math.ceil(count / RUBBLE_LAYERS));
  const radius = RUBBLE_SPACING * Math.hypot(...places.at(-1)!);
  const half = Math.max(SMALLEST_TERRAIN, radius / RUBBLE_SHARE);
  const { mesh, heightAt } = makeTerrain(half);
  const bodies = Array.from({ length: count }, (_, i): Body => {
    const layer = Math.floor(i / places.length);
    const [x, z] = places[i % places.length].map((cell) => RUBBLE_SPACING * (cell + 0.2 * (random() - 0.5)));
    const quaternion = [0, 1, 2, 3].map(() => random() - 0.5);
    const length = Math.hypot(...quaternion);
    return {
      shape: Math.floor(random() * shapes.length),
      position: [x, heightAt(x, z) + 0.6 + RUBBLE_SPACING * layer, z],
      quaternion: quaternion.map((value) => value / length) as unknown as Body['quaternion'],
    };
  });
  const rest: Rest = { throws: [], aim: [0, heightAt(0, 0) + 0.3, 0], size: 0.85 * half, height: 1 };
  return finish(shapes, bodies, { radius: 0.5, density: 2.5 }, rest, mesh);
}

/** The cells of a grid that are nearest to its middle. */
function middleCells(count: number): [number, number][] {
  const side = 2 * Math.ceil(Math.sqrt(count / Math.PI)) + 3;
  const cells = Array.from({ length: side * side }, (_, i): [number, number] => [
    (i % side) - (side - 1) / 2,
    Math.floor(i / side) - (side - 1) / 2,
  ]);
  return cells.sort((a, b) => Math.hypot(...a) - Math.hypot(...b)).slice(0, count);
}

function piecesOfCube(half: number): ShapeDescription[] {
  return cutBox([half, half, half], 12, 3).map(({ points }) => ({ type: 'hull', points }));
}
