/**
 * Mirror of shaders/planar/epa.wgsl: penetration depth of two cores in 2-D by expanding a polygon at its nearest
 * edge.
 */
import { EPA_EXIT_ULPS, EPA_SAME_ULPS, PLANAR_EPA_CORNERS } from '../../generated/constants.ts';
import {
  EPSILON,
  type Vec2,
  addScaled,
  directionOf,
  distance,
  dot,
  length,
  scale,
  set,
  subtract,
  vec2,
} from './math.ts';
import type { PlanarPair } from './pair.ts';
import { recorder } from './recorder.ts';
import type { Simplex } from './simplex.ts';
import { type Point, copyPoint, createPoint, differenceSupport } from './support.ts';

export interface EpaResult {
  /** Otherwise there was no room, or the triangle was too thin. */
  isFound: boolean;
  iterations: number;
  /** Bounds of the cores' signed distance, which is negative. */
  lower: number;
  upper: number;
  /** Unit vector from A to B that gave `lower`, in A's frame. */
  normal: Vec2;
  /** The edge's corners, and the first one's weight in the point nearest to the origin. */
  a: Point;
  b: Point;
  weight: number;
}

export function createEpaResult(): EpaResult {
  return {
    isFound: false,
    iterations: 0,
    lower: 0,
    upper: 0,
    normal: vec2(),
    a: createPoint(),
    b: createPoint(),
    weight: 0,
  };
}

/**
 * The ring's corners, counter-clockwise; each begins an edge, whose outward normal it has and how far that edge is from
 * the origin.
 */
const ring = Array.from({ length: PLANAR_EPA_CORNERS }, () => ({
  point: createPoint(),
  next: 0,
  normal: vec2(),
  level: 0,
}));
const found = createPoint();
const along = vec2();

export function epa(pair: PlanarPair, { a, b, c }: Simplex, result: EpaResult): EpaResult {
  const ab = subtract(b.position, a.position, along);
  const isLeft = ab.x * (c.position.y - a.position.y) - ab.y * (c.position.x - a.position.x) > 0;
  copyPoint(a, ring[0].point);
  copyPoint(isLeft ? b : c, ring[1].point);
  copyPoint(isLeft ? c : b, ring[2].point);
  for (let i = 0; i < 3; i++) ring[i].next = (i + 1) % 3;
  for (let i = 0; i < 3; i++) setEdge(i);
  result.isFound = false;
  result.iterations = 0;
  if (recorder) recorder.epaStart(pair, ring.slice(0, 3));
  for (let count = 3; ; count++) {
    let best = 0;
    for (let i = 1; i < count; i++) if (ring[i].level < ring[best].level) best = i;
    const { point: from, normal, level, next } = ring[best];
    const to = ring[next].point;
    differenceSupport(pair, normal.x, normal.y, found);
    result.iterations++;
    const height = dot(normal, found.position);
    if (recorder) recorder.epa(best, ring[best], found, height, result.iterations);
    const isSame =
      Math.min(distance(from.position, found.position), distance(to.position, found.position)) <=
      EPA_SAME_ULPS * EPSILON;
    if (height - level <= EPA_EXIT_ULPS * EPSILON || isSame) {
      result.isFound = height - level <= EPA_EXIT_ULPS * EPSILON;
      result.lower = -height;
      result.upper = -level;
      set(-normal.x, -normal.y, result.normal);
      setChord(best, count, result);
      return ended(result);
    }
    if (count === PLANAR_EPA_CORNERS) return ended(result);
    if (recorder) recorder.epaSplit(count);
    copyPoint(found, ring[count].point);
    ring[count].next = next;
    ring[best].next = count;
    setEdge(best);
    setEdge(count);
  }
}

function ended(result: EpaResult): EpaResult {
  if (recorder) recorder.epaEnd(result.isFound);
  return result;
}

const foot = vec2();
const toFoot = vec2();

/** The chord that holds the point of the best edge's line nearest to the origin: that edge, or one in line with it. */
function setChord(best: number, count: number, to: EpaResult): void {
  scale(ring[best].normal, ring[best].level, foot);
  let leastMiss = 1e30;
  for (let i = 0; i < count; i++) {
    const a = ring[i].point;
    const b = ring[ring[i].next].point;
    subtract(b.position, a.position, along);
    subtract(foot, a.position, toFoot);
    const share = Math.min(Math.max(dot(toFoot, along) / Math.max(dot(along, along), 1e-300), 0), 1);
    const miss = length(addScaled(toFoot, along, -share, toFoot));
    if (miss >= leastMiss) continue;
    leastMiss = miss;
    copyPoint(a, to.a);
    copyPoint(b, to.b);
    to.weight = 1 - share;
  }
}

function setEdge(i: number): void {
  const { point, normal, next } = ring[i];
  subtract(ring[next].point.position, point.position, along);
  directionOf(along, set(1, 0, normal));
  set(normal.y, -normal.x, normal);
  ring[i].level = dot(normal, point.position);
}
