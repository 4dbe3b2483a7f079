/**
 * Lists of contacts with surfaces: the first pass over each answer of a backend as it comes, the second and third when all answers of a
 * pair of bodies are there.
 */
import { vec3 } from '../../cpu/math.ts';
import { placePair } from '../../cpu/parts/pair-places.ts';
import { createPairResult } from '../../cpu/queries/result.ts';
import { writeRecord } from '../../cpu/write-record.ts';
import { INFO_ITERATIONS_SHIFT, INFO_POINTS_MASK, INFO_POINTS_SHIFT } from '../../generated/constants.ts';
import type { Records } from '../../records/layout.ts';
import type { AskedQuery, PairQuery } from '../../request/backend.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { AT_DROPPED, createContactRecord, RECORD_SIZE } from './contact-records.ts';
import { createPartPlaces, type PartGeometry } from '../part-geometry.ts';
import { readCoordinates, writeCoordinates } from './record-vectors.ts';
import { FATE_NEW, FATE_SAME, writeContact, writeNormal } from './surface-pair.ts';
import type { PartContact } from './surface-rule.ts';
import { createTakenAnswers, keepFrom, takeAnswer } from './taken-answers.ts';

export interface SurfaceList {
  /** How many answers are taken and not settled. */
  readonly count: number;
  /**
   * Takes an answer that is a hit. Returns false if it is not with a surface, and stays as it is. The words of the answer
   * are copied.
   */
  take(pair: number, partA: number, partB: number, integers: Uint32Array, floats: Float32Array): boolean;
  /** Gives the contacts of the pairs before `end`, whose answers have all been taken, to `put`. */
  settle(end: number, put: (pair: number, partA: number, partB: number, integers: Uint32Array) => void): Work<void>;
}

/** Steps of `createPace` per contact that is judged, which may be computed again. */
const JUDGE_STEPS = 2 ** 9;

/** For lists of contacts or manifolds. */
export function createSurfaceList({ what, over }: AskedQuery, geometry: PartGeometry): SurfaceList {
  const { query, margin } = what;
  const { pairs, dimension } = over;
  const layout = dimension.records;
  const { bodies } = over;
  const { surface } = geometry;
  const table = over.shapes.shapes as readonly (ShapeData | undefined)[];
  const places = createPartPlaces(geometry);
  const proposed = createContactRecord();
  const contact: PartContact = { normal: vec3(), distance: 0, point: vec3() };
  const taken = createTakenAnswers(layout.sizes[query].words);
  const { words } = taken;
  const isDue = createPace();

  function place(pair: number): void {
    if (places.pair === pair) return;
    placePair(bodies, table, pairs[2 * pair], pairs[2 * pair + 1], places);
    places.pair = pair;
  }

  /** The numbers of the answers for the pair of answer `first`, those of one convex part together. Answers come pair by pair. */
  function groupsOf(first: number): Map<number, number[]> {
    const groups = new Map<number, number[]>();
    const pair = taken.pairs[first];
    place(pair);
    const parts = surface.isFirst(places) ? taken.partsB : taken.partsA;
    for (let entry = first; taken.pairs[entry] === pair; entry++) {
      const group = groups.get(parts[entry]);
      if (group) group.push(entry);
      else groups.set(parts[entry], [entry]);
    }
    return groups;
  }

  /** Judges the contacts of one part. Writes what changes to their words. */
  function* judge(entries: number[]): Work<void> {
    const [parts, others] = surface.isFirst(places) ? [taken.partsA, taken.partsB] : [taken.partsB, taken.partsA];
    entries.sort((a, b) => parts[a] - parts[b]);
    const { values } = taken.records;
    const answer = yield* surface.judge(places, { values, records: entries }, others[entries[0]]);
    for (const entry of entries)
      if (values[RECORD_SIZE * entry + AT_DROPPED] === 0 && answer !== -1 - entry) rewrite(entry);
  }

  function rewrite(entry: number): void {
    const { integers, floats, partsA, partsB, records } = taken;
    const fate = writeNormal(places, records.values, entry, result);
    if (fate === FATE_SAME) return;
    if (fate === FATE_NEW) {
      result.iterations = integers[words * entry + layout.sizes[query].info] >>> INFO_ITERATIONS_SHIFT;
      const cut = query === 'manifolds' ? margin : undefined;
      writeContact(places, { partA: partsA[entry], partB: partsB[entry], margin: cut }, records.values, entry, result);
      writeRecord(query, layout, result, floats, integers, entry);
      return;
    }
    writeCoordinates(result.normal, floats, words * entry + normalWordOf(query, layout), layout.axes);
  }

  return {
    get count() {
      return taken.pairs.length;
    },
    take(pair, partA, partB, integers, floats) {
      place(pair);
      if (!surface.hasSurface(places)) return false;
      readContact(query, layout, integers, floats, contact);
      const { x, y, z } = contact.normal;
      if (x === 0 && y === 0 && z === 0) return false;
      surface.propose(places, [partA, partB], contact, { margin }, proposed);
      takeAnswer(taken, pair, partA, partB, integers, proposed);
      return true;
    },
    *settle(end, put) {
      for (let first = 0, next = 0; taken.pairs[first] < end; first = next) {
        for (const entries of groupsOf(first).values()) {
          next += entries.length;
          if (isDue(JUDGE_STEPS * entries.length)) yield;
          yield* judge(entries);
          const { integers, partsA, partsB, pairs: pairOf, records } = taken;
          for (const entry of entries) {
            if (records.values[RECORD_SIZE * entry + AT_DROPPED] !== 0) continue;
            put(pairOf[entry], partsA[entry], partsB[entry], integers.subarray(words * entry, words * (entry + 1)));
          }
        }
      }
      if (taken.pairs.length > 0) keepFrom(taken, end);
    },
  };
}

const result = createPairResult();

function normalWordOf(query: PairQuery['query'], { fields, manifold }: Records): number {
  return query === 'manifolds' ? manifold.normal : fields.normal;
}

/** Reads a contact, or that of a manifold with the deepest of its points. */
function readContact(
  query: PairQuery['query'],
  layout: Records,
  integers: Uint32Array,
  floats: Float32Array,
  to: PartContact,
): void {
  const { axes, fields, manifold, sizes } = layout;
  const n = normalWordOf(query, layout);
  readCoordinates(floats, n, axes, to.normal);
  let at = fields.pointA;
  if (query === 'manifolds') {
    const { positions, distances } = manifold;
    const count = (integers[sizes.manifolds.info] >>> INFO_POINTS_SHIFT) & INFO_POINTS_MASK;
    let deepest = 0;
    for (let i = 1; i < count; i++) if (floats[distances[i]] < floats[distances[deepest]]) deepest = i;
    at = positions[deepest];
  }
  to.distance = floats[query === 'manifolds' ? manifold.contactDistance : fields.distance];
  readCoordinates(floats, at, axes, to.point);
}
