/**
 * The third pass: which of a part's contacts is its answer, after the second pass. That is the deepest one that no shorter clearance
 * contradicts, so it is always in the list. A part that only hits triangles without a normal keeps the kernel's deepest contact.
 */
import {
  AT_DEPTH,
  AT_DROPPED,
  AT_EXIT,
  AT_FULL,
  AT_FULL_POINT,
  AT_KIND,
  AT_LEAST,
  AT_POINT,
  AT_TRAVEL,
  AT_PART,
  KIND_EXACT,
  KIND_NONE,
  RECORD_SIZE,
} from './contact-records.ts';
import { sameDepth } from './second-pass.ts';
import type { PartContacts } from './surface-rule.ts';

/** Contacts that are shallower than the deepest by no more than this share may be the answer, if no clearance contradicts them. */
const LEAST_SHARE = 1e-3;

/** Depths that differ by less than this share are ties. */
const TIE = 1e-9;

/**
 * Chooses the answer and writes its depth and point to its record; drops contacts that are deeper. Returns the number of the record, or
 * -1 - that if the answer is the kernel's contact, which the first pass did not accept. If the part is apart from all triangles, the
 * answer is the nearest.
 */
export function chooseDeepest(contacts: PartContacts): number {
  const { values, records } = contacts;
  const overlapping = Array.from(records).filter((record) => values[RECORD_SIZE * record + AT_DEPTH] > 0);
  if (overlapping.length === 0) return chooseNearest(contacts);
  const usable = overlapping.filter((record) => values[RECORD_SIZE * record + AT_KIND] < KIND_NONE);
  if (usable.length === 0) return keepKernels(contacts, deepestGiven(values, overlapping));
  const kept = usable.filter((record) => values[RECORD_SIZE * record + AT_DROPPED] === 0);
  const pool = kept.length > 0 ? kept : usable;
  const same = sameDepth(contacts);
  const found = deepestOf(values, pool, same);
  const at = RECORD_SIZE * found;
  values[at + AT_DROPPED] = 0;
  const most = values[at + AT_EXIT] + same;
  for (const record of overlapping) {
    const other = RECORD_SIZE * record;
    if (record !== found && values[other + AT_KIND] > KIND_EXACT && values[other + AT_EXIT] > most)
      values[other + AT_DROPPED] = 1;
  }
  return found;
}

/** What a contact's depth comes to if the least clearance of its triangle is believed. */
function believed(values: Float64Array, record: number): number {
  const at = RECORD_SIZE * record;
  return Math.min(values[at + AT_EXIT], leastOf(values, record));
}

/** How far the part moves at least to clear the triangle of a record, along an accepted normal. */
function leastOf(values: Float64Array, record: number): number {
  const at = RECORD_SIZE * record;
  return Math.min(values[at + AT_TRAVEL], values[at + AT_LEAST]);
}

function deepestOf(values: Float64Array, pool: readonly number[], same: number): number {
  let answer = -Infinity;
  for (const record of pool) answer = Math.max(answer, believed(values, record));
  // Parts that barely overlap may be a little above the feature along its normal.
  const share = LEAST_SHARE * Math.abs(answer);
  let found = -1;
  for (const record of pool) {
    const exit = values[RECORD_SIZE * record + AT_EXIT];
    if (exit > leastOf(values, record) + same) continue;
    if (found < 0 || comesFirst(values, record, found, 1)) found = record;
  }
  if (found < 0 || values[RECORD_SIZE * found + AT_EXIT] < answer - share) {
    found = -1;
    for (const record of pool) {
      if (believed(values, record) < answer - share) continue;
      if (found < 0 || comesFirst(values, record, found, -1)) found = record;
    }
  }
  const full = fullestOf(values, pool, Math.max(answer, 0) + same);
  if (full >= 0) return takeFull(values, full);
  const at = RECORD_SIZE * found + AT_EXIT;
  values[at] = Math.min(values[at], answer + share);
  return found;
}

/** Whether a contact is deeper than another, or with `sign` -1 shallower; of ties, the kernel's first, then the lowest triangle. */
function comesFirst(values: Float64Array, record: number, other: number, sign: 1 | -1): boolean {
  const a = RECORD_SIZE * record;
  const b = RECORD_SIZE * other;
  const difference = values[a + AT_EXIT] - values[b + AT_EXIT];
  if (Math.abs(difference) > TIE * Math.abs(values[b + AT_EXIT])) return sign * difference > 0;
  const isKernelA = values[a + AT_KIND] <= KIND_EXACT;
  const isKernelB = values[b + AT_KIND] <= KIND_EXACT;
  return isKernelA === isKernelB ? values[a + AT_PART] < values[b + AT_PART] : isKernelA;
}

/**
 * The contact with flat ground whose clearance is deepest, more than `least`, and no more than the least that clears its triangle; of
 * ties, that of the lowest part; -1 without.
 */
function fullestOf(values: Float64Array, pool: readonly number[], least: number): number {
  let found = -1;
  let deepest = least;
  for (const record of pool) {
    const at = RECORD_SIZE * record;
    const full = values[at + AT_FULL];
    const isTie = found >= 0 && Math.abs(full - deepest) <= TIE * deepest;
    const isFuller = isTie ? values[at + AT_PART] < values[RECORD_SIZE * found + AT_PART] : full > deepest;
    if (!isFuller || full > values[at + AT_LEAST] * (1 + LEAST_SHARE)) continue;
    deepest = full;
    found = record;
  }
  return found;
}

function takeFull(values: Float64Array, record: number): number {
  const at = RECORD_SIZE * record;
  values[at + AT_EXIT] = values[at + AT_FULL];
  for (let k = 0; k < 3; k++) values[at + AT_POINT + k] = values[at + AT_FULL_POINT + k];
  return record;
}

function deepestGiven(values: Float64Array, records: readonly number[]): number {
  let found = records[0];
  for (const record of records) {
    const difference = values[RECORD_SIZE * record + AT_DEPTH] - values[RECORD_SIZE * found + AT_DEPTH];
    const isLower = values[RECORD_SIZE * record + AT_PART] < values[RECORD_SIZE * found + AT_PART];
    if (difference > 0 || (difference === 0 && isLower)) found = record;
  }
  return found;
}

function keepKernels({ values }: PartContacts, record: number): number {
  values[RECORD_SIZE * record + AT_DROPPED] = 0;
  return -1 - record;
}

/** The nearest, and of several the accepted. */
function chooseNearest(contacts: PartContacts): number {
  const { values, records } = contacts;
  const found = deepestGiven(values, Array.from(records));
  const at = RECORD_SIZE * found;
  if (values[at + AT_KIND] <= KIND_EXACT) return found;
  const least = values[at + AT_DEPTH] - contacts.surface.weld;
  for (const record of Array.from(records)) {
    const other = RECORD_SIZE * record;
    if (values[other + AT_KIND] <= KIND_EXACT && values[other + AT_DEPTH] >= least) return record;
  }
  return keepKernels(contacts, found);
}
