/** What the kernels are compiled for: queries and batches over shapes of some kinds. */
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarPartDescription, PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

export interface Case {
  name: string;
  dimension: 2 | 3;
  shapes: readonly (ShapeDescription | PlanarShapeDescription)[];
  /** Options of `prepare`, or of `createBatch` if there is a number of bodies. */
  options: { query: string } & Record<string, unknown>;
}

function hull(vertices: number): ShapeDescription {
  const random = createRandom(vertices);
  const points = Array.from({ length: vertices }, () => {
    const z = uniform(random, -1, 1);
    const angle = uniform(random, 0, 2 * Math.PI);
    const radius = Math.sqrt(1 - z * z);
    return [(radius * Math.cos(angle)) / 2, (radius * Math.sin(angle)) / 2, z / 2];
  });
  return { type: 'hull', points: points.flat() };
}

const box: ShapeDescription = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };
const round: ShapeDescription[] = [
  { type: 'sphere', radius: 0.5 },
  { type: 'capsule', radius: 0.5, halfHeight: 0.5 },
];
const curved: ShapeDescription[] = [
  { type: 'cylinder', radius: 0.5, halfHeight: 0.5 },
  { type: 'cone', radius: 0.5, halfHeight: 0.5 },
  { type: 'ellipsoid', radii: [0.5, 0.4, 0.3] },
];
const parts: ShapeDescription[] = [
  { type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1], indices: [0, 1, 2, 1, 3, 2] },
  { type: 'compound', parts: [{ shape: box }, { shape: box, position: [1, 0, 0] }] },
];

const KINDS: Record<string, ShapeDescription[]> = {
  box: [box],
  hull8: [hull(8)],
  hull32: [hull(32)],
  hull128: [hull(128)],
  mixed: [hull(32), box, ...round],
  all: [hull(32), box, ...round, ...curved],
};
const PLANAR: PlanarShapeDescription[] = [
  { type: 'circle', radius: 0.5 },
  { type: 'capsule', radius: 0.5, halfHeight: 0.5 },
  { type: 'rectangle', halfExtents: [0.5, 0.4] },
  { type: 'polygon', points: [0, 0, 1, 0, 0.5, 1] },
];
const PLANAR_PARTS: PlanarShapeDescription[] = [
  { type: 'chain', points: [-1, 0, 0, 0, 1, 0] },
  {
    type: 'compound',
    parts: [-0.5, 0.5].map((x) => ({ shape: PLANAR[2], position: [x, 0] })) as PlanarPartDescription[],
  },
];

const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts', 'rayCasts'];
const MOTION = { impacts: { duration: 1, turning: true, stopAtPenetration: false } } as Record<string, object>;
const ROOM = { maxBodies: 100_000, maxPairs: 1_000_000 };

export const CASES: readonly Case[] = [
  ...QUERIES.flatMap((query) =>
    Object.entries(KINDS).map(([kind, shapes]): Case => ({
      name: `${query}/${kind}`,
      dimension: 3,
      shapes,
      options: { query, ...MOTION[query] },
    })),
  ),
  ...QUERIES.map((query): Case => ({
    name: `2-D ${query}`,
    dimension: 2,
    shapes: PLANAR,
    options: { query, ...(query === 'impacts' && { duration: 1 }) },
  })),
  ...['intersects', 'distances', 'contacts'].map((query): Case => ({
    name: `${query}/parts`,
    dimension: 3,
    shapes: [...KINDS.all, ...parts],
    options: { query, ...ROOM, maxPartPairs: 1_000_000 },
  })),
  ...['intersects', 'distances', 'contacts', 'manifolds', 'impacts'].map((query): Case => ({
    name: `2-D ${query}/parts`,
    dimension: 2,
    shapes: [...PLANAR, ...PLANAR_PARTS],
    options: {
      query,
      ...ROOM,
      maxPartPairs: 1_000_000,
      ...(query === 'manifolds' && { results: 'hits', parts: 'all' }),
      ...(query === 'impacts' && MOTION.impacts),
    },
  })),
  {
    name: 'contacts/mesh',
    dimension: 3,
    shapes: [...KINDS.all, parts[0]],
    options: { query: 'contacts', ...ROOM, maxPartPairs: 1_000_000 },
  },
  {
    name: 'manifolds/parts',
    dimension: 3,
    shapes: [...KINDS.all, ...parts],
    options: { query: 'manifolds', ...ROOM, maxPartPairs: 1_000_000, results: 'hits', parts: 'all' },
  },
  {
    name: 'impacts/parts',
    dimension: 3,
    shapes: [...KINDS.all, ...parts],
    options: { query: 'impacts', ...ROOM, maxPartPairs: 1_000_000, ...MOTION.impacts },
  },
  {
    name: 'frame',
    dimension: 3,
    shapes: [box],
    options: { query: 'manifolds', ...ROOM, broadPhase: true },
  },
  {
    name: 'rays',
    dimension: 3,
    shapes: [box],
    options: { query: 'rayCasts', ...ROOM, maxRays: 100_000 },
  },
];
