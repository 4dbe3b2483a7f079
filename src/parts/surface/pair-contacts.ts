/** The contacts of all parts of a surface with one other body: records of the first pass, and the passes over those of each part. */
import { set, vec3 } from '../../cpu/math.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import type { Work } from '../../util/turns.ts';
import { keyOfParts } from '../known-answer.ts';
import type { PartPlaces } from '../part-geometry.ts';
import {
  appendRecord,
  createContactRecord,
  createRecordList,
  KIND_EXACT,
  type ContactRecord,
  type RecordList,
} from './contact-records.ts';
import type { PartContact } from './surface-rule.ts';

export interface PairContacts {
  readonly list: RecordList;
  /** The parts of each record. */
  readonly partsA: readonly number[];
  readonly partsB: readonly number[];
  /** What was proposed last. */
  readonly proposed: ContactRecord;
  /** Begins with the bodies at the places, which `hasSurface`. */
  begin(): void;
  has(partA: number, partB: number): boolean;
  /** Adds the contact of two parts. Returns the number of its record. */
  add(partA: number, partB: number, margin: number, from: PairResult): number;
  /** The same if the surface accepts the contact as it is; otherwise returns -1. */
  addAccepted(partA: number, partB: number, margin: number, from: PairResult): number;
  /** Judges the contacts of each convex part, and calls `visit` with their answer (deepest-record.ts). */
  judge(visit: (records: readonly number[], answer: number) => void): Work<void>;
}

export function createPairContacts(places: PartPlaces): PairContacts {
  const { surface: rule } = places.geometry;
  const list = createRecordList();
  const proposed = createContactRecord();
  const contact: PartContact = { normal: vec3(), distance: 0, point: vec3() };
  const known = new Set<number>();
  const partsA: number[] = [];
  const partsB: number[] = [];

  /** The numbers of the records of each convex part, in order of the surface's parts. */
  function groups(): Iterable<number[]> {
    const [parts, ofSurface] = rule.isFirst(places) ? [partsB, partsA] : [partsA, partsB];
    const found = new Map<number, number[]>();
    for (let record = 0; record < list.count; record++) {
      const group = found.get(parts[record]);
      if (group) group.push(record);
      else found.set(parts[record], [record]);
    }
    for (const records of found.values()) records.sort((one, other) => ofSurface[one] - ofSurface[other]);
    return found.values();
  }

  function propose(partA: number, partB: number, margin: number, from: PairResult, isGivenOnly: boolean): void {
    const { normal, pointA, distance } = from;
    // As records have them: lists decide in the same way.
    set(Math.fround(normal.x), Math.fround(normal.y), Math.fround(normal.z), contact.normal);
    set(Math.fround(pointA.x), Math.fround(pointA.y), Math.fround(pointA.z), contact.point);
    contact.distance = Math.fround(distance);
    rule.propose(places, [partA, partB], contact, { margin, isGivenOnly }, proposed);
  }

  function append(partA: number, partB: number): number {
    known.add(keyOfParts(partA, partB));
    partsA.push(partA);
    partsB.push(partB);
    return appendRecord(list, proposed);
  }

  return {
    list,
    partsA,
    partsB,
    proposed,
    begin() {
      list.count = partsA.length = partsB.length = 0;
      known.clear();
    },
    has: (partA, partB) => known.has(keyOfParts(partA, partB)),
    add(partA, partB, margin, from) {
      propose(partA, partB, margin, from, false);
      return append(partA, partB);
    },
    addAccepted(partA, partB, margin, from) {
      propose(partA, partB, margin, from, true);
      return proposed.kind <= KIND_EXACT ? append(partA, partB) : -1;
    },
    *judge(visit) {
      const parts = rule.isFirst(places) ? partsB : partsA;
      for (const records of groups()) {
        const contacts = { values: list.values, records };
        visit(records, yield* rule.judge(places, contacts, parts[records[0]]));
        yield;
      }
    },
  };
}
