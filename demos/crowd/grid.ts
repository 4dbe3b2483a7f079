/** A grid of square cells over the plan, and how far each cell's middle is from walls and from closed doors. */

import type { PlanarTester } from 'narrowphase';
import { OBSTACLE, PERSON, groups } from './rules.ts';
import type { Obstacle, Scene } from './scenes.ts';
import { DOOR_THICKNESS, LEAF } from './scenes.ts';
import type { Leaf } from './scenes.ts';

export interface Grid {
  cell: number;
  width: number;
  height: number;
  /** The lower left corner. */
  left: number;
  bottom: number;
  /** Metres from each cell's middle to the nearest wall, at most `FARTHEST`. */
  clearance: Float32Array;
  /** The same for each door, closed. */
  doorClearance: Float32Array[];
}

const CELL = 0.4;
export const FARTHEST = 0.9;

export function leafObstacle({ closed, angle }: Leaf): Obstacle {
  const shape = { type: 'rectangle', halfExtents: [LEAF / 2, DOOR_THICKNESS / 2] } as const;
  return { shape, x: closed[0], y: closed[1], angle };
}

/** Distances come from the tester: each cell is a point, and the broad phase keeps the few pairs that are near. */
export async function makeGrid(tester: PlanarTester, { size, walls, doors }: Scene): Promise<Grid> {
  const [width, height] = size.map((length) => Math.round(length / CELL));
  const [left, bottom] = [-size[0] / 2, -size[1] / 2];
  const cells = width * height;
  const middles = new Float32Array(2 * cells);
  for (let i = 0; i < cells; i++) {
    middles[2 * i] = left + ((i % width) + 0.5) * CELL;
    middles[2 * i + 1] = bottom + (Math.floor(i / width) + 0.5) * CELL;
  }
  const point = tester.addShape({ type: 'circle', radius: 0 });
  const obstacles = [...walls, ...doors.flatMap(({ leaves }) => leaves.map(leafObstacle))];
  const shapes = obstacles.map(({ shape }) => tester.addShape(shape));
  const bodies = {
    shapes: new Uint32Array([...new Uint32Array(cells).fill(point), ...shapes]),
    positions: new Float32Array([...middles, ...obstacles.flatMap(({ x, y }) => [x, y])]),
    angles: new Float32Array([...new Float32Array(cells), ...obstacles.map(({ angle }) => angle)]),
    groups: new Uint32Array(cells + obstacles.length)
      .fill(groups(PERSON, OBSTACLE), 0, cells)
      .fill(groups(OBSTACLE, PERSON), cells),
  };
  const pairs = await tester.findPairs(bodies, { margin: FARTHEST });
  const { distance } = await tester.distances(bodies, pairs, { fields: ['distance'] });
  const clearance = new Float32Array(cells).fill(FARTHEST);
  const doorClearance = doors.map(() => clearance.slice());
  const doorOf = doors.flatMap(({ leaves }, door) => leaves.map(() => door));
  for (let k = 0; k < distance.length; k++) {
    const [cell, obstacle] = [pairs[2 * k], pairs[2 * k + 1] - cells];
    const nearest = obstacle < walls.length ? clearance : doorClearance[doorOf[obstacle - walls.length]];
    nearest[cell] = Math.min(nearest[cell], distance[k]);
  }
  for (const shape of shapes) tester.removeShape(shape);
  tester.removeShape(point);
  return { cell: CELL, width, height, left, bottom, clearance, doorClearance };
}

/** The cell that holds a point, which must be in the plan. */
export function cellAt({ cell, width, height, left, bottom }: Grid, x: number, y: number): number {
  const column = Math.min(Math.max(Math.floor((x - left) / cell), 0), width - 1);
  const row = Math.min(Math.max(Math.floor((y - bottom) / cell), 0), height - 1);
  return row * width + column;
}
