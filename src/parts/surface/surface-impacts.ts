/**
 * Impacts with surfaces. The normal of an impact with a part that the surface does not accept is replaced by that of a face
 * (impact-normal.ts, planar/planar-rule.ts). An impact counts only if the bodies approach along the normal: a body that slides over
 * flat ground passes the edges in it. Bodies that do not rotate and pass a part do not meet it later; others are followed
 * (followed-touch.ts).
 */
import { addScaled, copy, dot, length, vec3 } from '../../cpu/math.ts';
import { placePair } from '../../cpu/parts/pair-places.ts';
import { impactQueryOf, type ImpactQuery } from '../../cpu/parts/part-impacts.ts';
import { createPairResult, decided, type PairResult } from '../../cpu/queries/result.ts';
import type { AskedQuery } from '../../request/backend.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { createPartPlaces, type PartPlaces } from '../part-geometry.ts';
import { createTouchFollower, type TouchFollower } from './followed-touch.ts';
import { createSurfaceNormal, type ImpactContact } from './surface-rule.ts';
import { createMovedPair, velocityAt, type MovedPair } from './moved-pair.ts';
import { readCoordinates, writeCoordinates } from './record-vectors.ts';
import type { StartContact } from './start-contacts.ts';

/** What becomes of an impact. */
export const IMPACT_COUNTS = 0;
/** Parts overlap at the start, and the bodies do not approach along the normal. */
export const IMPACT_STANDS = 1;
/** The parts pass each other. */
export const IMPACT_PASSES = 2;

export interface SurfaceImpacts {
  /** Whether a surface decides about the bodies at the places. */
  readonly decides: boolean;
  /** Begins with the bodies at the places. */
  begin(): void;
  /**
   * Finds the impact of two parts up to a time, and what becomes of it. `earliest`: a time before which they do not meet. `isStart`:
   * they are known to overlap at the start, and not to approach then.
   */
  find(
    partA: number,
    partB: number,
    times: { earliest: number; last: number },
    isStart: boolean,
    to: PairResult,
  ): number;
  /** Finds the impact of a contact at the start whose parts approach. Returns false if they do not. */
  findAtStart(contact: StartContact, to: PairResult): boolean;
  /** Corrects the normal of an impact that a path of a point has found. */
  correct(partA: number, partB: number, to: PairResult): void;
  /** Decides about a record of the impact of two parts. Returns false if it does not count. */
  acceptRecord(pair: number, partA: number, partB: number, floats: Float32Array): boolean;
}

/** Bodies approach if they do so along the normal by more than this share of their relative speed. */
const LEAST_APPROACH = 1e-6;

/** The same if one of them rotates, as a share of the speeds of their points: points of contact have errors. */
const LEAST_APPROACH_TURNING = 1e-2;

/** Impacts of two parts that are passed at most. */
const MOST_PASSED = 2 ** 8;

const speed = vec3();

/** For queries of impacts with surfaces, which are baked; undefined for others. */
export function createSurfaceImpacts(asked: AskedQuery, places: PartPlaces): SurfaceImpacts | undefined {
  const { what, over } = asked;
  const { motion } = over;
  const { geometry } = places;
  const table = over.shapes.shapes as readonly (ShapeData | undefined)[];
  if (what.query !== 'impacts' || !motion || !table.some((shape) => shape && geometry.surface.isSurface(shape)))
    return undefined;
  const query = impactQueryOf(asked);
  const stopping = { ...query, motion: { ...motion, passesParting: false } };
  const moved = createMovedPair(motion, geometry);
  const state: Deciding = { query, moved, follower: createTouchFollower(query, moved) };
  return {
    get decides() {
      return geometry.surface.hasSurface(places);
    },
    begin: () => moved.begin(places),
    find(partA, partB, { earliest, last }, isStart, to) {
      if (isStart) return moved.isTurning ? goOn(state, places, [partA, partB], [0, last], to) : pass(to);
      geometry.impact(places, [partA, partB], query, to, earliest);
      if (!(to.unclampedTime <= last)) return IMPACT_COUNTS;
      const verdict = decide(state, partA, partB, to);
      if (verdict !== IMPACT_PASSES) return verdict;
      const from = Math.max(to.unclampedTime, 0);
      return moved.isTurning ? goOn(state, places, [partA, partB], [from, last], to) : pass(to);
    },
    findAtStart(contact, to) {
      moved.moveTo(0);
      // Rotating bodies are followed from the start otherwise.
      if ((moved.isTurning && !contact.isGiven) || !approaches(moved, contact)) return false;
      if (!moved.isTurning) {
        geometry.impact(places, [contact.partA, contact.partB], stopping, to);
        if (
          to.unclampedTime <= 0 &&
          decide({ ...state, query: stopping }, contact.partA, contact.partB, to) === IMPACT_COUNTS
        )
          return true;
      }
      decided(0, 0, 1, to);
      to.hasPoints = true;
      const closing = -dot(moved.velocity, contact.normal);
      to.unclampedTime = closing > 0 ? -contact.depth / closing : -Infinity;
      copy(contact.normal, to.normal);
      copy(contact.point, to.pointA);
      return true;
    },
    correct(partA, partB, to) {
      if (!to.hit || !to.hasPoints || !geometry.surface.hasSurface(places)) return;
      moved.begin(places);
      correctImpact(state, partA, partB, to);
    },
    acceptRecord: createAcceptRecord(asked, createPartPlaces(geometry), state),
  };
}

const surface = createSurfaceNormal();

/** What decisions need. The places of `moved` are those of the last decision. */
interface Deciding {
  readonly query: ImpactQuery;
  readonly moved: MovedPair;
  readonly follower: TouchFollower;
}

function contactOf({ normal: n, pointA }: PairResult): ImpactContact {
  return { normal: n, point: pointA };
}

function pass(to: PairResult): number {
  decided(1, 0, 1, to);
  to.unclampedTime = Infinity;
  return IMPACT_COUNTS;
}

/** Corrects the normal of an impact by the surface at its time, and writes to `surface` what became of it. */
function correctImpact({ query, moved }: Deciding, partA: number, partB: number, to: PairResult): void {
  moved.moveTo(to.unclampedTime);
  const { places } = moved;
  places.geometry.surface.correctNormal(places, [partA, partB], { margin: query.margin }, contactOf(to), surface);
}

/** Corrects the normal of an impact, and for bodies that overlap at the start since when they do. */
function decide(deciding: Deciding, partA: number, partB: number, to: PairResult): number {
  const { query, moved } = deciding;
  if (!to.hit || !to.hasPoints) return IMPACT_COUNTS;
  const time = to.unclampedTime;
  correctImpact(deciding, partA, partB, to);
  const { isAccepted, below, side } = surface;
  // Bodies that rotate and touch at the start meet then.
  const isFromStart = time > 0 || (moved.isTurning && time === 0) || query.motion.passesParting;
  // A solid without open faces is met by nothing that has not met others before.
  if (!isAccepted && side === 0 && isFromStart) return IMPACT_PASSES;
  if (isFromStart) {
    // Points of bodies that rotate say nothing about the gap along another normal.
    const counts = moved.isTurning ? isAccepted : approaches(moved, contactOf(to));
    return counts ? IMPACT_COUNTS : IMPACT_PASSES;
  }
  // Before the start, they moved without rotation.
  const closing = -dot(moved.velocity, to.normal);
  if (closing > LEAST_APPROACH * length(moved.velocity)) {
    if (!isAccepted) to.unclampedTime = time - (below + query.margin) / closing;
    return IMPACT_COUNTS;
  }
  to.unclampedTime = -Infinity;
  return IMPACT_STANDS;
}

/** Whether bodies approach along a normal, which is that of both surfaces. */
function approaches(moved: MovedPair, { normal, point }: ImpactContact): boolean {
  const { isTurning, velocity, spinA, spinB } = moved;
  if (!isTurning) return -dot(velocity, normal) > LEAST_APPROACH * length(velocity);
  const lever = length(addScaled(point, moved.places.offset, -1, speed));
  const turning = length(spinA) * length(point) + length(spinB) * lever;
  const closing = -dot(velocityAt(moved, point, speed), normal);
  return closing > LEAST_APPROACH_TURNING * (length(velocity) + turning);
}

/** Follows rotating parts that touch, and searches their next impact when they are apart, until one counts. */
function goOn(
  state: Deciding,
  places: PartPlaces,
  [partA, partB]: readonly [number, number],
  [from, last]: readonly [number, number],
  to: PairResult,
): number {
  const { query, follower } = state;
  const end = Math.min(last, query.motion.duration);
  for (let i = 0, time = from; i < MOST_PASSED && time < end; i++) {
    if (follower.follow(partA, partB, time, end, to)) return IMPACT_COUNTS;
    const apart = to.unclampedTime;
    if (!(apart < end)) break;
    places.geometry.impact(places, [partA, partB], query, to, apart);
    // A ball and a part that does not rotate meet at most once, and the search for that always begins at the start.
    if (to.unclampedTime < apart) break;
    if (!(to.unclampedTime <= end) || decide(state, partA, partB, to) !== IMPACT_PASSES) return IMPACT_COUNTS;
    time = to.unclampedTime;
  }
  return pass(to);
}

function createAcceptRecord({ over }: AskedQuery, places: PartPlaces, state: Deciding): SurfaceImpacts['acceptRecord'] {
  const { pairs, dimension } = over;
  const { impact, axes } = dimension.records;
  const table = over.shapes.shapes as readonly (ShapeData | undefined)[];
  const { moved, query } = state;
  const result = createPairResult();
  return (pair, partA, partB, floats) => {
    if (places.pair !== pair) {
      placePair(over.bodies, table, pairs[2 * pair], pairs[2 * pair + 1], places);
      places.pair = pair;
    }
    if (!places.geometry.surface.hasSurface(places)) return true;
    const [n, at] = [impact.normal, impact.point];
    readCoordinates(floats, n, axes, result.normal);
    if (result.normal.x === 0 && result.normal.y === 0 && result.normal.z === 0) return true;
    readCoordinates(floats, at, axes, result.pointA);
    result.hit = result.hasPoints = true;
    result.unclampedTime = floats[impact.unclampedTime];
    moved.begin(places);
    if (decide(state, partA, partB, result) === IMPACT_PASSES) {
      if (!moved.isTurning) return false;
      const from = Math.max(result.unclampedTime, 0);
      goOn(state, places, [partA, partB], [from, query.motion.duration], result);
      if (!(result.unclampedTime < Infinity)) return false;
    }
    floats[impact.unclampedTime] = result.unclampedTime;
    writeCoordinates(result.normal, floats, n, axes);
    writeCoordinates(result.pointA, floats, at, axes);
    return true;
  };
}
