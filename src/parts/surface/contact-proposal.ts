/** The best of the normals that the first pass tries. */
import { copy, type Vec3 } from '../../cpu/math.ts';
import type { Exit } from './exit.ts';
import { KIND_NONE, type ContactRecord } from './contact-records.ts';

/** A clearance that differs by less than this share is as good. */
export const TIE = 1e-6;

/** A normal of a feature, and the plane of the feature along it. */
export interface Proposal {
  kind: number;
  readonly normal: Vec3;
  plane: number;
  clearance: number;
  /** Whether the other part passes the feature. If so, how far it moves until it leaves the feature, and the whole surface's part. */
  isPassed: boolean;
  exit: Exit;
  travel: number;
}

export function isBetter(clearance: number, { kind, clearance: least }: ContactRecord): boolean {
  return kind === KIND_NONE || clearance < least * (1 + TIE);
}

/** Takes a proposal that `isBetter` than what is proposed so far. */
export function takeProposal(
  { kind, normal, plane, clearance, isPassed, exit, travel }: Proposal,
  to: ContactRecord,
): void {
  if (!isPassed) {
    if (to.otherClearance > 0 && clearance >= to.otherClearance) return;
    to.otherClearance = clearance;
    to.otherPlane = plane;
    copy(normal, to.otherNormal);
    return;
  }
  const distance = Math.min(exit.distance, clearance);
  const isTie = to.kind !== KIND_NONE && clearance >= to.clearance * (1 - TIE);
  if (isTie && distance <= to.exit) return;
  to.kind = kind;
  copy(normal, to.normal);
  to.plane = plane;
  to.clearance = clearance;
  to.exit = distance;
  to.travel = Math.min(travel, clearance);
  to.full = 0;
  copy(exit.point, to.point);
}
