/**
 * The normals that a mesh's surface has at a vertex: the polar cone of the spokes, which are the directions from the vertex to the
 * corners of all triangles that touch it. A normal of the cone is against all of them.
 *
 *     convex: an open cone        flat, in an edge, in a valley, in a saddle: no open cone
 *          \ | /
 *           \|/
 *        ____*____                    ____*____              \     /
 *       /         \                                           \_*_/
 *      /           \
 *
 * A vertex inside a straight edge or rim has a cone without an inside: the arc of that edge. Its spokes are kept, too.
 */
import { cross, dot, length, scale, set, vec3, type Vec3 } from '../../cpu/math.ts';

/** A cone has an inside if some normal is against all spokes by more than this sine, and is empty if none is within it. */
export const LEAST_OPENING = 1e-4;

/** Spokes that differ by less than this count once. */
const SAME = 1e-7;

/** A spoke that is outside of the plane of two others by less than this sine is in it. */
const IN_PLANE = 1e-5;

/** Above this count all spokes are kept: to choose the extreme ones takes time with the third power of their number. */
const MOST_CHOSEN = 32;

/** Steps of the search for a normal against more spokes. */
const MOST_STEPS = 200;

/**
 * The spokes that bound the cone of a vertex: 3 numbers each, unit vectors. None if the cone is empty, but for the normals of a flat
 * surface. `given` are unit vectors, 3 numbers each.
 */
export function spokesOfCone(given: readonly number[]): number[] {
  const spokes = withoutRepeats(given);
  const count = spokes.length / 3;
  if (count < 2) return [];
  const axis = vec3();
  if (count > MOST_CHOSEN) return openingAlong(spokes, axis) >= -LEAST_OPENING ? spokes : [];
  const isKept = new Uint8Array(count);
  markBounding(spokes, isKept, axis);
  if (openingOf(spokes, axis) >= -LEAST_OPENING) return spokes.filter((_, i) => isKept[Math.floor(i / 3)]);
  return openingOf(spokes, meanOf(spokes, axis)) >= -LEAST_OPENING ? spokes : [];
}

/**
 * Searches a unit vector inside the cone of a vertex. Returns the sine by which the best one is against all spokes, or any above
 * `LEAST_OPENING`. `axis`: the last one that was tried.
 */
export function openingAlong(spokes: readonly number[], axis: Vec3): number {
  meanOf(spokes, axis);
  if (!(length(axis) > SAME)) set(0.1, 0.7, 0.3, axis);
  let best = -1;
  for (let step = 0; step < MOST_STEPS; step++) {
    scale(axis, 1 / length(axis), axis);
    let worst = -1;
    for (let i = 0; 3 * i < spokes.length; i++) {
      const along = dot(spokeAt(spokes, i, first), axis);
      if (along <= worst) continue;
      worst = along;
      set(first.x, first.y, first.z, second);
    }
    best = Math.max(best, -worst);
    if (best > LEAST_OPENING) break;
    const turn = 0.3 * (worst + 0.02) + 0.01;
    set(axis.x - turn * second.x, axis.y - turn * second.y, axis.z - turn * second.z, axis);
  }
  return best;
}

/** Above this count, only directions that round to the same numbers are found to repeat, as those of common vertices do. */
const MOST_COMPARED = 256;

function withoutRepeats(given: readonly number[]): number[] {
  if (given.length > 3 * MOST_COMPARED) return withoutRounded(given);
  const spokes: number[] = [];
  for (let i = 0; i < given.length; i += 3) {
    let isNew = true;
    for (let j = 0; j < spokes.length && isNew; j += 3) {
      const difference =
        Math.abs(given[i] - spokes[j]) +
        Math.abs(given[i + 1] - spokes[j + 1]) +
        Math.abs(given[i + 2] - spokes[j + 2]);
      isNew = difference > SAME;
    }
    if (isNew) spokes.push(given[i], given[i + 1], given[i + 2]);
  }
  return spokes;
}

function withoutRounded(given: readonly number[]): number[] {
  const rounded = new Map<string, readonly number[]>();
  for (let i = 0; i < given.length; i += 3) {
    const direction = given.slice(i, i + 3);
    rounded.set(direction.map((x) => Math.round(x / SAME)).join(), direction);
  }
  return [...rounded.values()].flat();
}

const first = vec3();
const second = vec3();
const across = vec3();

function spokeAt(spokes: readonly number[], i: number, to: Vec3): Vec3 {
  return set(spokes[3 * i], spokes[3 * i + 1], spokes[3 * i + 2], to);
}

/**
 * Marks the spokes that are in a plane with another one, with all spokes on one side. `axis`: against the sum of these planes'
 * normals, inside of the polar cone if that has an inside.
 */
function markBounding(spokes: readonly number[], isKept: Uint8Array, axis: Vec3): void {
  const count = spokes.length / 3;
  set(0, 0, 0, axis);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) {
      if (i === j) continue;
      cross(spokeAt(spokes, i, first), spokeAt(spokes, j, second), across);
      const size = length(across);
      if (size < SAME) continue;
      scale(across, 1 / size, across);
      if (leastAlong(spokes, across) < -IN_PLANE) continue;
      isKept[i] = isKept[j] = 1;
      set(axis.x - across.x, axis.y - across.y, axis.z - across.z, axis);
    }
  }
}

function leastAlong(spokes: readonly number[], { x, y, z }: Vec3): number {
  let least = Infinity;
  for (let i = 0; i < spokes.length; i += 3)
    least = Math.min(least, spokes[i] * x + spokes[i + 1] * y + spokes[i + 2] * z);
  return least;
}

/** By how much a direction is against all spokes. */
function openingOf(spokes: readonly number[], axis: Vec3): number {
  const size = length(axis);
  if (!(size > SAME)) return -1;
  return leastAlong(spokes, set(-axis.x / size, -axis.y / size, -axis.z / size, across));
}

/** Writes the direction against the sum of the spokes. */
function meanOf(spokes: readonly number[], to: Vec3): Vec3 {
  set(0, 0, 0, to);
  for (let i = 0; i < spokes.length; i += 3) set(to.x - spokes[i], to.y - spokes[i + 1], to.z - spokes[i + 2], to);
  return to;
}
