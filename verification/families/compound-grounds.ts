/** Compounds of boxes and hulls that share faces, edges or corners, as users put floors, stairs, walls and solids together. */
import type { CompoundDescription, PartDescription } from '../../src/api/shapes.ts';
import { uniform, type Random } from './random.ts';

type Numbers = readonly number[];

const f = Math.fround;

const compound = (parts: PartDescription[]): CompoundDescription => ({ type: 'compound', parts });

/** A box between two corners. */
export function boxBetween(low: Numbers, high: Numbers): PartDescription {
  return {
    shape: { type: 'box', halfExtents: low.map((x, k) => f((high[k] - x) / 2)) },
    position: low.map((x, k) => f((x + high[k]) / 2)),
  };
}

/** A block from y = -1 to 0, cut into tiles. */
export function makeTiles(count: number, halfWidth: number): CompoundDescription {
  const at = (i: number): number => (2 * halfWidth * i) / count - halfWidth;
  return compound(
    Array.from({ length: count * count }, (_, i) => {
      const [x, z] = [i % count, Math.floor(i / count)];
      return boxBetween([at(x), -1, at(z)], [at(x + 1), 0, at(z + 1)]);
    }),
  );
}

/** Rows of tiles of random lengths: their corners meet the sides of others. */
export function makeRows(count: number, halfWidth: number, random: Random): CompoundDescription {
  const parts: PartDescription[] = [];
  for (let row = 0; row < count; row++) {
    const [low, high] = [row, row + 1].map((i) => (2 * halfWidth * i) / count - halfWidth);
    for (let z = -halfWidth; z < halfWidth;) {
      const end = Math.min(z + uniform(random, 0.3, 1.2), halfWidth);
      parts.push(boxBetween([low, -1, z], [high, 0, end]));
      z = end;
    }
  }
  return compound(parts);
}

/** Square tiles that are turned by quarters, and placed with a few units of rounding. */
export function makeNoisyTiles(count: number, halfWidth: number, random: Random): CompoundDescription {
  const noise = (): number => uniform(random, -1, 1) * halfWidth * 2 ** -22;
  const quarter = f(Math.SQRT1_2);
  const turns = [[0, 0, 0, 1], [0, quarter, 0, quarter], [0, 1, 0, 0], [quarter, 0, 0, quarter]]; // prettier-ignore
  const half = halfWidth / count;
  return compound(
    Array.from({ length: count * count }, (_, i) => {
      const [x, z] = [i % count, Math.floor(i / count)].map((k) => (2 * k + 1) * half - halfWidth);
      return {
        shape: { type: 'box', halfExtents: [half, half, half] },
        position: [x, -half, z].map((at) => f(at + noise())),
        quaternion: turns[i % 4],
      };
    }),
  );
}

/** Tiles that overlap their neighbours. */
export function makeOverlaps(count: number, halfWidth: number, overlap: number): CompoundDescription {
  const { parts } = makeTiles(count, halfWidth);
  return compound(
    parts.map((part) => ({
      ...part,
      shape: { type: 'box', halfExtents: [halfWidth / count + overlap, 0.5, halfWidth / count + overlap] },
    })),
  );
}

/** A block cut into bricks, each row shifted by half a brick. */
export function makeBricks(rows: number, columns: number): CompoundDescription {
  const parts: PartDescription[] = [];
  for (let row = 0; row < rows; row++) {
    const [low, high] = [row, row + 1].map((i) => (1.4 * i) / rows - 0.7);
    const cuts = [
      -1,
      ...Array.from({ length: columns - 1 }, (_, i) => -1 + (2 * (i + 1 - (row % 2) / 2)) / columns),
      1,
    ];
    if (row % 2) cuts.splice(columns, 0, 1 - 1 / columns);
    for (let i = 1; i < cuts.length; i++) parts.push(boxBetween([cuts[i - 1], low, -0.25], [cuts[i], high, 0.25]));
  }
  return compound(parts);
}

/** A box around the origin, cut into boxes. */
export function makeCutBox(halfExtents: Numbers, cells: number): CompoundDescription {
  const at = (i: number, k: number): number => halfExtents[k] * ((2 * i) / cells - 1);
  return compound(
    Array.from({ length: cells ** 3 }, (_, i) => {
      const cell = [i % cells, Math.floor(i / cells) % cells, Math.floor(i / cells ** 2)];
      return boxBetween(cell.map((c, k) => at(c, k)), cell.map((c, k) => at(c + 1, k))); // prettier-ignore
    }),
  );
}

/** Steps of boxes, each from the ground up to its tread. */
export function makeStairs(count: number): CompoundDescription {
  return compound(
    Array.from({ length: count }, (_, i) => boxBetween([0.5 * i - 1, -1, -1.5], [0.5 * i - 0.5, 0.2 * i, 1.5])),
  );
}

/** A ramp of hulls, cut across: its upper side is the plane y = slope x. */
export function makeRamp(count: number, slope: number): CompoundDescription {
  return compound(
    Array.from({ length: count }, (_, i) => {
      const [low, high] = [i, i + 1].map((k) => (6 * k) / count - 3);
      const points = [low, high].flatMap((x) => [-3, 3].flatMap((z) => [x, slope * x, z, x, -3, z]));
      return { shape: { type: 'hull', points: points.map(f) } };
    }),
  );
}

/** Pyramids from the origin to the faces of an octahedron, or slices around the axis of a prism. */
export function makePyramids(): CompoundDescription {
  const signs = [1, -1];
  const faces = signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => [0, 0, 0, x, 0, 0, 0, y, 0, 0, 0, z])));
  return compound(faces.map((points) => ({ shape: { type: 'hull', points } })));
}

export function makeSlices(count: number): CompoundDescription {
  const rim = (i: number, y: number): number[] => {
    const angle = (2 * Math.PI * (i % count)) / count;
    return [0.8 * Math.cos(angle), y, 0.8 * Math.sin(angle)].map(f);
  };
  return compound(
    Array.from({ length: count }, (_, i) => {
      const points = [-0.6, 0.6].flatMap((y) => [0, f(y), 0, ...rim(i, y), ...rim(i + 1, y)]);
      return { shape: { type: 'hull', points } };
    }),
  );
}

export const ELL = compound([boxBetween([-1, -0.3, -0.5], [1, 0, 0.5]), boxBetween([-1, 0, -0.5], [-0.5, 0.8, 0.5])]);

export const U = compound([
  boxBetween([-1, -0.3, -0.5], [1, 0, 0.5]),
  boxBetween([-1, 0, -0.5], [-0.7, 0.8, 0.5]),
  boxBetween([0.7, 0, -0.5], [1, 0.8, 0.5]),
]);

/** Two beams that cross. */
export const CROSS = compound([
  boxBetween([-1, -0.2, -0.2], [1, 0.2, 0.2]),
  boxBetween([-0.2, -0.2, -1], [0.2, 0.2, 1]),
]);

export const TABLE = compound([
  boxBetween([-1, 0.65, -0.6], [1, 0.75, 0.6]),
  ...[-0.9, 0.9].flatMap((x) =>
    [-0.5, 0.5].map((z) => boxBetween([x - 0.05, 0, z - 0.05], [x + 0.05, 0.65, z + 0.05])),
  ),
]);
