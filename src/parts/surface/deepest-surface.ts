/**
 * The deepest contact of two bodies, one of which has a surface: records of the contacts that the search has tried
 * (../deepest-contact.ts), and the passes over all of them if these do not decide it.
 */
import { createPairResult, type PairResult } from '../../cpu/queries/result.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { comesBefore, copyContact, type KnownAnswer } from '../known-answer.ts';
import type { FindPartContact } from '../part-contact.ts';
import type { PartPlaces } from '../part-geometry.ts';
import { createPairContacts } from './pair-contacts.ts';
import { isBehind, planeOf, type Plane } from './second-pass.ts';
import { FATE_NEW, surfacePlaceOf, writeContact, writeNormal } from './surface-pair.ts';

export interface DeepestSurface {
  /** Begins with the bodies at the places, which `hasSurface`. */
  begin(): void;
  /** Whether a triangle is behind the plane of the deepest contact that was taken, which is of the same part. */
  isBehindDeepest(partA: number, partB: number): boolean;
  /** Notes a contact. Returns true if it is accepted as it is, with the accepted normal. */
  propose(partA: number, partB: number, margin: number, to: PairResult): boolean;
  /** Takes the contact that was noted last as the deepest. */
  takeDeepest(): void;
  /**
   * Whether a contact that is not accepted as it is can be deeper than this distance. `boundOf`: the most that the parts can be deep.
   */
  isOpen(distance: number, margin: number, boundOf: (partA: number, partB: number) => number): Work<boolean>;
  /** Proposes the contacts of parts, A and B in turns, if that was not done before. */
  tryPairs(parts: readonly number[], margin: number): Work<void>;
  /** Chooses among all contacts. */
  choose(margin: number, known: KnownAnswer): Work<void>;
}

/** A contact that is deeper by no more than this share is not deeper. */
const SAME_DEPTH = 1e-6;

/** Steps of `createPace` per contact that is tried. */
const TRY_STEPS = 2 ** 12;

export function createDeepestSurface(places: PartPlaces, findContact: FindPartContact): DeepestSurface {
  const { surface: rule } = places.geometry;
  const contacts = createPairContacts(places);
  const { list, partsA, partsB, proposed } = contacts;
  const present = createPairResult();
  let plane: Plane | undefined;
  const isDue = createPace();
  /** Parts whose contacts are not accepted. */
  const rejected: [partA: number, partB: number][] = [];

  /** Writes the contact of a record. */
  function write(record: number, isGiven: boolean, margin: number, to: PairResult): void {
    const [partA, partB] = [partsA[record], partsB[record]];
    findContact(partA, partB, margin, to);
    if (isGiven || writeNormal(places, list.values, record, to) !== FATE_NEW) return;
    writeContact(places, { partA, partB, margin: undefined }, list.values, record, to);
  }

  function isBehindDeepest(partA: number, partB: number): boolean {
    if (!plane) return false;
    const isFirst = rule.isFirst(places);
    const isSamePart = isFirst ? partsB[plane.record] === partB : partsA[plane.record] === partA;
    const of = { surface: rule.cornersOf(places), values: list.values };
    return isSamePart && isBehind(of, isFirst ? partA : partB, plane);
  }

  function tryPair(partA: number, partB: number, margin: number): boolean {
    if (contacts.has(partA, partB) || !findContact(partA, partB, margin, present)) return false;
    contacts.add(partA, partB, margin, present);
    return true;
  }

  return {
    begin() {
      contacts.begin();
      rejected.length = 0;
      plane = undefined;
    },
    isBehindDeepest,
    propose(partA, partB, margin, to) {
      const record = contacts.addAccepted(partA, partB, margin, to);
      if (record >= 0) writeNormal(places, list.values, record, to);
      else rejected.push([partA, partB]);
      return record >= 0;
    },
    takeDeepest: () => void (plane = planeOf(list.values, list.count - 1)),
    *isOpen(distance, margin, boundOf) {
      for (const [partA, partB] of rejected) {
        if (isBehindDeepest(partA, partB) || boundOf(partA, partB) <= -distance) continue;
        if (isDue(TRY_STEPS)) yield;
        if (!tryPair(partA, partB, margin)) continue;
        const open = -proposed.exit * surfacePlaceOf(places).scale;
        if (distance === Infinity || open < distance - SAME_DEPTH * Math.abs(distance)) return true;
      }
      return false;
    },
    *tryPairs(parts, margin) {
      for (let i = 0; i < parts.length; i += 2) {
        if (isDue(TRY_STEPS)) yield;
        tryPair(parts[i], parts[i + 1], margin);
      }
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
