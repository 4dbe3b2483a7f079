/** The impacts of one body after the other with a ray, or a ball that moves along it: of compounds and meshes. */
import { set } from '../cpu/math.ts';
import { impactQueryOf } from '../cpu/parts/part-impacts.ts';
import { placeBody } from '../cpu/parts/part-place.ts';
import type { PairResult } from '../cpu/queries/result.ts';
import type { AskedQuery } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Rest, Work } from '../util/turns.ts';
import { createCandidates } from './candidates.ts';
import { createFirstImpact } from './first-impact.ts';
import { createKnownAnswer } from './known-answer.ts';
import { loadPartGeometry } from './load-geometry.ts';
import { createPartPlaces, type PartGeometry } from './part-geometry.ts';
import { createPairSearch } from './search-pair.ts';
import { createSweep } from './sweep-bodies.ts';

export interface PartImpacts {
  /** The impact that was found last. */
  readonly result: PairResult;
  /** Whether the tree of a shape is built. */
  isReady(shape: ShapeData): boolean;
  /** Builds it. */
  prepare(shape: ShapeData): Work<void>;
  /**
   * Finds the impact of the two bodies, as its arrays are now: one with parts, and the ray's ball. Both shapes are
   * ready. `isSame`: the first is where it was at the last call.
   */
  find(isSame: boolean): Rest;
}

/** Loads what makes the impacts of a dimension. */
export async function loadPartImpacts(dimension: Pick<Dimension, 'dimension'>): Promise<CreatePartImpacts> {
  const geometry = await loadPartGeometry(dimension);
  return (asked) => createPartImpacts(asked, geometry);
}

export type CreatePartImpacts = (asked: AskedQuery) => PartImpacts;

/** For impacts of one pair, whose bodies change between calls. The second does not rotate. */
function createPartImpacts(asked: AskedQuery, geometry: PartGeometry): PartImpacts {
  const places = createPartPlaces(geometry);
  const search = createPairSearch(asked, false, places);
  const sweep = createSweep(places, asked.over.motion!, 0);
  const findFirstImpact = createFirstImpact(impactQueryOf(asked), places, sweep, search.walk, undefined);
  const known = createKnownAnswer();
  const none = createCandidates();
  const ready = new WeakSet<ShapeData>();
  const { bodies } = asked.over;
  const { positions, scales } = bodies;
  const table = asked.over.shapes.shapes as readonly (ShapeData | undefined)[];
  placeBody(bodies, table, 1, places.b);
  function* findOn(rest: Work<void>): Work<void> {
    yield* rest;
    if (!known.hasNormal) yield* search.search(0, none, known);
  }

  return {
    result: known.result,
    isReady: (shape) => ready.has(shape),
    *prepare(shape) {
      yield* geometry.prepareTree(shape);
      yield* geometry.prepareMotion(shape);
      ready.add(shape);
    },
    find(isSame) {
      const { a, b, offset } = places;
      if (!isSame) placeBody(bodies, table, 0, a);
      b.scale = scales![1];
      // A ray needs no more of the places than this.
      if (a.shape.parts?.type === 'mesh' && b.scale <= LEAST_BALL * a.shape.boundingRadius * a.scale) {
        set(positions[3] - positions[0], positions[4] - positions[1], positions[5] - positions[2], offset);
        sweep.begin();
        places.pair = 0;
        const rest = findFirstImpact(known);
        if (rest) return findOn(rest);
        if (known.hasNormal) return undefined;
      }
      const work = search.search(0, none, known);
      return work.next().done ? undefined : goOn(work);
    },
  };
}

function* goOn(work: Work<unknown>): Work<void> {
  yield* work;
}

/** A ball of less than this share of the mesh's size is followed as a point. */
const LEAST_BALL = 2 ** -41;
