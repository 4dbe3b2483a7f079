/** For each zone and each cell, the direction in which to walk and how far it is. */

import { fastMarching } from './fast-marching.ts';
import type { Grid } from './grid.ts';
import { FARTHEST, cellAt } from './grid.ts';
import type { Zone } from './scenes.ts';

/** A cell is free if its middle is this far from every wall: the half width of a person and a little more. */
const NEEDED = 0.3;
/** Walking along a wall counts as this much longer. */
const WALL_COST = 1.5;
/** A closed door counts as a detour of this factor over its depth: people go round it, or else wait in front of it. */
const DOOR_COST = 60;

/** 4 numbers per cell, cells of one zone after those of another: direction x, y, metres to go, 1 if the cell is free. */
export function makeFlowField(grid: Grid, zones: readonly Zone[], isClosed: readonly boolean[]): Float32Array {
  const cells = grid.width * grid.height;
  const slowness = makeSlowness(grid, isClosed);
  const field = new Float32Array(4 * cells * zones.length);
  zones.forEach(({ exit }, zone) => {
    const sources = [];
    for (let i = 0; i < cells; i++) if (slowness[i] < Infinity && isInside(grid, i, exit)) sources.push(i);
    const times = fastMarching(slowness, grid.width, sources);
    writeDirections(grid, times, field.subarray(4 * cells * zone, 4 * cells * (zone + 1)));
  });
  return field;
}

/** For each zone, the square metres of free floor that have no way to it. */
export function cutOffAreas({ cell, clearance }: Grid, field: Float32Array): number[] {
  const zones = field.length / 4 / clearance.length;
  return Array.from({ length: zones }, (_, zone) => {
    const isReached = (i: number): boolean => field[4 * (zone * clearance.length + i) + 3] > 0;
    const lost = clearance.filter((distance, i) => distance >= NEEDED && !isReached(i));
    return lost.length * cell * cell;
  });
}

/** Whether a way to a zone begins at a point: in its cell or a neighbour, since cells beside a wall are not free. */
export function hasWay(grid: Grid, field: Float32Array, zone: number, x: number, y: number): boolean {
  const { width, height } = grid;
  const cell = cellAt(grid, x, y);
  const [column, row] = [cell % width, Math.floor(cell / width)];
  for (let j = Math.max(row - 1, 0); j <= Math.min(row + 1, height - 1); j++)
    for (let i = Math.max(column - 1, 0); i <= Math.min(column + 1, width - 1); i++)
      if (field[4 * ((zone * height + j) * width + i) + 3] > 0) return true;
  return false;
}

function makeSlowness({ cell, clearance, doorClearance }: Grid, isClosed: readonly boolean[]): Float32Array {
  return clearance.map((distance, i) => {
    if (distance < NEEDED) return Infinity;
    const isInDoor = doorClearance.some((distances, door) => isClosed[door] && distances[i] < NEEDED);
    return cell * (1 + WALL_COST * (1 - (distance - NEEDED) / (FARTHEST - NEEDED))) * (isInDoor ? DOOR_COST : 1);
  });
}

function isInside({ cell, width, left, bottom }: Grid, i: number, [x0, y0, x1, y1]: Zone['exit']): boolean {
  const x = left + ((i % width) + 0.5) * cell;
  const y = bottom + (Math.floor(i / width) + 0.5) * cell;
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

/** Free cells point down the slope of the times, others to the free cell that is the fewest cells away. */
function writeDirections({ width, height }: Grid, times: Float32Array, field: Float32Array): void {
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? Infinity : times[y * width + x];
  const isDone = new Uint8Array(times.length);
  const queue: number[] = [];
  const write = (cell: number, dx: number, dy: number, time: number, free: number): void => {
    const length = Math.hypot(dx, dy) || 1;
    field.set([dx / length, dy / length, time, free], 4 * cell);
    isDone[cell] = 1;
    queue.push(cell);
  };
  for (let cell = 0; cell < times.length; cell++) {
    if (times[cell] === Infinity) continue;
    const [x, y, here] = [cell % width, Math.floor(cell / width), times[cell]];
    write(cell, fall(here, at(x - 1, y), at(x + 1, y)), fall(here, at(x, y - 1), at(x, y + 1)), here, 1);
  }
  for (let head = 0; head < queue.length; head++) {
    const cell = queue[head];
    const [x, y] = [cell % width, Math.floor(cell / width)];
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
      const next = cell + dx + dy * width;
      if (!isDone[next]) write(next, -dx, -dy, field[4 * cell + 2], 0);
    }
  }
}

/** Fall of the times to the lower of two neighbours, positive towards `after`. */
function fall(here: number, before: number, after: number): number {
  if (Math.min(before, after) >= here) return 0;
  return before < after ? before - here : here - after;
}
