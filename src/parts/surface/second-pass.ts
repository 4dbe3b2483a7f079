/**
 * The second pass: the contacts of one convex part with all triangles that it hits. A contact clears another triangle that lies behind
 * its plane: moving along its normal takes the part out of that triangle as well.
 *
 *       crate ....|####|         least = min(travel, clearance of each contact that clears the triangle)
 *   top y=0 ______|####|         A contact that says more than that is dropped: 0.28 sideways out of the riser, which is behind the
 *                 |riser         plane of "up 0.01". So is one that a kernel's contact, or a shallower one, clears from aside.
 *
 * Contacts of kernels stay: no normal clears their triangle in less than their depth.
 *
 * A sheet has two sides, and a triangle pushes to the side with less of the part behind it. At a ridge this may be the wrong side:
 *
 *      ####                Almost all of the part is below the plane of the right slope, so that 0.005 downwards would clear it.
 *      ###/\               But 0.1 upwards, out of the left slope, clears both. So a contact is dropped if a deeper one that pushes
 *        /  \              the other way clears its triangle, unless it clears that one's triangle, too.
 */
import {
  AT_CLEARANCE,
  AT_DEPTH,
  AT_DROPPED,
  AT_EXIT,
  AT_KIND,
  AT_LEAST,
  AT_NORMAL,
  AT_OTHER_CLEARANCE,
  AT_OTHER_NORMAL,
  AT_OTHER_PLANE,
  AT_PLANE,
  AT_POINT,
  AT_TRAVEL,
  AT_PART,
  KIND_EXACT,
  KIND_NONE,
  RECORD_SIZE,
} from './contact-records.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { REFERENCE_ANGLE, type PartContacts } from './surface-rule.ts';

/** A contact that is deeper than the least clearance by more than this share is dropped. */
const MOST_EXCESS = 0.05;

/** Cosine of the angle from which a contact is aside of another. */
const ASIDE = Math.cos((25 * Math.PI) / 180);

/** Cosine of the angle from which a contact opposes another. */
const OPPOSED = Math.cos((100 * Math.PI) / 180);

/** Depths that differ by this share of the greatest are the same. */
const SAME_DEPTH = 1e-6;

/** Triangles are behind a plane if they are over it by no more than this many times the weld tolerance. */
const BEHIND = 4;

/** A plane, which clears triangles behind it. */
export interface Plane {
  /** The record that it is of. */
  record: number;
  clearance: number;
  isKernel: boolean;
  /** Whether it is the contact's own plane, and not the other one of its record. */
  isOwn: boolean;
  x: number;
  y: number;
  z: number;
  height: number;
}

/** Depths that differ by less than this are the same. */
export function sameDepth({ values, records }: PartContacts): number {
  let deepest = 0;
  for (let i = 0; i < records.length; i++) deepest = Math.max(deepest, values[RECORD_SIZE * records[i] + AT_DEPTH]);
  return SAME_DEPTH * deepest;
}

/** Steps of `createPace` per contact and plane that it is compared with. */
const JUDGE_STEPS = 8;

/** Writes `AT_LEAST` and `AT_DROPPED` of all records. */
export function* judgeContacts(contacts: PartContacts): Work<void> {
  const { values, records } = contacts;
  const isDue = createPace();
  const same = sameDepth(contacts);
  const planes = planesOf(contacts);
  for (let i = 0; i < records.length; i++) {
    if (isDue(JUDGE_STEPS * planes.length)) yield;
    const at = RECORD_SIZE * records[i];
    values[at + AT_LEAST] = Infinity;
    values[at + AT_DROPPED] = Number(values[at + AT_KIND] >= KIND_NONE);
    if (!(values[at + AT_DEPTH] > 0) || values[at + AT_KIND] >= KIND_NONE) continue;
    if (values[at + AT_KIND] <= KIND_EXACT) judgeKernels(contacts, at, planes);
    else judgeProposed(contacts, at, planes, same);
  }
}

/** Finds the least clearance of a kernel's contact, if it is less than its depth. */
function judgeKernels(contacts: PartContacts, at: number, planes: readonly Plane[]): void {
  const { values } = contacts;
  for (const plane of planes) {
    if (plane.clearance >= values[at + AT_EXIT]) return;
    if (plane.record === at / RECORD_SIZE || !isBehind(contacts, values[at + AT_PART], plane)) continue;
    values[at + AT_LEAST] = plane.clearance;
    return;
  }
}

function judgeProposed(contacts: PartContacts, at: number, planes: readonly Plane[], same: number): void {
  const { values } = contacts;
  const exit = values[at + AT_EXIT];
  for (const plane of planes) {
    const isFirst = values[at + AT_LEAST] === Infinity;
    if (!isFirst && values[at + AT_DROPPED] === 1) return;
    const isKept = values[at + AT_DROPPED] === 0;
    const cosine = cosineOf(values, at, plane);
    const canDrop = isKept && (plane.isKernel || plane.clearance < exit - same) && cosine < ASIDE;
    const other = RECORD_SIZE * plane.record;
    const mayOppose = isKept && plane.isOwn && values[other + AT_EXIT] > exit + same && cosine < OPPOSED;
    if (!isFirst && !canDrop && !mayOppose) continue;
    if (plane.record === at / RECORD_SIZE || !isBehind(contacts, values[at + AT_PART], plane)) continue;
    if (isFirst) values[at + AT_LEAST] = plane.clearance;
    if (canDrop || (mayOppose && !isBehind(contacts, values[other + AT_PART], planeOf(values, at / RECORD_SIZE))))
      values[at + AT_DROPPED] = 1;
  }
  const least = Math.min(values[at + AT_LEAST], values[at + AT_TRAVEL]);
  if (exit > least + MOST_EXCESS * Math.abs(least) + same) values[at + AT_DROPPED] = 1;
}

/** The planes of all contacts of parts that overlap, those of the least clearance first. */
function planesOf({ values, records }: PartContacts): Plane[] {
  const planes: Plane[] = [];
  for (let i = 0; i < records.length; i++) {
    const record = records[i];
    const at = RECORD_SIZE * record;
    if (!(values[at + AT_DEPTH] > 0)) continue;
    if (values[at + AT_KIND] < KIND_NONE && values[at + AT_CLEARANCE] > 0) planes.push(planeOf(values, record));
    if (!(values[at + AT_OTHER_CLEARANCE] > 0)) continue;
    const [x, y, z] = [0, 1, 2].map((k) => values[at + AT_OTHER_NORMAL + k]);
    const height = values[at + AT_OTHER_PLANE];
    const clearance = values[at + AT_OTHER_CLEARANCE];
    planes.push({ record, clearance, isKernel: false, isOwn: false, x, y, z, height });
  }
  return planes.sort((a, b) => a.clearance - b.clearance || a.record - b.record);
}

/** The plane of a record. */
export function planeOf(values: Float64Array, record: number): Plane {
  const at = RECORD_SIZE * record;
  const [x, y, z] = [values[at + AT_NORMAL], values[at + AT_NORMAL + 1], values[at + AT_NORMAL + 2]];
  const isKernel = values[at + AT_KIND] <= KIND_EXACT;
  return {
    record,
    clearance: values[at + AT_CLEARANCE],
    isKernel,
    isOwn: true,
    x,
    y,
    z,
    height: values[at + AT_PLANE],
  };
}

/** Whether a part of the surface is behind a plane. */
export function isBehind(
  { surface, values }: Pick<PartContacts, 'surface' | 'values'>,
  part: number,
  { x, y, z, height, isKernel, record }: Plane,
): boolean {
  const { positions, indices, starts, solids } = surface.outline;
  if (solids?.isPlain[part] === 1) return false;
  const tolerance = BEHIND * surface.weld;
  const end = starts ? starts[part + 1] : 3 * part + 3;
  for (let i = starts ? starts[part] : 3 * part; i < end; i++) {
    const from = 3 * indices[i];
    const over = x * positions[from] + y * positions[from + 1] + z * positions[from + 2] - height;
    if (over <= tolerance) continue;
    if (!isKernel) return false;
    // The error of the normal lifts triangles that are far from the point of contact.
    const point = RECORD_SIZE * record + AT_POINT;
    const far = Math.hypot(
      positions[from] - values[point],
      positions[from + 1] - values[point + 1],
      positions[from + 2] - values[point + 2],
    );
    if (over > tolerance + REFERENCE_ANGLE * far) return false;
  }
  return true;
}

/** The cosine of the angle between a contact's normal and a plane's. */
function cosineOf(values: Float64Array, at: number, { x, y, z }: Plane): number {
  const n = at + AT_NORMAL;
  return values[n] * x + values[n + 1] * y + values[n + 2] * z;
}
