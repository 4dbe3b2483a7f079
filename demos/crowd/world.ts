/** The start of a simulation: bodies, people, doors and places of entry, as typed arrays that both backends take. */

import type { PlanarShapeDescription } from 'narrowphase';
import type { Grid } from './grid.ts';
import { FARTHEST, cellAt, leafObstacle } from './grid.ts';
import { createRandom } from '../../verification/families/random.ts';
import { NOWHERE, OBSTACLE, PERSON, groups } from './rules.ts';
import type { Area, Obstacle, Scene } from './scenes.ts';

/** People are circles; some are capsules: a bicycle or a trolley along the direction in which they walk. */
export const CIRCLE = { type: 'circle', radius: 0.24 } as const;
export const CAPSULE = { type: 'capsule', halfHeight: 0.28, radius: 0.22 } as const;
const CAPSULE_SHARE = 0.18;

/** How many visitors clicks can throw in, in addition to the people of the plan, and how many one click throws in. */
const VISITORS = 480;
export const THROWN = 48;

/** How many walls can be drawn. */
export const MOST_DRAWN = 12;

const SPACING = 0.74;
const ENTRY_SPACING = 1.15;

/** Bodies are people (those of the plan, then visitors), leaves of doors, walls, and those for walls to be drawn. */
export interface World {
  scene: Scene;
  grid: Grid;
  /** People of the plan: fewer than the number asked for if there is no more room. */
  walkers: number;
  people: number;
  leaves: number;
  bodies: number;
  /** The first body for a wall that is drawn. */
  firstDrawn: number;
  /** Shapes, and the index among them of each body's. Those of drawn walls change. */
  shapes: PlanarShapeDescription[];
  shapeOf: Uint32Array;
  /** x, y, angle, scale per body: `PlanarPose` records. */
  poses: Float32Array;
  /** Per person: metres per second at ease, and zone to go to or `NOWHERE`. */
  speeds: Float32Array;
  targets: Uint32Array;
  /** Collision groups for the neighbours query, and for queries against walls alone. */
  groupsNear: Uint32Array;
  groupsWalls: Uint32Array;
  /** x, y, angle per place of entry, and its zone. */
  entries: { x: number; y: number; angle: number; zone: number }[];
}

export function makeWorld(scene: Scene, grid: Grid, wanted: number, seed: number): World {
  const random = createRandom(seed);
  const places = crowdPlaces(scene, grid, random);
  const walkers = Math.min(wanted, places.length);
  const people = walkers + VISITORS;
  const leaves = scene.doors.flatMap((door) => door.leaves);
  const obstacles = [...leaves.map(leafObstacle), ...scene.walls];
  const firstDrawn = people + obstacles.length;
  const bodies = firstDrawn + MOST_DRAWN;

  const poses = new Float32Array(4 * bodies);
  const shapeOf = new Uint32Array(bodies);
  const speeds = new Float32Array(people);
  const targets = new Uint32Array(people).fill(NOWHERE);
  const groupsNear = new Uint32Array(bodies).fill(groups(OBSTACLE, PERSON), people);
  const groupsWalls = groupsNear.slice();
  for (let i = 0; i < people; i++) {
    shapeOf[i] = random() < CAPSULE_SHARE ? 1 : 0;
    speeds[i] = (shapeOf[i] ? 1.25 : 1.1) + 0.5 * random();
    const isHere = i < walkers;
    const { x, y } = isHere ? places[i] : parkingPlace(scene, i);
    poses.set([x, y, isHere && shapeOf[i] ? 2 * Math.PI * (random() - 0.5) : 0, 1], 4 * i);
    if (!isHere) continue;
    targets[i] = Math.floor(random() * scene.zones.length);
    groupsNear[i] = groups(PERSON, PERSON | OBSTACLE);
    groupsWalls[i] = groups(PERSON, OBSTACLE);
  }
  const noWalls = Array.from({ length: MOST_DRAWN }, (_, k) => absentWall(scene, firstDrawn + k));
  const unmoved = [...obstacles, ...noWalls];
  unmoved.forEach(({ x, y, angle }, k) => {
    shapeOf[people + k] = 2 + k;
    poses.set([x, y, angle, 1], 4 * (people + k));
  });
  leaves.forEach(({ open, angle }, k) => poses.set([...open, angle, 1], 4 * (people + k)));

  const entries = scene.zones.flatMap(({ entrance }, zone) => (entrance ? entriesOf(entrance, zone) : []));
  const shapes = [CIRCLE, CAPSULE, ...unmoved.map(({ shape }) => shape)];
  return {
    scene,
    grid,
    walkers,
    people,
    leaves: leaves.length,
    bodies,
    firstDrawn,
    shapes,
    shapeOf,
    poses,
    speeds,
    targets,
    groupsNear,
    groupsWalls,
    entries,
  };
}

/** People who are not in the plan wait outside it, each in a place of their own. */
export function parkingPlace({ size }: Scene, person: number): { x: number; y: number } {
  return { x: size[0] + 2 * (person % 64), y: size[1] + 2 * Math.floor(person / 64) };
}

/** A body for a wall that is not drawn. */
export function absentWall(scene: Scene, body: number): Obstacle {
  return { shape: CIRCLE, ...parkingPlace(scene, body), angle: 0 };
}

/** Whether a person may stand here: no wall and no door, open or closed, within the reach of a turning capsule. */
export function isFree(scene: Scene, grid: Grid, x: number, y: number): boolean {
  if (Math.abs(x) > scene.size[0] / 2 - 1 || Math.abs(y) > scene.size[1] / 2 - 1) return false;
  const cell = cellAt(grid, x, y);
  return [grid.clearance, ...grid.doorClearance].every((clearance) => clearance[cell] >= FARTHEST - 1e-6);
}

/** Places of a hexagonal lattice in the areas of the crowd, in random order. */
function crowdPlaces(scene: Scene, grid: Grid, random: () => number): { x: number; y: number }[] {
  const places = scene.crowd.flatMap((area) =>
    lattice(area, SPACING, (SPACING * Math.sqrt(3)) / 2).filter(({ x, y }) => isFree(scene, grid, x, y)),
  );
  const inside = places.filter(
    ({ x, y }) => !scene.zones.some(({ exit: [x0, y0, x1, y1] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1),
  );
  for (let i = inside.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [inside[i], inside[other]] = [inside[other], inside[i]];
  }
  return inside;
}

function lattice([x0, y0, x1, y1]: Area, across: number, up: number): { x: number; y: number }[] {
  const places = [];
  for (let row = 0; y0 + row * up <= y1; row++)
    for (let x = x0 + ((row % 2) * across) / 2; x <= x1; x += across) places.push({ x, y: y0 + row * up });
  return places;
}

/** New people face the middle of the plan. A capsule's axis is y, so its angle is its heading less a quarter turn. */
function entriesOf(area: Area, zone: number): World['entries'] {
  return lattice(area, ENTRY_SPACING, ENTRY_SPACING).map(({ x, y }) => ({
    x,
    y,
    zone,
    angle: Math.atan2(-y, -x) - Math.PI / 2,
  }));
}
