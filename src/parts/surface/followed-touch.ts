/**
 * What comes after an impact of rotating bodies that the mesh's surface does not have: the body slides over a triangle's seam. From
 * there on, both are followed while they stay within the margin of each other, step by step:
 *
 *     gap |  seam                        apart: the search for impacts goes on
 *         |   |___    ____/                If the surface does not accept the normal of the contact, the gap is how high
 *         |   |   \__/                     the part is over the triangle's plane.
 *         |        ^
 *         |     falls below the greatest so far: they meet
 */
import { copy } from '../../cpu/math.ts';
import type { ImpactQuery } from '../../cpu/parts/part-impacts.ts';
import { createPairResult, type PairResult } from '../../cpu/queries/result.ts';
import { STATUS_OVERLAPPING } from '../../generated/constants.ts';
import { createPartContact } from '../part-contact.ts';
import { createSurfaceNormal } from './surface-rule.ts';
import type { MovedPair } from './moved-pair.ts';
import { surfacePlaceOf } from './surface-pair.ts';

/** Radians and shares of the other body's size that bodies move per step. A fall between two steps is less than 3e-5 of the size. */
const MOST_TURN = 1 / 64;
const MOST_WAY = 1 / 4;

/** A gap that falls by this share of the other body's size closes. */
const LEAST_FALL = 1e-5;

/** Steps at most, and of the search for the time at which a gap has fallen. */
const MOST_STEPS = 2 ** 12;
const TIME_STEPS = 24;

export interface TouchFollower {
  /**
   * Follows two parts from a time on, up to `last`. Returns true if they meet, with the impact; otherwise `to.unclampedTime` is when
   * they are apart, or Infinity.
   */
  follow(partA: number, partB: number, from: number, last: number, to: PairResult): boolean;
}

/** A gap, and along what: a face's normal (`SurfaceNormal`), or (0) the contact's own. */
interface Gap {
  side: number;
  distance: number;
}

export function createTouchFollower({ margin }: Pick<ImpactQuery, 'margin'>, moved: MovedPair): TouchFollower {
  const { places } = moved;
  const findContact = createPartContact({ leadStage: 'sat' }, places);
  const present = createPairResult();
  const contact = { normal: present.normal, point: present.pointA };
  const surface = createSurfaceNormal();
  const gap: Gap = { side: 0, distance: 0 };

  /** Writes the gap at a time. Returns false if the parts are apart. */
  function measure(partA: number, partB: number, time: number, fall: number): boolean {
    moved.moveTo(time);
    if (!findContact(partA, partB, margin + fall, present)) return false;
    gap.distance = present.distance;
    places.geometry.surface.correctNormal(places, [partA, partB], { margin: present.distance }, contact, surface);
    gap.side = surface.side;
    if (!surface.isAccepted) gap.distance = -surface.below;
    return true;
  }

  /** The time at which a gap has fallen, between two times. */
  function fallTime(
    partA: number,
    partB: number,
    [first, last]: [number, number],
    least: number,
    fall: number,
  ): number {
    const { side } = gap;
    let [low, high] = [first, last];
    for (let step = 0; step < TIME_STEPS; step++) {
      const middle = (low + high) / 2;
      const isFallen = measure(partA, partB, middle, fall) && gap.side === side && gap.distance < least;
      if (isFallen) high = middle;
      else low = middle;
    }
    measure(partA, partB, high, fall);
    return high;
  }

  function follow(partA: number, partB: number, from: number, last: number, to: PairResult): boolean {
    const size = sizeOfOther(moved);
    const fall = LEAST_FALL * size;
    const step = stepOf(moved, size);
    to.unclampedTime = Infinity;
    let side = measure(partA, partB, from, fall) ? gap.side : undefined;
    // What comes from behind a mesh with one side passes, until it is apart.
    const passes = side !== undefined && surface.isBehind;
    let greatest = gap.distance;
    let before = from;
    for (let i = 0; i < MOST_STEPS && before < last; i++) {
      const time = Math.min(before + step, last);
      if (!measure(partA, partB, time, fall)) {
        to.unclampedTime = time;
        return false;
      }
      if (gap.side !== side || passes) {
        side = gap.side;
        greatest = gap.distance;
      } else if (gap.distance < greatest - fall) {
        to.unclampedTime = fallTime(partA, partB, [before, time], greatest - fall, fall);
        to.status = STATUS_OVERLAPPING;
        to.hit = to.hasPoints = true;
        copy(present.normal, to.normal);
        copy(present.pointA, to.pointA);
        return true;
      }
      greatest = Math.max(greatest, gap.distance);
      before = time;
    }
    return false;
  }

  return { follow };
}

/** The size of the body that is not the one with the surface; that of this one if the body is a point. */
function sizeOfOther({ places }: MovedPair): number {
  const own = surfacePlaceOf(places);
  const other = own === places.a ? places.b : places.a;
  return other.shape.boundingRadius * other.scale || own.shape.boundingRadius * own.scale;
}

/** Seconds per step. */
function stepOf({ velocity, spinA, spinB }: MovedPair, size: number): number {
  const turning = Math.hypot(spinA.x, spinA.y, spinA.z) + Math.hypot(spinB.x, spinB.y, spinB.z);
  const speed = Math.hypot(velocity.x, velocity.y, velocity.z);
  return 1 / (turning / MOST_TURN + speed / (MOST_WAY * size));
}
