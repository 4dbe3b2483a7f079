/** Solids made of unit cubes on a grid, as meshes of their surface and as compounds of boxes. */

import type { CompoundDescription, MeshDescription } from '../../src/api/shapes.ts';
import { below, type Random } from '../../verification/families/random.ts';

/** Lower corners of cubes, in units of the grid. */
export type Voxels = readonly (readonly [number, number, number])[];

/** A connected heap of cubes. */
export function randomVoxels(random: Random, count: number): Voxels {
  const cubes: [number, number, number][] = [[0, 0, 0]];
  const keys = new Set(['0,0,0']);
  while (cubes.length < count) {
    const cube = [...cubes[below(random, cubes.length)]] as [number, number, number];
    cube[below(random, 3)] += below(random, 2) === 0 ? 1 : -1;
    if (keys.has(cube.join())) continue;
    keys.add(cube.join());
    cubes.push(cube);
  }
  return cubes;
}

/** All cubes of a block but those that `isHole` names. */
export function block(
  [x, y, z]: readonly [number, number, number],
  isHole: (i: number, j: number, k: number) => boolean = () => false,
): Voxels {
  const cubes: [number, number, number][] = [];
  for (let i = 0; i < x; i++) {
    for (let j = 0; j < y; j++) for (let k = 0; k < z; k++) if (!isHole(i, j, k)) cubes.push([i, j, k]);
  }
  return cubes;
}

/** The surface: two triangles for each side of a cube that has no neighbour there, counter-clockwise from outside. */
export function meshOf(voxels: Voxels, size = 1): MeshDescription {
  const filled = new Set(voxels.map((cube) => cube.join()));
  const vertices = new Map<string, number>();
  const positions: number[] = [];
  const indices: number[] = [];
  const vertex = (corner: number[]): number => {
    const key = corner.join();
    let index = vertices.get(key);
    if (index === undefined) {
      index = vertices.size;
      vertices.set(key, index);
      positions.push(...corner.map((x) => x * size));
    }
    return index;
  };
  for (const cube of voxels) {
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [0, 1]) {
        const neighbour = [...cube];
        neighbour[axis] += side === 0 ? -1 : 1;
        if (filled.has(neighbour.join())) continue;
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        const loop = [0, 1, 3, 2].map((bits) => {
          const corner: number[] = [...cube];
          corner[axis] += side;
          corner[u] += bits & 1;
          corner[v] += bits >> 1;
          return vertex(corner);
        });
        if (side === 0) loop.reverse();
        indices.push(loop[0], loop[1], loop[2], loop[0], loop[2], loop[3]);
      }
    }
  }
  return { type: 'mesh', positions, indices };
}

/** A box for each cube. */
export function compoundOf(voxels: Voxels, size = 1): CompoundDescription {
  const half = size / 2;
  return {
    type: 'compound',
    parts: voxels.map((cube) => ({
      shape: { type: 'box', halfExtents: [half, half, half] },
      position: cube.map((x) => x * size + half) as [number, number, number],
    })),
  };
}
