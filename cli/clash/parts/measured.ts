/** What is found out about a pair with a body of parts. */

import type { Vec3 } from '../../../src/cpu/math.ts';
import { shortestOfF32 } from '../../report/decimal.ts';
import type { Source } from '../categories.ts';
import type { Classified } from '../classify.ts';
import type { Limits } from '../rules.ts';
import type { Body } from '../solids/body.ts';

/** A pair of bodies, of which at least one is a compound or a mesh. */
export interface PartPair {
  /** Index into the candidate pairs. */
  pair: number;
  /** Body indices. */
  a: number;
  b: number;
  limits: Limits;
  bodyA: Body;
  bodyB: Body;
}

/** A signed distance, and where it is. Negative: no shorter translation than this separates the bodies. */
export interface Bound {
  distance: number;
  /** Unit vector from A to B. */
  normal: Vec3;
  /** In the middle between both surfaces, in the world. */
  point: Vec3;
}

export interface Measured extends Bound, Classified {
  pair: number;
  source: Source;
}

/** A distance as reports show it. Categories are decided by it, so that readers of a report can repeat the decision. */
export function shownDistance(distance: number): number {
  return shortestOfF32(Math.fround(distance));
}

/** The stronger of two bounds. */
export function deeper<Given extends Bound | undefined>(known: Given, other: Bound): Given | Bound {
  return known === undefined || other.distance < known.distance ? other : known;
}
