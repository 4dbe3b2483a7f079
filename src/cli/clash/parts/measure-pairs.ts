/**
 * Measures pairs of which a body is a compound or a mesh.
 *
 * 1. Gaps and depths of their surfaces (surface-bounds.ts).
 * 2. For closed meshes, points inside (inside-points.ts). The deeper of both is the bound.
 * 3. The category: duplicates and containment (part-solids.ts, mesh-solids.ts), then by the bound and the tolerance.
 * 4. Whether the bound is exact (separation.ts).
 */

import type { Reference } from '../reference.ts';
import type { SolidScene } from '../solids/convex-meshes.ts';
import { createBodyReader } from '../solids/body.ts';
import { extendsBeyond, slackOf } from '../solids/protrusion.ts';
import { isSamePlace } from '../solids/same-place.ts';
import { CORE_HALFSPACE } from '../../../generated/constants.ts';
import type { Category } from '../categories.ts';
import type { Limits } from '../rules.ts';
import { measureOnHalfspace } from './halfspace-pairs.ts';
import { askPoints, boundOfPoints, placePoints, someOf, type PointQuestion } from './inside-points.ts';
import { deeper, shownDistance, type Bound, type Measured, type PartPair } from './measured.ts';
import { areNear, mayBeInside, surfacePoints } from './mesh-solids.ts';
import { haveSameParts, isWithinParts } from './part-solids.ts';
import { doSeparate, hasComponentInside } from './separation.ts';
import { surfaceBounds } from './surface-bounds.ts';

/** Points of each of two meshes that may be duplicates, at most. */
const MOST_SURFACE_POINTS = 30_000;

export interface GivenPair {
  pair: number;
  a: number;
  b: number;
  limits: Limits;
  /** Whether the surfaces are within the margin of each other. If not, one body may still be inside the other. */
  isHit: boolean;
}

export type PairMeasurer = (pairs: readonly GivenPair[], margin: number) => Promise<Measured[]>;

/** A function that returns the clashes among pairs, in their order. Gaps above `margin` are none. */
export function createPairMeasurer(solids: SolidScene, reference: Reference): PairMeasurer {
  const readBody = createBodyReader(solids);
  return async (given, margin) => {
    const pairs = given
      .map((pair) => ({ ...pair, bodyA: readBody(pair.a), bodyB: readBody(pair.b) }))
      .filter(
        ({ isHit, bodyA, bodyB }) => isHit || hasComponentInside(bodyA, bodyB) || hasComponentInside(bodyB, bodyA),
      );
    const onHalfspace = pairs.filter(hasHalfspace);
    const others = pairs.filter((pair) => !hasHalfspace(pair));
    const measured = [
      ...onHalfspace.map(measureOnHalfspace),
      ...(others.length > 0 ? await measure(others, margin, solids, reference) : []),
    ];
    return measured.filter((each) => each !== undefined).sort((p, q) => p.pair - q.pair);
  };
}

function hasHalfspace({ bodyA, bodyB }: PartPair): boolean {
  return bodyA.whole.shape.kind === CORE_HALFSPACE || bodyB.whole.shape.kind === CORE_HALFSPACE;
}

async function measure(
  pairs: readonly PartPair[],
  margin: number,
  { scene }: SolidScene,
  reference: Reference,
): Promise<(Measured | undefined)[]> {
  const surfaces = await surfaceBounds(pairs, margin, reference);
  const studies = pairs.map((pair, i) => studyOf(pair, surfaces[i]));
  const questions = studies.flatMap((study) => study.questions);
  const answers = await askPoints(
    questions.map(({ question }) => question),
    reference,
    scene,
  );
  questions.forEach(({ take }, i) => take(answers[i]));
  const conclusions = studies.map(concludeFrom);
  const deep = [...pairs.keys()].filter((i) => conclusions[i] && conclusions[i].distance < 0);
  const areExact = await doSeparate(
    deep.map((i) => pairs[i]),
    deep.map((i) => conclusions[i]!),
    scene,
    reference,
  );
  deep.forEach((i, n) => {
    if (!areExact[n]) conclusions[i]!.source = 'bound';
  });
  return conclusions;
}

/** What is known about a pair, and the questions that are open. */
interface Study {
  pair: PartPair;
  bound: Bound | undefined;
  isDuplicate: boolean;
  isAInside: boolean;
  isBInside: boolean;
  questions: { question: PointQuestion; take: (answer: Parameters<typeof areNear>[1]) => void }[];
}

function studyOf(pair: PartPair, surface: Bound | undefined): Study {
  const { bodyA, bodyB, limits } = pair;
  const { tolerance } = limits;
  const limit = tolerance + slackOf(bodyA.whole, bodyB.whole);
  const gap = Math.max(surface?.distance ?? 0, 0);
  const study: Study = { pair, bound: surface, isDuplicate: false, isAInside: false, isBInside: false, questions: [] };
  const ask = (question: PointQuestion, take: Study['questions'][number]['take']): void => {
    if (question.points.length > 0) study.questions.push({ question, take });
  };
  if (gap <= tolerance) studyDuplicate(study, limit, ask);
  studyInside(study, true, gap, limit, ask);
  studyInside(study, false, gap, limit, ask);
  return study;
}

type Ask = (question: PointQuestion, take: Study['questions'][number]['take']) => void;

function studyDuplicate(study: Study, limit: number, ask: Ask): void {
  const { a, b, bodyA, bodyB, limits } = study.pair;
  const { tolerance } = limits;
  if (isSamePlace(bodyA.whole, bodyB.whole, tolerance)) {
    study.isDuplicate = true;
  } else if (extendsBeyond(bodyA.whole, bodyB.whole, limit) || extendsBeyond(bodyB.whole, bodyA.whole, limit)) {
    return;
  } else if (!bodyA.mesh && !bodyB.mesh) {
    study.isDuplicate = haveSameParts(bodyA, bodyB, tolerance);
  } else if (bodyA.mesh && bodyB.mesh) {
    study.isDuplicate = true;
    const [ofA, ofB] = [bodyA, bodyB].map((body) => someOf(surfacePoints(body), MOST_SURFACE_POINTS));
    ask({ body: b, points: ofA }, (answer) => (study.isDuplicate &&= areNear(ofA, answer, limit)));
    ask({ body: a, points: ofB }, (answer) => (study.isDuplicate &&= areNear(ofB, answer, limit)));
  }
}

/** Studies whether A is inside B, or B inside A, and how deep its points are. */
function studyInside(study: Study, isOfA: boolean, gap: number, limit: number, ask: Ask): void {
  const { a, b, bodyA, bodyB, limits } = study.pair;
  const [from, into, target] = isOfA ? [bodyA, bodyB, b] : [bodyB, bodyA, a];
  const name = isOfA ? 'isAInside' : 'isBInside';
  if (!into.mesh) {
    if (gap <= limits.tolerance && !extendsBeyond(from.whole, into.whole, limit)) {
      study[name] = isWithinParts(from, into, limits.tolerance);
    }
    return;
  }
  const placed = placePoints(from, into);
  if (!placed || placed.inside.length === 0) return;
  const measured = someOf(placed.inside);
  ask({ body: target, points: measured }, (answer) => {
    const bound = boundOfPoints(measured, answer, isOfA);
    if (bound) study.bound = study.bound && study.bound.distance <= 0 ? deeper(study.bound, bound) : bound;
  });
  study[name] = mayBeInside(from, into, placed, gap, limits.tolerance);
  if (!study[name]) return;
  const { outside } = placed;
  ask({ body: target, points: outside }, (answer) => (study[name] &&= areNear(outside, answer, limit)));
}

function concludeFrom({
  pair: { pair, limits },
  bound,
  isDuplicate,
  isAInside,
  isBInside,
}: Study): Measured | undefined {
  if (!bound) return undefined;
  const { tolerance, clearance } = limits;
  const distance = shownDistance(bound.distance);
  const isInside = (isAInside || isBInside) && distance < -tolerance;
  const category = ((): Category | undefined => {
    if (isDuplicate && distance <= tolerance) return 'duplicate';
    if (isInside) return 'contained';
    if (distance < -tolerance) return 'overlap';
    if (distance <= tolerance) return 'touching';
    return clearance !== null && distance < clearance ? 'clearance' : undefined;
  })();
  if (category === undefined) return undefined;
  const inside = category === 'contained' ? (isAInside ? 'a' : 'b') : undefined;
  return { ...bound, distance, pair, category, source: 'exact', ...(inside && ({ inside } as const)) };
}
