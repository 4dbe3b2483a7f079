/**
 * Points that two solids have in common, one of them a closed mesh. If a point is `p` deep in A and `q` deep in B, a ball
 * of radius `p` around it is part of A and has to leave B: no translation shorter than p + q separates the bodies. The
 * point for which the sum is greatest is searched from given points and from where the surfaces meet.
 *
 * This finds the depth of solids whose faces lie in common planes, as those of aligned walls do: their triangles touch and
 * their corners are on each other's surfaces, so neither gives a depth.
 */

import {
  addScaled,
  length,
  scale,
  subtract,
  transform,
  transformBack,
  vec3,
  type Vec3,
} from '../../../src/cpu/math.ts';
import type { Body } from '../solids/body.ts';
import { AXES } from '../solids/axes.ts';
import { createCover } from '../solids/cover.ts';
import { createNearestTriangle, nearestTriangle } from '../solids/nearest-triangle.ts';
import { slackOf } from '../solids/protrusion.ts';
import type { Bound, PartPair } from './measured.ts';
import type { Meeting } from './meetings.ts';

/** Whether the bodies are solids of which one is a mesh. */
export function areSolids({ bodyA, bodyB }: PartPair): boolean {
  return isSolid(bodyA) && isSolid(bodyB) && (bodyA.mesh !== undefined || bodyB.mesh !== undefined);
}

function isSolid({ mesh }: Body): boolean {
  return !mesh || mesh.isClosed;
}

/** Points from which the search starts, at most. */
const STARTS = 2;

/** The bound of the deepest common point that is found; undefined without one. `points` are in the world. */
export function boundOfCommonPoints(
  pair: PartPair,
  points: readonly Vec3[],
  meetings: Iterable<Meeting>,
): Bound | undefined {
  const depthAt = createDepth(pair);
  let deepest: Deep | undefined;
  for (const { place, depth } of startsOf(pair, points, meetings, depthAt)) {
    const found = climb(place, depth, depthAt);
    if (!deepest || found.depth > deepest.depth) deepest = found;
  }
  return deepest && boundAt(pair, deepest.place, deepest.depth);
}

/** A place in the world, and the sum of its depths in both bodies. */
interface Deep {
  place: Vec3;
  depth: number;
}

/** The deepest of the points; if none is in both bodies, the first that are found around meetings. */
function startsOf(
  { bodyA, bodyB, limits }: PartPair,
  points: readonly Vec3[],
  meetings: Iterable<Meeting>,
  depthAt: DepthAt,
): Deep[] {
  const inBoth = (places: readonly Vec3[]): Deep[] =>
    places.map((place) => ({ place, depth: depthAt(place) })).filter(({ depth }) => depth > 0);
  const starts = inBoth(points).sort((s, t) => t.depth - s.depth);
  if (starts.length > 0) return starts.slice(0, STARTS);
  const away = Math.max(limits.tolerance / 2, 4 * slackOf(bodyA.whole, bodyB.whole));
  for (const meeting of meetings) {
    starts.push(...inBoth(around(meeting, away)));
    if (starts.length >= STARTS) break;
  }
  return starts.slice(0, STARTS);
}

type DepthAt = (place: Vec3) => number;

/** A function of a place in the world: the sum of its depths in both bodies; 0 if it is not in both. */
function createDepth({ bodyA, bodyB }: PartPair): DepthAt {
  const covers = [bodyA, bodyB].map((body) => ({ cover: createCover(body), origin: body.whole.position }));
  const at = vec3();
  return (place) => {
    let sum = 0;
    for (const { cover, origin } of covers) {
      const depth = cover.depthAt(subtract(place, origin, at));
      if (depth === 0) return 0;
      sum += depth;
    }
    return sum;
  };
}

/** Places a little away from where parts meet, to all sides of both. */
function around({ point, directionA, directionB }: Meeting, away: number): Vec3[] {
  return [-away, away].flatMap((a) =>
    [-away, away].map((b) => addScaled(addScaled(point, directionA, a, vec3()), directionB, b, vec3())),
  );
}

/** The axes, and the diagonals of a cube. */
const DIRECTIONS = [...AXES, ...[0, 1, 2, 3, 4, 5, 6, 7].map(diagonal)];

function diagonal(bits: number): Vec3 {
  const [x, y, z] = [1, 2, 4].map((bit) => (bits & bit ? 1 : -1) / Math.sqrt(3));
  return vec3(x, y, z);
}

const MOST_STEPS = 40;
/** The last step, as a share of the depth. */
const LAST_STEP = 1e-3;

/** Goes to deeper places, in steps that grow with success and shrink without. */
function climb(from: Vec3, depthThere: number, depthAt: DepthAt): Deep {
  let place = from;
  let depth = depthThere;
  let step = depth / 2;
  for (let n = 0; n < MOST_STEPS && step > LAST_STEP * depth; n++) {
    const before = depth;
    for (const direction of DIRECTIONS) {
      const next = addScaled(place, direction, step, vec3());
      const there = depthAt(next);
      if (there <= depth) continue;
      depth = there;
      place = next;
    }
    step *= depth > before ? 2 : 0.25;
  }
  return { place, depth };
}

/** The bound of a place. The ball around it leaves the mesh at the nearest point of its surface. */
function boundAt({ bodyA, bodyB }: PartPair, place: Vec3, depth: number): Bound {
  const leaveA = nearestOnSurface(bodyA, place) ?? place;
  const leaveB = nearestOnSurface(bodyB, place) ?? place;
  const normal = bodyB.mesh ? subtract(place, leaveB, vec3()) : subtract(leaveA, place, vec3());
  scale(normal, 1 / length(normal), normal);
  const point = vec3((leaveA.x + leaveB.x) / 2, (leaveA.y + leaveB.y) / 2, (leaveA.z + leaveB.z) / 2);
  return { distance: -depth, normal, point };
}

/** Of a mesh; undefined for other bodies. */
function nearestOnSurface({ whole, mesh }: Body, place: Vec3): Vec3 | undefined {
  if (!mesh) return undefined;
  const { rotation, position, scale: factor } = whole;
  const local = subtract(place, position, vec3());
  scale(transformBack(rotation, local, local), 1 / factor, local);
  const { point } = nearestTriangle(mesh.mesh, local, createNearestTriangle());
  return addScaled(position, transform(rotation, point, point), factor, vec3());
}
