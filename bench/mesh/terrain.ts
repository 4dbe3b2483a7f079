/** Hulls that lie on, in and above a terrain. */
import type { PosedBodies } from '../../src/api/types.ts';
import type { HullDescription } from '../../src/api/shapes.ts';
import { heightfield, type HeightfieldMesh } from '../../src/shapes/heightfield.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

export interface TerrainScene {
  ground: HeightfieldMesh;
  hulls: HullDescription[];
  /** The ground first. */
  bodies: PosedBodies;
  /** The ground with each of the others. */
  pairs: Uint32Array;
}

/** Metres between the points of the grid. */
const CELL = 0.5;
const SHAPES = 16;
const CORNERS = 14;
/** Distances of the hulls' corners from their middles, in metres. */
const RADII = [0.25, 0.45] as const;
/** Heights of the hulls' middles above the ground, in metres. Two in three hulls touch it. */
const HEIGHTS = [-0.1, 0.6] as const;

/** A terrain of 2 `cells`² triangles. */
export function makeTerrainScene(cells: number, count: number, seed: number): TerrainScene {
  const random = createRandom(seed);
  const size = CELL * cells;
  const columns = cells + 1;
  const heights = Float32Array.from({ length: columns * columns }, (_, i) =>
    heightAt(CELL * (i % columns) - size / 2, CELL * Math.floor(i / columns) - size / 2),
  );
  const hulls = Array.from({ length: SHAPES }, (): HullDescription => {
    const radius = uniform(random, ...RADII);
    const points = Array.from({ length: CORNERS }, () => unitVector(random, [0, 0, 0]).map((x) => radius * x));
    return { type: 'hull', points: Float32Array.from(points.flat()) };
  });
  const bodies = {
    shapes: new Uint32Array(count + 1),
    positions: new Float32Array(3 * (count + 1)),
    quaternions: new Float32Array(4 * (count + 1)),
  };
  bodies.quaternions[3] = 1;
  for (let body = 1; body <= count; body++) {
    const [x, z] = [0, 1].map(() => uniform(random, -0.49 * size, 0.49 * size));
    bodies.shapes[body] = 1 + Math.floor(random() * SHAPES);
    bodies.positions.set([x, heightAt(x, z) + uniform(random, ...HEIGHTS), z], 3 * body);
    bodies.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * body);
  }
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? 0 : (i + 1) / 2));
  return { ground: heightfield({ heights, columns, size: [size, size] }), hulls, bodies, pairs };
}

function heightAt(x: number, z: number): number {
  return 1.2 * Math.sin(0.5 * x) * Math.cos(0.4 * z) + 0.3 * Math.sin(1.7 * x + 0.9 * z);
}
