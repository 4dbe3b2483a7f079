/**
 * Contacts of a mesh with another body at the start of their motion, for impacts of bodies that overlap then: which of them the surface
 * has, after all passes (pair-contacts.ts).
 */
import { findPartPairs } from '../../bvh/find-part-pairs.ts';
import type { Walk } from '../../bvh/walk.ts';
import { copy, vec3, type Vec3 } from '../../cpu/math.ts';
import { createPairResult } from '../../cpu/queries/result.ts';
import type { Work } from '../../util/turns.ts';
import { createPartContact } from '../part-contact.ts';
import type { PartPlaces } from '../part-geometry.ts';
import { treeOf } from '../../bvh/kept-trees.ts';
import { AT_DROPPED, AT_KIND, KIND_EXACT, KIND_NONE, RECORD_SIZE } from './contact-records.ts';
import { createPairContacts } from './pair-contacts.ts';
import { FATE_NEW, FATE_SAME, writeContact, writeNormal } from './surface-pair.ts';

/** A contact at the start. */
export interface StartContact {
  readonly partA: number;
  readonly partB: number;
  /** By how much the parts overlap, or are nearer than the margin. */
  depth: number;
  /** From A to B, and on A's surface, relative to A's position. */
  readonly normal: Vec3;
  readonly point: Vec3;
  /** Whether it is the kernel's contact, with a normal that the surface accepts. */
  isGiven: boolean;
  /** Whether the surface has it. */
  isKept: boolean;
  /** Whether it is its part's answer. */
  isDeepest: boolean;
}

/** Finds the contacts of the bodies at the places, which are nearer than the margin. */
export type FindStart = (margin: number) => Work<readonly StartContact[]>;

export function createStartContacts(places: PartPlaces, walk: Walk): FindStart {
  const findContact = createPartContact({ leadStage: 'sat' }, places);
  const contacts = createPairContacts(places);
  const present = createPairResult();
  return function* find(margin) {
    const { a, b, placement } = places;
    const found: StartContact[] = [];
    contacts.begin();
    const add = (partA: number, partB: number): void => {
      if (!findContact(partA, partB, margin, present)) return;
      contacts.add(partA, partB, margin, present);
      const { normal, pointA, distance } = present;
      found.push({
        partA,
        partB,
        depth: margin - distance,
        normal: copy(normal, vec3()),
        point: copy(pointA, vec3()),
        isGiven: false,
        isKept: false,
        isDeepest: false,
      });
    };
    const rest = findPartPairs({ a: treeOf(a.shape), b: treeOf(b.shape), placement }, margin, add, walk, false);
    if (rest) yield* rest;
    const { values } = contacts.list;
    yield* contacts.judge((records, answer) => {
      for (const record of records) {
        const at = RECORD_SIZE * record;
        const contact = found[record];
        contact.isKept = values[at + AT_DROPPED] === 0;
        contact.isDeepest = record === answer || record === -1 - answer;
        contact.isGiven = values[at + AT_KIND] <= KIND_EXACT;
        if (!contact.isKept || values[at + AT_KIND] >= KIND_NONE) continue;
        const fate = writeNormal(places, values, record, present);
        if (fate === FATE_SAME) continue;
        copy(present.normal, contact.normal);
        if (fate !== FATE_NEW) continue;
        writeContact(
          places,
          { partA: contact.partA, partB: contact.partB, margin: undefined },
          values,
          record,
          present,
        );
        copy(present.pointA, contact.point);
        contact.depth = margin - present.distance;
      }
    });
    return found;
  };
}
