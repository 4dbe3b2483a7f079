/** Bytes and instructions of a pair of one measurement, from its records and the layouts. */

import { layouts } from '../../src/generated/layouts.ts';
import { spaceRecords } from '../../src/records/layout.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';
import { CORE_HULL } from '../../src/generated/constants.ts';
import type { GpuCase } from './cases.ts';
import { lockstepMean, meanGreatestOf32, meanOf } from './lockstep.ts';
import {
  epaLists,
  epaOperations,
  fixedOperations,
  gjkOperations,
  newtonOperations,
  type ShapeCosts,
} from './operations.ts';
import type { HostScene } from './scene.ts';

/** Iterations of one search, over the pairs that it has. */
export interface SearchIterations {
  /** Share of all pairs. */
  share: number;
  mean: number;
  /** Mean over groups of 32 of the greatest in each. */
  lockstep: number;
}

export interface Work {
  gjk: SearchIterations | null;
  epa: SearchIterations | null;
  /** Instructions a pair: as if each pair ran alone, and in lockstep. */
  operations: { alone: number; lockstep: number };
  bytes: Bytes;
}

/** Bytes of a pair. */
export interface Bytes {
  /** Each input read once, each output written once: a body that several pairs have in common counts in parts. */
  least: number;
  /** What the stages read and write through memory, in sectors of 32 bytes where they pick single words. */
  moved: number;
  /** Shapes and rows of geometry, which caches hold. */
  cached: number;
}

const SECTOR = 32;
const PAIR = 8;
const ID = 4;

/**
 * Iterations of each pair by GJK, or by the Newton search before it, and all of them: what EPA took is the difference.
 */
export interface PairIterations {
  all: ArrayLike<number>;
  gjk: ArrayLike<number>;
}

export interface Measured {
  pairs: number;
  bodies: 'shared' | 'own';
  isWarm: boolean;
  /** Share of pairs that are hits. */
  hitRate: number;
}

export function workOf(
  gpuCase: GpuCase,
  scene: HostScene,
  iterations: PairIterations,
  { pairs, bodies, isWarm, hitRate }: Measured,
): Work {
  const { query, searches } = gpuCase;
  const { shapes, order, isSorted } = scene;
  const alone = shapeCosts(shapes, (counts) => counts.reduce((sum, count) => sum + count, 0) / counts.length);
  const together = shapeCosts(shapes, meanGreatestOf32);
  const deep = order.filter((pair) => iterations.all[pair] > iterations.gjk[pair]);
  const deeper = Array.from(iterations.all, (all, pair) => all - iterations.gjk[pair]);
  const hasEpa = searches === 'gjk+epa';
  const epaShare = hasEpa ? deep.length / order.length : 0;
  const operations = {
    alone: fixedOperations(query, searches, alone, isSorted, hitRate),
    lockstep: fixedOperations(query, searches, together, isSorted, hitRate),
  };
  if (searches === 'newton') {
    operations.alone += meanOf(Array.from(iterations.gjk, newtonOperations), order);
    operations.lockstep += lockstepMean(iterations.gjk, order, newtonOperations);
  } else if (searches !== 'sat') {
    operations.alone += meanOf(
      Array.from(iterations.gjk, (n) => gjkOperations(n, alone, isWarm)),
      order,
    );
    operations.lockstep += lockstepMean(iterations.gjk, order, (n) => gjkOperations(n, together, isWarm));
  }
  if (hasEpa) {
    operations.alone +=
      epaShare *
      meanOf(
        deeper.map((n) => epaOperations(n, alone)),
        deep,
      );
    operations.lockstep += epaShare * lockstepMean(deeper, deep, (n) => epaOperations(n, together));
  }
  const gjk =
    searches === 'sat'
      ? null
      : { share: 1, mean: meanOf(iterations.gjk, order), lockstep: lockstepMean(iterations.gjk, order) };
  const epa = hasEpa ? { share: epaShare, mean: meanOf(deeper, deep), lockstep: lockstepMean(deeper, deep) } : null;
  const bodiesPerPair = bodies === 'own' ? 2 : Math.min(2, (2 * scene.pairCount) / pairs);
  const supports = (gjk?.mean ?? 0) + epaShare * (epa?.mean ?? 0);
  return {
    gjk,
    epa,
    operations,
    bytes: bytesOf({ gpuCase, bodiesPerPair, isWarm, isSorted, epaShare, hitRate, supports, shapes: alone }),
  };
}

interface ByteFacts {
  gpuCase: Pick<GpuCase, 'query' | 'searches'>;
  bodiesPerPair: number;
  isWarm: boolean;
  isSorted: boolean;
  /** Share of the pairs that go on to EPA. */
  epaShare: number;
  hitRate: number;
  /** Mean number of support mappings. */
  supports: number;
  shapes: ShapeCosts;
}

export function bytesOf({
  gpuCase: { query, searches },
  bodiesPerPair,
  isWarm,
  isSorted,
  epaShare,
  hitRate,
  supports,
  shapes,
}: ByteFacts): Bytes {
  const record = 4 * spaceRecords.sizes[query].words;
  const body = ID + layouts.Pose.size;
  const simplices = isWarm ? 2 * 16 : 0;
  const infoSector = Math.min(record, SECTOR);
  // Manifolds are made of contacts.
  const contact = 4 * spaceRecords.sizes.contacts.words;
  const input = PAIR + 2 * body;
  let moved = input + record + simplices + infoSector;
  // Both passes read ids; the list is written and read.
  if (isSorted) moved += 2 * (PAIR + 2 * ID) + 2 * ID;
  // Two passes over the infos; what few pairs are left to GJK is not counted.
  if (searches === 'newton') moved += 2 * infoSector;
  if (query === 'manifolds') {
    // Contacts are written; the infos of all are read by three passes, and the contacts and inputs of hits again.
    moved += contact + 3 * SECTOR + hitRate * (2 * ID + input + SECTOR);
  }
  if (searches === 'gjk+epa') {
    // Two passes over the infos, the list, and EPA with all that it reads again; then the same for features, of those
    // that have points.
    moved +=
      2 * epaLists(shapes.hullShare) * infoSector +
      epaShare * (2 * ID + input + 2 * (query === 'manifolds' ? contact : record));
    if (query === 'contacts') moved += 2 * infoSector + epaShare * (2 * ID + input + SECTOR);
  }
  const geometry = 2 * supports * shapes.hullShare * (2 * ID + 16 * shapes.candidates + 16 + ID);
  return {
    least: PAIR + bodiesPerPair * body + record + simplices,
    moved,
    cached: 2 * layouts.Shape.size + geometry,
  };
}

/** `candidatesOf` tells one number for all cells' numbers of candidates. */
function shapeCosts(shapes: readonly ShapeData[], candidatesOf: (counts: number[]) => number): ShapeCosts {
  const hulls = shapes.filter(({ kind }) => kind === CORE_HULL);
  if (hulls.length === 0) return { hullShare: 0, candidates: 0, vertices: 0, faces: 0 };
  const counts = hulls.flatMap(({ supportCells: { start } }) =>
    Array.from(start.subarray(1), (end, cell) => end - start[cell]),
  );
  const mean = (of: (shape: ShapeData) => number): number =>
    hulls.reduce((sum, shape) => sum + of(shape), 0) / hulls.length;
  return {
    hullShare: hulls.length / shapes.length,
    candidates: candidatesOf(counts),
    vertices: mean(({ vertices }) => vertices.length / 3),
    faces: mean(({ facePlanes }) => facePlanes.length / 4),
  };
}
