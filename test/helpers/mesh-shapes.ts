/** Meshes for tests of contacts with their surfaces. */
import type { MeshDescription } from '../../src/api/shapes.ts';

/** A profile in the plane of x and y, drawn out along z into strips of squares; its front is up if x ascends. */
export function makePrism(
  profile: readonly (readonly [number, number])[],
  depth: number,
  cells: number,
): MeshDescription {
  const positions = profile.flatMap(([x, y]) =>
    Array.from({ length: cells + 1 }, (_, j) => [x, y, (2 * depth * j) / cells - depth]).flat(),
  );
  const indices: number[] = [];
  for (let i = 0; i + 1 < profile.length; i++) {
    for (let j = 0; j < cells; j++) {
      const a = i * (cells + 1) + j;
      const c = a + cells + 1;
      indices.push(a, a + 1, c + 1, a, c + 1, c);
    }
  }
  return { type: 'mesh', positions, indices };
}

/** The six sides of a box, each cut into squares, without common vertices between sides. */
export function makeBoxMesh(halfExtents: readonly number[], cells: number): MeshDescription {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [-1, 1]) {
      const first = positions.length / 3;
      for (let i = 0; i <= cells; i++) {
        for (let j = 0; j <= cells; j++) {
          const point = [0, 0, 0];
          point[axis] = side * halfExtents[axis];
          point[u] = ((side * (2 * i)) / cells - side) * halfExtents[u];
          point[v] = ((2 * j) / cells - 1) * halfExtents[v];
          positions.push(...point);
          if (i === cells || j === cells) continue;
          const a = first + i * (cells + 1) + j;
          const c = a + cells + 1;
          indices.push(a, c, c + 1, a, c + 1, a + 1);
        }
      }
    }
  }
  return { type: 'mesh', positions, indices };
}
