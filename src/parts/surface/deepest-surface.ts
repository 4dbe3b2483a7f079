/**
 * The deepest contact of a mesh with a convex body or a compound: records of the contacts that the search has tried
 * (../deepest-contact.ts), and the passes over all of them if these do not decide it.
 */
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { createPairResult, type PairResult } from '../../cpu/queries/result.ts';
import type { Work } from '../../util/turns.ts';
import { comesBefore, copyContact, type KnownAnswer } from '../known-answer.ts';
import type { FindPartContact } from '../part-contact.ts';
import { KIND_EXACT } from './contact-records.ts';
import { createPairContacts } from './pair-contacts.ts';
import { isBehind, planeOf, type Plane } from './second-pass.ts';
import {
  FATE_NEW,
  isMeshFirst,
  meshPlaceOf,
  REFERENCE_ANGLE,
  surfaceOfPair,
  writeContact,
  writeNormal,
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

/** A contact that is deeper by no more than this share is not deeper. */
const SAME_DEPTH = 1e-6;

export function createDeepestSurface(places: PairPlaces, findContact: FindPartContact): DeepestSurface {
  const contacts = createPairContacts(places);
  const { list, partsA, partsB, proposed } = contacts;
  const present = createPairResult();
  let plane: Plane | undefined;
  /** The least distance of a contact that is not accepted. */
  let open = Infinity;

  /** Writes the contact of a record. */
  function write(record: number, isGiven: boolean, margin: number, to: PairResult): void {
    const [partA, partB] = [partsA[record], partsB[record]];
    findContact(partA, partB, margin, to);
    if (isGiven || writeNormal(places, list.values, record, to) !== FATE_NEW) return;
    writeContact(places, { partA, partB, margin: undefined }, list.values, record, to);
  }

  return {
    begin() {
      contacts.begin();
      plane = undefined;
      open = Infinity;
    },
    isBehindDeepest(partA, partB) {
      if (!plane) return false;
      const isMeshA = isMeshFirst(places);
      const isSamePart = isMeshA ? partsB[plane.record] === partB : partsA[plane.record] === partA;
      const of = { surface: surfaceOfPair(places), values: list.values, angle: REFERENCE_ANGLE };
      return isSamePart && isBehind(of, isMeshA ? partA : partB, plane);
    },
    propose(partA, partB, margin, to) {
      const record = contacts.add(partA, partB, margin, to);
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
      if (contacts.has(partA, partB) || !findContact(partA, partB, margin, present)) return;
      contacts.add(partA, partB, margin, present);
    },
    *choose(margin, to) {
      to.result.distance = Infinity;
      yield* contacts.judge((_, answer) => {
        const record = answer < 0 ? -1 - answer : answer;
        write(record, answer < 0, margin, present);
        takeDeeper(partsA[record], partsB[record], present, to);
      });
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
