/** The best of the normals that the first pass tries. */
import { copy, type Vec3 } from '../../cpu/math.ts';
import type { Exit } from './exit.ts';
import { KIND_NONE, type ContactRecord } from './contact-records.ts';
import type { GivenContact } from './surface-rule.ts';

/** A clearance that differs by less than this share is as good. */
export const TIE = 1e-6;

/** Parts that overlap by less than the first share of the part's reach, along a normal with more than the second, only touch. */
const TOUCHING = 1e-9;
export const NOT_TOUCHING = 1e-6;

/** Begins the record of a part of the surface with the contact as it is given. */
export function beginRecord(part: number, { normal, depth, point }: GivenContact, to: ContactRecord): void {
  to.part = part;
  to.depth = to.clearance = to.exit = to.travel = depth;
  to.full = to.otherClearance = 0;
  copy(normal, to.normal);
  copy(point, to.point);
}

/** Drops what is proposed: the record then has none, and the depth of the given contact. */
export function dropProposal(to: ContactRecord): void {
  to.kind = KIND_NONE;
  to.exit = to.clearance = to.depth;
  to.travel = Infinity;
  to.full = 0;
}

/** Ends the first pass over a contact. `reach`: of the other part. */
export function finishRecord(reach: number, to: ContactRecord): void {
  const isTouching = to.depth <= TOUCHING * reach && to.exit > NOT_TOUCHING * reach;
  if (to.kind === KIND_NONE || isTouching) dropProposal(to);
}

/** A normal of a feature, and the plane of the feature along it. */
export interface Proposal {
  kind: number;
  readonly normal: Vec3;
  plane: number;
  clearance: number;
  /** Whether the other part passes the feature. If so, `exit` is where it leaves it. */
  isPassed: boolean;
  exit: Exit;
}

export function isBetter(clearance: number, { kind, clearance: least }: ContactRecord): boolean {
  return kind === KIND_NONE || clearance < least * (1 + TIE);
}

/**
 * Takes a proposal that `isBetter` than what is proposed so far; of a feature that is not passed, only the plane. Returns whether it is
 * taken: the caller then says how far the other part moves until it leaves the whole part of the surface.
 */
export function takeProposal({ kind, normal, plane, clearance, isPassed, exit }: Proposal, to: ContactRecord): boolean {
  if (!isPassed) {
    if (to.otherClearance > 0 && clearance >= to.otherClearance) return false;
    to.otherClearance = clearance;
    to.otherPlane = plane;
    copy(normal, to.otherNormal);
    return false;
  }
  const distance = Math.min(exit.distance, clearance);
  const isTie = to.kind !== KIND_NONE && clearance >= to.clearance * (1 - TIE);
  if (isTie && distance <= to.exit) return false;
  to.kind = kind;
  copy(normal, to.normal);
  to.plane = plane;
  to.clearance = clearance;
  to.exit = distance;
  to.travel = clearance;
  to.full = 0;
  copy(exit.point, to.point);
  return true;
}
