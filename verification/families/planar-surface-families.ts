/**
 * Families of convex 2-D bodies that overlap chains and compounds of tiles: flat ground in many divisions, hills, steps, rough ground, and
 * closed outlines. Each pose is seeded, and overlaps by 1e-4 to 0.1, or is anywhere.
 */
import type {
  ChainDescription,
  PlanarCompoundDescription,
  PlanarConvexDescription,
} from '../../src/api/planar-shapes.ts';
import { below, createRandom, uniform, type Random } from './random.ts';

export interface PlanarSurfaceFamily {
  name: string;
  shape: ChainDescription | PlanarCompoundDescription;
  /** What depths are judged by: the plane at this height along `up`, the hull of these points, or only what every contact promises. */
  plane?: { up: readonly [number, number]; height: number };
  solid?: readonly number[];
  /** Whether contacts point up. */
  isGround: boolean;
  cases: PlanarSurfaceCase[];
}

export interface PlanarSurfaceCase {
  shape: PlanarConvexDescription;
  position: [number, number];
  angle: number;
}

const round = Math.fround;

/** Bodies that slide over ground. */
function body(random: Random): PlanarConvexDescription {
  const size = (): number => round(uniform(random, 0.1, 0.4));
  const makers: (() => PlanarConvexDescription)[] = [
    () => ({ type: 'circle', radius: size() }),
    () => ({ type: 'rectangle', halfExtents: [size(), size()] }),
    () => ({ type: 'rectangle', halfExtents: [size(), size()], radius: round(size() / 4) }),
    () => ({ type: 'capsule', halfHeight: size(), radius: round(size() / 2) }),
    () => ({
      type: 'polygon',
      points: Array.from({ length: 12 }, (_, i) => round(0.3 * (i % 2 ? Math.sin : Math.cos)((i >> 1) * 1.05 + 0.2))),
    }),
  ];
  return makers[below(random, makers.length)]();
}

/** How far a body reaches along a unit vector from its position. */
function reachOf(shape: PlanarConvexDescription, angle: number, x: number, y: number): number {
  const [u, v] = [Math.cos(angle) * x + Math.sin(angle) * y, Math.cos(angle) * y - Math.sin(angle) * x];
  switch (shape.type) {
    case 'circle':
      return shape.radius;
    case 'capsule':
      return shape.radius + Math.abs(v) * shape.halfHeight;
    case 'rectangle':
      return (shape.radius ?? 0) + Math.abs(u) * shape.halfExtents[0] + Math.abs(v) * shape.halfExtents[1];
    default: {
      const { points, radius = 0 } = shape;
      let most = -Infinity;
      for (let i = 0; i < points.length; i += 2) most = Math.max(most, points[i] * u + points[i + 1] * v);
      return most + radius;
    }
  }
}

/** A height of the ground over x, along y. */
type Ground = (x: number) => number;

function casesOver(random: Random, count: number, ground: Ground, width: number, depths: readonly [number, number]) {
  return Array.from({ length: count }, (): PlanarSurfaceCase => {
    const shape = body(random);
    const angle = random() < 0.4 ? 0 : round(uniform(random, -3, 3));
    const x = uniform(random, -width, width);
    const depth = Math.exp(uniform(random, Math.log(depths[0]), Math.log(depths[1])));
    return { shape, position: [round(x), round(ground(x) + reachOf(shape, angle, 0, -1) - depth)], angle };
  });
}

function chainOf(points: readonly number[], rest: Partial<ChainDescription> = {}): ChainDescription {
  return { type: 'chain', points: points.map(round), ...rest };
}

/** Points of a function over places. */
function over(places: readonly number[], ground: Ground): number[] {
  return places.flatMap((x) => [x, ground(x)]);
}

function evenly(count: number, from: number, to: number): number[] {
  return Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);
}

/** Tiles from -2 to 2 whose tops are at these heights. */
function tilesOf(heights: readonly number[], layers = 1): PlanarCompoundDescription {
  const half = round(2 / heights.length);
  const parts = heights.flatMap((height, i) =>
    Array.from({ length: layers }, (_, layer) => ({
      shape: { type: 'rectangle', halfExtents: [half, 0.25] } as const,
      position: [round((2 * i + 1) * half - 2), round(height - 0.25 - 0.5 * layer)],
    })),
  );
  return { type: 'compound', parts };
}

const FLAT = { up: [0, 1], height: 0 } as const;

const flat: Ground = () => 0;
const hill: Ground = (x) => -0.2 * x * x;

/** `count` poses of each family. Bodies over ground overlap it by between these depths. */
export function makePlanarSurfaceFamilies(
  seed: number,
  count: number,
  depths: readonly [number, number] = [1e-4, 0.1],
): PlanarSurfaceFamily[] {
  const random = createRandom(seed);
  const uneven = [-2, ...Array.from({ length: 30 }, () => uniform(random, -1.99, 1.99)).sort((a, b) => a - b), 2];
  const rough = new Map(evenly(40, -2, 2).map((x) => [x, uniform(random, -0.1, 0.1)]));
  const roughAt = (x: number): number => {
    const at = Math.floor((x + 2) * 10) / 10 - 2;
    const near = [...rough.keys()].filter((key) => key <= x).pop() ?? at;
    return rough.get(near)!;
  };
  const families: Omit<PlanarSurfaceFamily, 'cases'>[] = [
    { name: 'flat chain', shape: chainOf(over(evenly(40, -2, 2), flat)), plane: FLAT, isGround: true },
    { name: 'fine flat chain', shape: chainOf(over(evenly(400, -2, 2), flat)), plane: FLAT, isGround: true },
    { name: 'uneven flat chain', shape: chainOf(over(uneven, flat)), plane: FLAT, isGround: true },
    { name: 'flat tiles', shape: tilesOf(Array<number>(20).fill(0)), plane: FLAT, isGround: true },
    { name: 'two layers of flat tiles', shape: tilesOf(Array<number>(30).fill(0), 2), plane: FLAT, isGround: true },
    { name: 'tiles of unequal width', shape: unequalTiles(random), plane: FLAT, isGround: true },
    { name: 'hill', shape: chainOf(over(evenly(40, -2, 2), hill)), isGround: true },
    { name: 'rough chain', shape: chainOf([...rough].flat()), isGround: false },
    { name: 'tiles in steps', shape: tilesOf(Array.from({ length: 16 }, (_, i) => 0.05 * (i % 4))), isGround: false },
    { name: 'steps', shape: chainOf([-2, 0, -0.5, 0, -0.5, 0.1, 0.5, 0.1, 0.5, 0, 2, 0]), isGround: false },
  ];
  const grounds: Record<string, Ground> = { hill, 'rough chain': roughAt };
  const open = families.map((family): PlanarSurfaceFamily => {
    const ground = grounds[family.name] ?? flat;
    return { ...family, cases: casesOver(random, count, ground, 1.2, depths) };
  });
  return [...open, ...closedFamilies(random, count)];
}

function unequalTiles(random: Random): PlanarCompoundDescription {
  const edges = [-2, ...Array.from({ length: 12 }, (_, i) => round(-1.8 + 0.3 * i + uniform(random, 0, 0.2))), 2];
  const parts = edges.slice(1).map((right, i) => {
    const left = edges[i];
    return {
      shape: { type: 'polygon', points: [left, -0.3, right, -0.3, right, 0, left, 0] } as const,
    };
  });
  return { type: 'compound', parts };
}

/** A square, as a loop of many segments and as tiles, from outside, and from anywhere. */
function closedFamilies(random: Random, count: number): PlanarSurfaceFamily[] {
  const solid = [-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5];
  const loop: number[] = [];
  for (let side = 0; side < 4; side++)
    for (let i = 0; i < 8; i++) {
      const [a, b] = [2 * side, 2 * ((side + 1) % 4)];
      for (let k = 0; k < 2; k++) loop.push(solid[a + k] + ((solid[b + k] - solid[a + k]) * i) / 8);
    }
  const tiles: PlanarCompoundDescription = {
    type: 'compound',
    parts: Array.from({ length: 64 }, (_, i) => ({
      shape: { type: 'rectangle', halfExtents: [0.0625, 0.0625] },
      position: [-0.4375 + 0.125 * (i % 8), -0.4375 + 0.125 * (i >> 3)],
    })),
  };
  const around = (): PlanarSurfaceCase[] =>
    Array.from({ length: count }, (): PlanarSurfaceCase => {
      const shape = body(random);
      const angle = round(uniform(random, -3, 3));
      const way = uniform(random, -Math.PI, Math.PI);
      const [x, y] = [Math.cos(way), Math.sin(way)];
      const distance =
        0.5 / Math.max(Math.abs(x), Math.abs(y)) + reachOf(shape, angle, -x, -y) - uniform(random, 0, 0.1);
      return { shape, position: [round(distance * x), round(distance * y)], angle };
    });
  return [
    {
      name: 'square as a loop',
      shape: chainOf(loop, { loop: true, sides: 'front' }),
      solid,
      isGround: false,
      cases: around(),
    },
    { name: 'square of tiles', shape: tiles, solid, isGround: false, cases: around() },
  ];
}
