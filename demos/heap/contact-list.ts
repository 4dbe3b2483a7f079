/** The hits of the query, organised for the page: the contacts of each body, their depths and features. */

import { Status } from 'narrowphase';
import type { ContactItem, Contacts } from 'narrowphase';
import type { Scene } from '../../cli/scene/scene.ts';

/** A hit with its index in the results and its bodies. */
export interface Contact extends ContactItem {
  slot: number;
  /** Body indices. */
  a: number;
  b: number;
}

export interface ContactList {
  contacts: Contact[];
  /** Contacts of each body that has any, the deepest first. */
  ofBody: Map<number, Contact[]>;
  /** All contacts, the deepest first. */
  byDepth: Contact[];
}

export function listContacts(results: Contacts, pairs: Uint32Array): ContactList {
  const contacts = Array.from(results, (item, slot): Contact => ({
    ...item,
    slot,
    a: pairs[2 * item.pair],
    b: pairs[2 * item.pair + 1],
  }));
  const byDepth = [...contacts].sort((p, q) => p.distance - q.distance || p.slot - q.slot);
  const ofBody = new Map<number, Contact[]>();
  for (const contact of byDepth) {
    for (const body of [contact.a, contact.b]) {
      const list = ofBody.get(body);
      if (list) list.push(contact);
      else ofBody.set(body, [contact]);
    }
  }
  return { contacts, ofBody, byDepth };
}

export function depthOf(contact: Contact): number {
  return Math.max(0, -contact.distance);
}

export function partnerOf(contact: Contact, body: number): number {
  return contact.a === body ? contact.b : contact.a;
}

const FEATURE_KINDS = ['no feature', 'vertex', 'edge', 'face'];

/** `vertex 12`, `edge 3`, `face 5`. */
export function featureText(feature: number): string {
  const kind = feature >>> 30;
  return kind === 0 ? FEATURE_KINDS[0] : `${FEATURE_KINDS[kind]} ${feature & 0x3fffffff}`;
}

/** Names of statuses in reports and on the page, such as `notConverged`, by number. */
export const STATUS_NAMES: readonly string[] = Object.entries(Status)
  .sort(([, a], [, b]) => a - b)
  .map(([name]) => name[0].toLowerCase() + name.slice(1));

export function bodyName(scene: Scene, body: number): string {
  return scene.bodyNames.get(body) ?? scene.shapes[scene.bodies.shapes[body]].type;
}
