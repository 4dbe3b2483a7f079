/** Where pairs see the cores of hulls, triangles and polygons: about a point near the middle of their bounds. */

export interface CoreMiddle {
  /** From the body's origin, in f32; zeros for a core that is seen about its origin. */
  middle: Float64Array;
  /** The core's vertices from there: those that were given, if it is the origin. */
  coreVertices: Float64Array;
  /** Greatest distance of the shape from there, rounding included. */
  middleRadius: number;
}

/** Middles are on a grid of this many points per half diagonal of the bounds. With few, differences are mostly exact. */
const PER_SIZE = 4;

/**
 * The middle of a core, of 2 or 3 coordinates per vertex. A pair's unit of length, in which tolerances are given and
 * f32 rounds, is its bodies' size: that of a hull far from its origin is its distance if it is seen from there. A core
 * that reaches at most twice as far from its origin as from the middle of its bounds stays about its origin, since
 * moving it may round its vertices. `radius`: the ball around each point; `boundingRadius`: the greatest distance from
 * the origin. `moved` is overwritten if it is given and needed.
 */
export function coreMiddle(
  vertices: Float64Array,
  axes: 2 | 3,
  radius: number,
  boundingRadius: number,
  moved?: Float64Array,
): CoreMiddle {
  const { middle, half } = boundsOf(vertices, axes);
  if (boundingRadius <= 2 * (half + radius))
    return { middle: NO_MIDDLE[axes], coreVertices: vertices, middleRadius: boundingRadius };
  const step = 2 ** Math.floor(Math.log2(half / PER_SIZE));
  for (let axis = 0; axis < axes; axis++) {
    const onGrid = step > 0 ? Math.round(middle[axis] / step) * step : NaN;
    middle[axis] = Math.fround(Number.isFinite(onGrid) ? onGrid : middle[axis]);
  }
  const coreVertices = moved ?? new Float64Array(vertices.length);
  let squared = 0;
  for (let i = 0; i < vertices.length; i += axes) {
    let distance = 0;
    for (let axis = 0; axis < axes; axis++)
      distance += (coreVertices[i + axis] = vertices[i + axis] - middle[axis]) ** 2;
    squared = Math.max(squared, distance);
  }
  return { middle, coreVertices, middleRadius: Math.sqrt(squared) + radius };
}

const NO_MIDDLE = { 2: new Float64Array(2), 3: new Float64Array(3) };

/** Of shapes that are about their origin. */
export function aboutOrigin(axes: 2 | 3, vertices: Float64Array, boundingRadius: number): CoreMiddle {
  return { middle: NO_MIDDLE[axes], coreVertices: vertices, middleRadius: boundingRadius };
}

/** The middle of the bounds, and half their diagonal. */
function boundsOf(vertices: Float64Array, axes: number): { middle: Float64Array; half: number } {
  const middle = new Float64Array(axes);
  let squared = 0;
  for (let axis = 0; axis < axes; axis++) {
    let low = vertices[axis];
    let high = low;
    for (let i = axis + axes; i < vertices.length; i += axes) {
      if (vertices[i] < low) low = vertices[i];
      if (vertices[i] > high) high = vertices[i];
    }
    middle[axis] = low + 0.5 * (high - low);
    squared += (0.5 * (high - low)) ** 2;
  }
  return { middle, half: Math.sqrt(squared) };
}
