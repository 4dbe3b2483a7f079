/** The second and third pass over the contacts of one convex part with a surface: which of them it has, and which one is its answer. */
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { Work } from '../../util/turns.ts';
import {
  AT_DEPTH,
  AT_DROPPED,
  AT_KIND,
  AT_PART,
  createContactRecord,
  KIND_NONE,
  RECORD_SIZE,
  writeRecordAt,
} from './contact-records.ts';
import { chooseDeepest } from './deepest-record.ts';
import { proposeBuried } from './first-pass.ts';
import { isSurfaceFirst, surfaceOfPair } from './leading-surface.ts';
import { judgeContacts, type PartContacts } from './second-pass.ts';
import { facesFrom } from './surface.ts';
import { placeOther } from './surface-pair.ts';

const buried = createContactRecord();

/**
 * Judges the contacts of the convex part `other`. Returns the number of its answer, or -1 - that if the answer stays as the kernel has it
 * (deepest-record.ts).
 */
export function* judgePart(places: PairPlaces, given: Omit<PartContacts, 'surface'>, other: number): Work<number> {
  const contacts = { ...given, surface: surfaceOfPair(places) };
  const inner = findCovered(contacts);
  if (inner >= 0) leaveSolids(places, contacts, inner, other);
  yield* judgeContacts(contacts);
  const answer = chooseDeepest(contacts);
  // Its point is on another solid: it only counts if it is the shortest way out.
  if (inner >= 0 && inner !== answer && inner !== -1 - answer) contacts.values[RECORD_SIZE * inner + AT_DROPPED] = 1;
  return answer;
}

/** The deepest contact with a solid that has no open face, of parts that overlap; -1 without. */
function findCovered({ surface: { outline }, values, records }: PartContacts): number {
  const { solids } = outline;
  if (!solids) return -1;
  let found = -1;
  let deepest = 0;
  for (let i = 0; i < records.length; i++) {
    const at = RECORD_SIZE * records[i];
    if (values[at + AT_KIND] !== KIND_NONE || !(values[at + AT_DEPTH] > deepest)) continue;
    const own = values[at + AT_PART];
    if (solids.open.slice(facesFrom(outline, own), facesFrom(outline, own + 1)).some(({ length }) => length > 0))
      continue;
    found = records[i];
    deepest = values[at + AT_DEPTH];
  }
  return found;
}

/** Writes the shortest way out of all solids to a record. */
function leaveSolids(places: PairPlaces, { surface, values }: PartContacts, record: number, other: number): void {
  const at = RECORD_SIZE * record;
  const own = values[at + AT_PART];
  const isFirst = isSurfaceFirst(places);
  proposeBuried(surface, own, placeOther(places, isFirst, isFirst ? own : other, isFirst ? other : own), buried);
  if (buried.kind < KIND_NONE) writeRecordAt(values, at, buried);
}
