/**
 * Whether a point is inside a closed mesh: how often the mesh winds around it, counted along the ray from the point in the
 * direction of the x axis. A triangle counts if the point's image is inside the triangle's, seen along x, and the triangle
 * is ahead; it counts up or down by its direction. Signs are exact, and a point on the image of an edge belongs to one of
 * the edge's sides for all triangles, so no ray has to be cast again. A grid over y and z finds the triangles.
 *
 * In a mesh whose triangles agree on which side is outside, a point is inside if the number is not 0: bodies that overlap
 * themselves are solid where they do. In others it is inside if the number of triangles ahead is odd.
 */

import { area, volume } from '../../../src/cpu/triangle-intersection/predicates.ts';
import type { Mesh } from '../../../src/shapes/parts.ts';

/** A point in the mesh's frame. */
export type InsideTest = (x: number, y: number, z: number) => boolean;

const MOST_CELLS_PER_SIDE = 1024;

export interface Inside {
  isInside: InsideTest;
  /** Points inside, in the middle of where lines along x through some triangles are in the mesh: x, y, z in turn. */
  points(): number[];
}

/** Lines that are searched for points inside. */
const LINES = 64;

export function createInside(mesh: Mesh, isOriented: boolean): Inside {
  const grid = createGrid(mesh);
  const point = new Float64Array(3);
  const isInside: InsideTest = (x, y, z) => {
    point[0] = x;
    point[1] = y;
    point[2] = z;
    let winding = 0;
    let crossings = 0;
    for (const triangle of trianglesAt(grid, y, z)) {
      const turn = turnAround(mesh, triangle, point);
      if (turn === 0 || !isAhead(mesh, triangle, turn, point)) continue;
      winding += turn;
      crossings++;
    }
    return isOriented ? winding !== 0 : crossings % 2 === 1;
  };
  return {
    isInside,
    points() {
      const count = mesh.indices.length / 3;
      const lines = Math.min(LINES, count);
      return Array.from({ length: lines }, (_, i) => Math.floor((i * count) / lines)).flatMap((triangle) => {
        const [, y, z] = [0, 1, 2].map((k) => {
          const corners = [0, 1, 2].map((corner) => mesh.positions[3 * mesh.indices[3 * triangle + corner] + k]);
          return (corners[0] + corners[1] + corners[2]) / 3;
        });
        const places = crossingsOf(mesh, trianglesAt(grid, y, z), y, z);
        const middles = places.slice(1).map((x, n) => (x + places[n]) / 2);
        return middles.filter((x) => isInside(x, y, z)).flatMap((x) => [x, y, z]);
      });
    },
  };
}

/** Where a line along x meets triangles, in ascending order. */
function crossingsOf(mesh: Mesh, triangles: Uint32Array, y: number, z: number): number[] {
  const { positions, indices } = mesh;
  const point = Float64Array.of(0, y, z);
  const places: number[] = [];
  for (const triangle of triangles) {
    if (turnAround(mesh, triangle, point) === 0) continue;
    const corners = [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]);
    // Each corner has the share of the area opposite to it.
    const areas = corners.map((_, k) =>
      area(positions, corners[(k + 1) % 3], positions, corners[(k + 2) % 3], point, 0, 0),
    );
    const whole = areas[0] + areas[1] + areas[2];
    if (whole !== 0) places.push(corners.reduce((x, corner, k) => x + (areas[k] / whole) * positions[corner], 0));
  }
  return places.sort((p, q) => p - q);
}

/** How often a triangle's image turns around the point's, counter-clockwise: -1, 0 or 1. */
function turnAround({ positions, indices }: Mesh, triangle: number, point: Float64Array): number {
  let turns = 0;
  const z = point[2];
  for (let k = 0; k < 3; k++) {
    const from = 3 * indices[3 * triangle + k];
    const to = 3 * indices[3 * triangle + ((k + 1) % 3)];
    const isFromAbove = positions[from + 2] > z;
    const isToAbove = positions[to + 2] > z;
    if (isFromAbove === isToAbove) continue;
    // Both triangles of an edge ask about it from its lower end to its upper one.
    if (isToAbove) turns += area(positions, from, positions, to, point, 0, 0) >= 0 ? 1 : 0;
    else turns -= area(positions, to, positions, from, point, 0, 0) >= 0 ? 1 : 0;
  }
  return turns;
}

/** Whether the triangle is on the side of larger x. */
function isAhead({ positions, indices }: Mesh, triangle: number, turn: number, point: Float64Array): boolean {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * triangle + k]);
  return volume(positions, a, positions, b, positions, c, point, 0) * turn < 0;
}

/** Triangles by the cells that the boxes of their images touch. */
interface Grid {
  /** Cells per side. */
  side: number;
  low: number[];
  high: number[];
  /** Cells per length. */
  scale: number[];
  /** The triangles of cell i are `triangles[start[i] .. start[i + 1]]`. */
  start: Uint32Array;
  triangles: Uint32Array;
}

const NONE = new Uint32Array(0);

function trianglesAt({ side, low, high, scale, start, triangles }: Grid, y: number, z: number): Uint32Array {
  if (!(y >= low[0] && y <= high[0] && z >= low[1] && z <= high[1])) return NONE;
  const cell = cellOf(z, low[1], scale[1], side) * side + cellOf(y, low[0], scale[0], side);
  return triangles.subarray(start[cell], start[cell + 1]);
}

function cellOf(x: number, low: number, scale: number, side: number): number {
  return Math.min(Math.floor((x - low) * scale), side - 1);
}

/** Cells for each triangle on average, at most: large triangles get large cells. */
const CELLS_PER_TRIANGLE = 16;

function createGrid(mesh: Mesh): Grid {
  const boxes = boxesOf(mesh);
  const count = boxes.length / 4;
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 2; k++) {
      low[k] = Math.min(low[k], boxes[4 * t + k]);
      high[k] = Math.max(high[k], boxes[4 * t + 2 + k]);
    }
  }
  let side = 2 * Math.min(Math.ceil(Math.sqrt(count)), MOST_CELLS_PER_SIDE);
  let scale: number[];
  let ranges: Uint16Array;
  do {
    side = Math.ceil(side / 2);
    scale = high.map((x, k) => (x > low[k] ? side / (x - low[k]) : 0));
    ranges = Uint16Array.from(boxes, (x, i) => cellOf(x, low[i % 2], scale[i % 2], side));
  } while (side > 1 && cellsOf(ranges) > CELLS_PER_TRIANGLE * count);
  const start = new Uint32Array(side * side + 1);
  visitCells(ranges, side, (cell) => start[cell + 1]++);
  for (let cell = 0; cell < side * side; cell++) start[cell + 1] += start[cell];
  const triangles = new Uint32Array(start[side * side]);
  const next = start.slice();
  visitCells(ranges, side, (cell, triangle) => (triangles[next[cell]++] = triangle));
  return { side, low, high, scale, start, triangles };
}

/** The boxes of the triangles' images: min y, z, max y, z. */
function boxesOf({ positions, indices }: Mesh): Float64Array {
  return Float64Array.from({ length: (4 * indices.length) / 3 }, (_, i) => {
    const first = 3 * Math.floor(i / 4);
    const [a, b, c] = [0, 1, 2].map((corner) => positions[3 * indices[first + corner] + 1 + (i % 2)]);
    return i % 4 < 2 ? Math.min(a, b, c) : Math.max(a, b, c);
  });
}

/** Number of cells that ranges of cells have together. */
function cellsOf(ranges: Uint16Array): number {
  let cells = 0;
  for (let i = 0; i < ranges.length; i += 4) {
    cells += (ranges[i + 2] - ranges[i] + 1) * (ranges[i + 3] - ranges[i + 1] + 1);
  }
  return cells;
}

function visitCells(ranges: Uint16Array, side: number, visit: (cell: number, triangle: number) => void): void {
  for (let i = 0; i < ranges.length; i += 4) {
    for (let row = ranges[i + 1]; row <= ranges[i + 3]; row++) {
      for (let column = ranges[i]; column <= ranges[i + 2]; column++) visit(row * side + column, i / 4);
    }
  }
}
