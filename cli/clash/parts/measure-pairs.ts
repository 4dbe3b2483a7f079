/**
 * Measures pairs in which a body is a compound or a mesh.
 *
 * 1. The bound is the deepest of two: that of the surfaces (surface-bounds.ts) and, for closed meshes, that of points inside
 *    (inside-points.ts).
 * 2. Whether the bound is exact (separation.ts).
 * 3. If it is not, and one body is a closed mesh: a deeper bound by points that both have in common (common-points.ts), and
 *    whether that is exact.
 * 4. If the bound is not exact, but within the tolerance: whether the bodies touch (separation.ts).
 * 5. The category, by the bound and by whether one body is inside the other (coverage.ts).
 */

import { CORE_HALFSPACE } from '../../../src/generated/constants.ts';
import { categoryOf } from '../classify.ts';
import type { Reference } from '../reference.ts';
import type { Limits } from '../rules.ts';
import { createBodyReader } from '../solids/body.ts';
import type { SolidScene } from '../solids/convex-meshes.ts';
import { isSamePlace } from '../solids/same-place.ts';
import { isCovered } from './coverage.ts';
import { measureOnHalfspace } from './halfspace-pairs.ts';
import { boundOfInside } from './inside-points.ts';
import { deeper, shownDistance, type Bound, type Measured, type PartPair } from './measured.ts';
import { areSolids, boundOfCommonPoints } from './common-points.ts';
import { findMeetings } from './meetings.ts';
import { doSeparate, doTouch, precisionOf } from './separation.ts';
import { surfaceBounds } from './surface-bounds.ts';

export interface GivenPair {
  /** Index into the candidate pairs. */
  pair: number;
  a: number;
  b: number;
  limits: Limits;
}

/** Pairs that are measured together, which limits the memory for their bodies and parts. */
const AT_ONCE = 512;

/** Yields the clashes among pairs, in their order, and how many pairs are done. Gaps above `margin` are not clashes. */
export type PairMeasurer = (
  pairs: readonly GivenPair[],
  margin: number,
) => AsyncGenerator<{ clashes: Measured[]; done: number }>;

export function createPairMeasurer(solids: SolidScene, reference: Reference): PairMeasurer {
  const readBody = createBodyReader(solids);
  return async function* (given, margin) {
    for (let first = 0; first < given.length; first += AT_ONCE) {
      const some = given.slice(first, first + AT_ONCE);
      const pairs = some.map((pair) => ({ ...pair, bodyA: readBody(pair.a), bodyB: readBody(pair.b) }));
      const onHalfspace = pairs.filter(hasHalfspace).map(measureOnHalfspace);
      const others = await measure(
        pairs.filter((pair) => !hasHalfspace(pair)),
        margin,
        solids,
        reference,
      );
      const clashes = [...onHalfspace, ...others].filter((each) => each !== undefined);
      yield { clashes: clashes.sort((p, q) => p.pair - q.pair), done: first + some.length };
    }
  };
}

function hasHalfspace({ bodyA, bodyB }: PartPair): boolean {
  return bodyA.whole.shape.kind === CORE_HALFSPACE || bodyB.whole.shape.kind === CORE_HALFSPACE;
}

async function measure(
  given: readonly PartPair[],
  margin: number,
  { scene }: SolidScene,
  reference: Reference,
): Promise<(Measured | undefined)[]> {
  const { pairs, surfaces } = await surfaceBounds(given, margin, reference);
  const bounds = pairs.map((pair, i) => boundsOf(pair, surfaces[i]));
  const measured: MeasuredBound[] = bounds.map((each) => ({ bound: deepest(each), isExact: true, isDeeper: false }));
  const meets = ({ bound }: MeasuredBound): boolean => bound !== undefined && bound.distance <= 0;
  const separate = async (of: readonly number[]): Promise<void> => {
    const areExact = await doSeparate(
      of.map((i) => pairs[i]),
      of.map((i) => measured[i].bound!),
      scene,
      reference,
    );
    of.forEach((i, n) => (measured[i].isExact = areExact[n]));
  };
  await separate([...pairs.keys()].filter((i) => meets(measured[i])));
  const open = [...pairs.keys()].filter((i) => !measured[i].isExact && areSolids(pairs[i]));
  const meetings = await findMeetings(
    open.map((i) => pairs[i]),
    reference,
  );
  const deepened = open.filter((i, n) => {
    const points = bounds[i].map(({ point }) => point);
    const bound = boundOfCommonPoints(pairs[i], points, meetings[n]);
    if (!bound || bound.distance >= measured[i].bound!.distance) return false;
    measured[i].bound = bound;
    return true;
  });
  await separate(deepened);
  const unclear = [...pairs.keys()].filter((i) => isUnclear(pairs[i], measured[i]));
  const areTouching = await doTouch(
    unclear.map((i) => pairs[i]),
    unclear.map((i) => measured[i].bound!),
    scene,
    reference,
  );
  unclear.forEach((i, n) => (measured[i].isDeeper = !areTouching[n]));
  return pairs.map((pair, i) => conclude(pair, measured[i]));
}

interface MeasuredBound {
  bound: Bound | undefined;
  isExact: boolean;
  /** Whether the depth is more than the tolerance, although the bound is not. */
  isDeeper: boolean;
}

/**
 * Whether a bound within the tolerance leaves open if the bodies touch. Bodies that are no deeper than the precision do, as
 * a pin does in a hole of its own diameter.
 */
function isUnclear(pair: PartPair, { bound, isExact }: MeasuredBound): boolean {
  if (isExact || shownDistance(bound!.distance) < -pair.limits.tolerance) return false;
  return bound!.distance < -precisionOf(pair);
}

/** Bounds of a pair: the surfaces' and those of points inside. */
function boundsOf({ bodyA, bodyB }: PartPair, surface: Bound | undefined): Bound[] {
  const bounds = [surface, boundOfInside(bodyA, bodyB, true), boundOfInside(bodyB, bodyA, false)];
  return bounds.filter((bound) => bound !== undefined);
}

/** Points inside are deeper than any gap of the surfaces. */
function deepest(bounds: readonly Bound[]): Bound | undefined {
  return bounds.reduce<Bound | undefined>(deeper, undefined);
}

function conclude(
  { pair, bodyA, bodyB, limits }: PartPair,
  { bound, isExact, isDeeper }: MeasuredBound,
): Measured | undefined {
  if (!bound) return undefined;
  const distance = shownDistance(bound.distance);
  const { tolerance } = limits;
  const found = categoryOf(isDeeper ? -Infinity : distance, limits, {
    isSamePlace: () => isSamePlace(bodyA.whole, bodyB.whole, tolerance),
    isAInB: () => isCovered(bodyA, bodyB, tolerance),
    isBInA: () => isCovered(bodyB, bodyA, tolerance),
  });
  return found && { ...bound, ...found, distance, pair, source: isExact ? 'exact' : 'bound' };
}
