/** The normals that a 2-D surface accepts at a point: the polar cone of the directions into all parts that touch it. */
import { visitSharp, type PlanarSurface } from './planar-surface.ts';

/** Unit vectors, x, y each. A normal is accepted if it makes no acute angle with any. */
export interface PolarCone {
  readonly directions: number[];
  /** Whether the point is inside of a part. */
  isInside: boolean;
}

/** The directions into all parts that touch a point. */
export function coneAt(surface: PlanarSurface, x: number, y: number): PolarCone {
  const cone: PolarCone = { directions: [], isInside: false };
  const { touch } = surface;
  visitSharp(surface, [x, y, x, y], touch, (part) => addPart(surface.cornersOf(part), x, y, touch, cone));
  return cone;
}

function addPart(corners: ArrayLike<number>, x: number, y: number, touch: number, to: PolarCone): void {
  const { length } = corners;
  let corner = -1;
  let nearest = touch;
  for (let i = 0; i < length; i += 2) {
    const distance = Math.hypot(corners[i] - x, corners[i + 1] - y);
    if (distance > nearest) continue;
    nearest = distance;
    corner = i;
  }
  if (corner >= 0) {
    const next = corner + 2 === length ? 0 : corner + 2;
    const before = corner === 0 ? length - 2 : corner - 2;
    addDirection(corners, corner, next, to);
    if (before !== next) addDirection(corners, corner, before, to);
    return;
  }
  let isInside = length > 4;
  for (let i = 0; i < length; i += 2) {
    const next = i + 2 === length ? 0 : i + 2;
    const [ex, ey] = [corners[next] - corners[i], corners[next + 1] - corners[i + 1]];
    const size = Math.hypot(ex, ey);
    const [tx, ty] = [ex / size, ey / size];
    const [dx, dy] = [x - corners[i], y - corners[i + 1]];
    // Positive to the left of the edge, which is inside.
    const depth = tx * dy - ty * dx;
    if (depth < -touch) return;
    const along = tx * dx + ty * dy;
    if (Math.abs(depth) > touch) continue;
    isInside = false;
    if (along < 0 || along > size) return;
    to.directions.push(tx, ty, -tx, -ty);
    if (length > 4) to.directions.push(-ty, tx);
    return;
  }
  to.isInside ||= isInside;
}

function addDirection(corners: ArrayLike<number>, from: number, end: number, { directions }: PolarCone): void {
  const [x, y] = [corners[end] - corners[from], corners[end + 1] - corners[from + 1]];
  const size = Math.hypot(x, y);
  if (size > 0) directions.push(x / size, y / size);
}

/** Whether a unit vector is accepted, within an angle in radians. */
export function isInCone({ directions, isInside }: PolarCone, x: number, y: number, slack: number): boolean {
  if (isInside) return false;
  for (let i = 0; i < directions.length; i += 2) if (directions[i] * x + directions[i + 1] * y > slack) return false;
  return true;
}

/** Angles, in radians, by which a cone's edge may differ from its own normals. */
const EDGE_SLACK = 1e-9;

/** Arcs of fewer radians are those of flat ground. */
const LEAST_ARC = 1e-6;

/** An arc of accepted normals, from one unit vector counter-clockwise to another by less than, or by, half a turn. */
export interface Arc {
  lowX: number;
  lowY: number;
  highX: number;
  highY: number;
}

/** The arc of accepted normals at a corner; undefined if there are none, or only those of flat ground. */
export function arcOf(cone: PolarCone): Arc | undefined {
  const { directions } = cone;
  let low: readonly [number, number] | undefined;
  let high: readonly [number, number] | undefined;
  // The ends of the arc are across some direction: a quarter of a turn counter-clockwise from it begins what it accepts.
  for (let i = 0; i < directions.length; i += 2) {
    const [x, y] = [directions[i], directions[i + 1]];
    if (!low && isInCone(cone, -y, x, EDGE_SLACK)) low = [-y, x];
    if (!high && isInCone(cone, y, -x, EDGE_SLACK)) high = [y, -x];
  }
  if (!low || !high) return undefined;
  const turn = Math.atan2(low[0] * high[1] - low[1] * high[0], low[0] * high[0] + low[1] * high[1]);
  // Half a turn has either sign. Along flat ground no normal between the ends is accepted.
  const angle = turn < -Math.PI / 2 ? Math.PI : turn;
  if (angle < LEAST_ARC) return undefined;
  const [cosine, sine] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  const middle = [cosine * low[0] - sine * low[1], sine * low[0] + cosine * low[1]];
  if (!isInCone(cone, middle[0], middle[1], -LEAST_ARC / 4)) return undefined;
  return { lowX: low[0], lowY: low[1], highX: high[0], highY: high[1] };
}

/** Whether a unit vector is on an arc. */
export function isOnArc({ lowX, lowY, highX, highY }: Arc, x: number, y: number): boolean {
  return lowX * y - lowY * x >= 0 && x * highY - y * highX >= 0;
}
