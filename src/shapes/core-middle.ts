/**
 * The point that a core's vertices are relative to in a pair. A pair's unit of length, which tolerances and the rounding
 * of f32 are relative to, is the size of its bodies. About a far origin, that size would be the distance from it.
 */

export interface CoreMiddle {
  /** From the body's origin, in f32. Zeros: the vertices are relative to the origin. */
  middle: Float64Array;
  /** The core's vertices relative to it: those that were given, if it is the origin. */
  coreVertices: Float64Array;
  /** Greatest distance of the shape from it, rounding included. */
  middleRadius: number;
}

/** What `placeMiddle` writes to if the middle is not the origin. */
export interface MiddleRoom {
  middle: Float64Array;
  coreVertices: Float64Array;
}

/** Middles lie on a grid of this many points per half diagonal of the bounds. On a coarse grid most differences are exact. */
const PER_SIZE = 4;

/**
 * The middle of a core with 2 or 3 coordinates per vertex: near the middle of its bounds. A core that reaches at most
 * twice as far from its origin as from there stays about its origin, since moving it may round its vertices. `radius`:
 * the ball around each point; `boundingRadius`: the greatest distance from the origin.
 */
export function coreMiddle(vertices: Float64Array, axes: 2 | 3, radius: number, boundingRadius: number): CoreMiddle {
  const to = aboutOrigin(axes, vertices, boundingRadius);
  const room = { middle: new Float64Array(axes), coreVertices: new Float64Array(vertices.length) };
  placeMiddle(vertices, axes, radius, boundingRadius, room, to);
  return to;
}

const NO_MIDDLE = { 2: new Float64Array(2), 3: new Float64Array(3) };

/** A core that stays about its origin. */
export function aboutOrigin(axes: 2 | 3, vertices: Float64Array, boundingRadius: number): CoreMiddle {
  return { middle: NO_MIDDLE[axes], coreVertices: vertices, middleRadius: boundingRadius };
}

/** The same as `coreMiddle`, written to `to` and, if the core is moved, to `room`. */
export function placeMiddle(
  vertices: Float64Array,
  axes: 2 | 3,
  radius: number,
  boundingRadius: number,
  room: MiddleRoom,
  to: CoreMiddle,
): void {
  const { middle, coreVertices } = room;
  let squared = 0;
  for (let axis = 0; axis < axes; axis++) {
    let low = vertices[axis];
    let high = low;
    for (let i = axis + axes; i < vertices.length; i += axes) {
      if (vertices[i] < low) low = vertices[i];
      if (vertices[i] > high) high = vertices[i];
    }
    const half = 0.5 * (high - low);
    middle[axis] = low + half;
    squared += half * half;
  }
  const size = Math.sqrt(squared);
  if (boundingRadius <= 2 * (size + radius)) {
    to.middle = NO_MIDDLE[axes];
    to.coreVertices = vertices;
    to.middleRadius = boundingRadius;
    return;
  }
  const step = 2 ** Math.floor(Math.log2(size / PER_SIZE));
  for (let axis = 0; axis < axes; axis++) {
    const onGrid = step > 0 ? Math.round(middle[axis] / step) * step : NaN;
    middle[axis] = Math.fround(Number.isFinite(onGrid) ? onGrid : middle[axis]);
  }
  let greatest = 0;
  for (let i = 0; i < vertices.length; i += axes) {
    let distance = 0;
    for (let axis = 0; axis < axes; axis++)
      distance += (coreVertices[i + axis] = vertices[i + axis] - middle[axis]) ** 2;
    if (distance > greatest) greatest = distance;
  }
  to.middle = middle;
  to.coreVertices = coreVertices;
  to.middleRadius = Math.sqrt(greatest) + radius;
}
