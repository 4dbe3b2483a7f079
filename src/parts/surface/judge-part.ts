/** The second and third pass over the contacts of one convex part with a surface: which of them it has, and which one is its answer. */
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { Work } from '../../util/turns.ts';
import {
  AT_DEPTH,
  AT_DROPPED,
  AT_EXIT,
  AT_KIND,
  AT_PART,
  createContactRecord,
  KIND_EXACT,
  KIND_NONE,
  RECORD_SIZE,
  writeRecordAt,
} from './contact-records.ts';
import { chooseDeepest } from './deepest-record.ts';
import { proposeBuried } from './first-pass.ts';
import { isSurfaceFirst, surfaceOfPair } from './leading-surface.ts';
import { placeOther } from './part-of-pair.ts';
import { judgeContacts } from './second-pass.ts';
import type { PartContacts } from './surface-rule.ts';
import { facesFrom, type Surface } from './surface.ts';

const buried = createContactRecord();

/** A way out that is shorter by no more than this share is not shorter. */
const TIE = 1e-6;

/** A way out replaces another one only if the part's lowest point leaves the face last, to within this share of the depth. */
const SAME = 1e-3;

/**
 * Judges the contacts of the convex part `other`. Returns the number of its answer, or -1 - that if the answer stays as the kernel has it
 * (deepest-record.ts). A part inside of solids that cover each other may have a shorter way out, through a face of a solid that it does not
 * touch: that replaces the contact with the solid in the middle.
 */
export function* judgePart(places: PairPlaces, given: Omit<PartContacts, 'surface'>, other: number): Work<number> {
  const contacts = { ...given, surface: surfaceOfPair(places) };
  const { surface, values } = contacts;
  yield* judgeContacts(contacts);
  const first = chooseDeepest(contacts);
  const record = first < 0 ? -1 - first : first;
  const at = RECORD_SIZE * record;
  const isKernels = first >= 0 && values[at + AT_KIND] <= KIND_EXACT;
  const covered = findCovered(contacts, surface);
  if (!surface.outline.solids || !(values[at + AT_DEPTH] > 0) || (isKernels && covered < 0)) return first;
  const inner = covered >= 0 ? covered : record;
  const most = covered >= 0 || first < 0 ? Infinity : values[at + AT_EXIT] * (1 - TIE);
  leaveSolids(places, surface, values[RECORD_SIZE * inner + AT_PART], other, most);
  if (buried.kind >= KIND_NONE || (most < Infinity && buried.exit < buried.clearance * (1 - SAME))) return first;
  writeRecordAt(values, RECORD_SIZE * inner, buried);
  yield* judgeContacts(contacts);
  const answer = chooseDeepest(contacts);
  // Its point is on another solid: it only counts if it is the answer.
  if (inner !== answer) values[RECORD_SIZE * inner + AT_DROPPED] = 1;
  return answer;
}

/** The deepest contact with a solid that has no open face, of parts that overlap; -1 without. */
function findCovered({ values, records }: PartContacts, { outline }: Surface): number {
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

/** Writes the shortest way out of all solids to `buried`. `own`: a solid that the part overlaps. */
function leaveSolids(places: PairPlaces, surface: Surface, own: number, other: number, most: number): void {
  const isFirst = isSurfaceFirst(places);
  proposeBuried(surface, own, placeOther(places, isFirst, isFirst ? own : other, isFirst ? other : own), most, buried);
}
