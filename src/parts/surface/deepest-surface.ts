/**
 * The deepest contact of a mesh with a convex body or a compound: records of the contacts that the search has tried
 * (../deepest-contact.ts), and the passes over all of them if these do not decide it.
 */
import { vec3, set } from '../../cpu/math.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { createPairResult, type PairResult } from '../../cpu/queries/result.ts';
import type { Work } from '../../util/turns.ts';
import { comesBefore, copyContact, type KnownAnswer } from '../known-answer.ts';
import type { FindPartContact } from '../part-contact.ts';
import { appendRecord, createContactRecord, createRecordList, KIND_EXACT } from './contact-records.ts';
import { chooseDeepest } from './deepest-record.ts';
import type { MeshSurface } from './mesh-surface.ts';
import { isBehind, judgeContacts, planeOf, type Plane } from './second-pass.ts';
import {
  FATE_NEW,
  isMeshFirst,
  meshPlaceOf,
  proposeForPair,
  REFERENCE_ANGLE,
  surfaceOfPair,
  writeContact,
  writeNormal,
  type PartContact,
} from './surface-pair.ts';

export interface DeepestSurface {
  /** Begins with the bodies at the places, which `hasSurface`. */
  begin(): void;
  /** Whether a triangle is behind the plane of the deepest contact that was taken, which is of the same part. */
  isBehindDeepest(partA: number, partB: number): boolean;
  /** Proposes a contact. Returns true if it is accepted, with the accepted normal. */
  propose(partA: number, partB: number, margin: number, to: PairResult): boolean;
  /** Takes the contact that was proposed last as the deepest. */
  takeDeepest(): void;
  /** Whether a contact that is not accepted as it is can be deeper than this distance. */
  isOpen(distance: number): boolean;
  /** Proposes the contact of two parts, if that was not done before. */
  tryPair(partA: number, partB: number, margin: number): void;
  /** Chooses among all contacts. */
  choose(margin: number, known: KnownAnswer): Work<void>;
}

/** Parts have numbers below this. */
const PART_NUMBERS = 2 ** 26;

/** A contact that is deeper by no more than this share is not deeper. */
const SAME_DEPTH = 1e-6;

export function createDeepestSurface(places: PairPlaces, findContact: FindPartContact): DeepestSurface {
  const list = createRecordList();
  const proposed = createContactRecord();
  const contact: PartContact = { normal: vec3(), distance: 0, point: vec3() };
  const present = createPairResult();
  const known = new Set<number>();
  const partsA: number[] = [];
  const partsB: number[] = [];
  let surface: MeshSurface;
  let plane: Plane | undefined;
  /** The least distance of a contact that is not accepted. */
  let open = Infinity;

  /** Proposes a contact. Returns the number of its record. */
  function addRecord(partA: number, partB: number, margin: number, from: PairResult): number {
    const { normal, pointA } = from;
    // As records have them: lists decide in the same way.
    set(Math.fround(normal.x), Math.fround(normal.y), Math.fround(normal.z), contact.normal);
    set(Math.fround(pointA.x), Math.fround(pointA.y), Math.fround(pointA.z), contact.point);
    contact.distance = Math.fround(from.distance);
    proposeForPair(places, partA, partB, contact, { margin, angle: REFERENCE_ANGLE }, proposed);
    known.add(partA * PART_NUMBERS + partB);
    partsA.push(partA);
    partsB.push(partB);
    return appendRecord(list, proposed);
  }

  /** Writes the contact of a record. */
  function write(record: number, isGiven: boolean, margin: number, to: PairResult): void {
    const [partA, partB] = [partsA[record], partsB[record]];
    findContact(partA, partB, margin, to);
    if (isGiven || writeNormal(places, list.values, record, to) !== FATE_NEW) return;
    writeContact(places, { partA, partB, margin: undefined }, list.values, record, to);
  }

  return {
    begin() {
      list.count = partsA.length = partsB.length = 0;
      known.clear();
      plane = undefined;
      open = Infinity;
      surface = surfaceOfPair(places);
    },
    isBehindDeepest(partA, partB) {
      if (!plane) return false;
      const isMeshA = isMeshFirst(places);
      const isSamePart = isMeshA ? partsB[plane.record] === partB : partsA[plane.record] === partA;
      const contacts = { surface, values: list.values, angle: REFERENCE_ANGLE };
      return isSamePart && isBehind(contacts, isMeshA ? partA : partB, plane);
    },
    propose(partA, partB, margin, to) {
      const record = addRecord(partA, partB, margin, to);
      if (proposed.kind <= KIND_EXACT) {
        writeNormal(places, list.values, record, to);
        return true;
      }
      open = Math.min(open, -proposed.exit * meshPlaceOf(places).scale);
      return false;
    },
    takeDeepest: () => void (plane = planeOf(list.values, list.count - 1)),
    isOpen: (distance) =>
      open < distance - SAME_DEPTH * Math.abs(distance) || (open < Infinity && distance === Infinity),
    tryPair(partA, partB, margin) {
      if (known.has(partA * PART_NUMBERS + partB) || !findContact(partA, partB, margin, present)) return;
      addRecord(partA, partB, margin, present);
    },
    *choose(margin, to) {
      const groups = new Map<number, number[]>();
      for (let record = 0; record < list.count; record++) {
        const part = isMeshFirst(places) ? partsB[record] : partsA[record];
        const group = groups.get(part);
        if (group) group.push(record);
        else groups.set(part, [record]);
      }
      to.result.distance = Infinity;
      for (const records of groups.values()) {
        records.sort((one, other) => (isMeshFirst(places) ? partsA[one] - partsA[other] : partsB[one] - partsB[other]));
        const contacts = { surface, values: list.values, records, angle: REFERENCE_ANGLE };
        yield* judgeContacts(contacts);
        const answer = chooseDeepest(contacts);
        const record = answer < 0 ? -1 - answer : answer;
        write(record, answer < 0, margin, present);
        takeDeeper(partsA[record], partsB[record], present, to);
        yield;
      }
    },
  };
}

/** Takes a contact that is deeper than another by its record, or as deep and of lower parts. */
function takeDeeper(partA: number, partB: number, result: PairResult, to: KnownAnswer): void {
  const distance = Math.fround(result.distance);
  const deepest = Math.fround(to.result.distance);
  if (distance > deepest || (distance === deepest && !comesBefore(partA, partB, to.partA, to.partB))) return;
  to.partA = partA;
  to.partB = partB;
  copyContact(result, to.result);
}
