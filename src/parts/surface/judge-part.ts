/** The second and third pass over the contacts of one convex part with a surface: which of them it has, and which one is its answer. */
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { Work } from '../../util/turns.ts';
import {
  AT_DROPPED,
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
import { placeOther } from './surface-pair.ts';

const buried = createContactRecord();

/**
 * Judges the contacts of the convex part `other`. Returns the number of its answer, or -1 - that if the answer stays as the kernel has it
 * (deepest-record.ts). A part that only overlaps solids inside of the surface leaves them through the nearest open face.
 */
export function* judgePart(
  places: PairPlaces,
  given: Omit<PartContacts, 'surface'>,
  other: number,
): Work<number> {
  const contacts = { ...given, surface: surfaceOfPair(places) };
  yield* judgeContacts(contacts);
  const answer = chooseDeepest(contacts);
  const { surface, values } = contacts;
  if (answer >= 0 || !surface.outline.solids) return answer;
  const record = -1 - answer;
  const at = RECORD_SIZE * record;
  const own = values[at + AT_PART];
  const isFirst = isSurfaceFirst(places);
  const part = placeOther(places, isFirst, isFirst ? own : other, isFirst ? other : own);
  proposeBuried(surface, own, part, buried);
  if (buried.kind >= KIND_NONE) return answer;
  writeRecordAt(values, at, buried);
  values[at + AT_DROPPED] = 0;
  return record;
}
