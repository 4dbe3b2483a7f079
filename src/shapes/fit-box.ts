/**
 * The oriented box of least volume around points.
 *
 * No two faces of the least box need to hold a face of the hull (O'Rourke, "Finding minimal enclosing boxes", 1985), and
 * the exact search takes cubic time. This one is a search from many starts:
 *
 * 1. Directions for one axis of the box: the principal axes of the hull's surface (Gottschalk, "Collision queries using
 *    oriented bounding boxes", 2000), normals of its largest triangles, and directions all over the sphere. Across each of
 *    them, the least rectangle around the projected points gives the other two axes.
 * 2. The best of these boxes are refined: the rectangle across each axis in turn, then small turns about many axes, with
 *    ever smaller angles.
 */
import type { FittedBox } from '../api/geometry.ts';
import { invalidInput } from '../api/errors.ts';
import type { NumberList } from '../api/shapes.ts';
import type { Vec3 } from '../api/vectors.ts';
import { LARGEST_EXACT_SIZE, numberList, shownSize } from './fields.ts';
import { hullSurface, type HullSurface } from './hull.ts';
import { leastRectangle } from './least-rectangle.ts';
import { largestNormals, principalAxes } from './surface-axes.ts';
import { AXES, combine, cross, dot, perpendicular, unit } from './vectors.ts';

/** The axes of a box, which are orthogonal unit vectors, right-handed, and its volume. */
interface Candidate {
  axes: readonly [Vec3, Vec3, Vec3];
  volume: number;
}

/** Directions all over the half sphere. */
const SPREAD_DIRECTIONS = 48;
/** Boxes that are refined. */
const REFINED = 8;
/** Angles of the turns, in radians. */
const GREATEST_TURN = 0.1;
const LEAST_TURN = 1e-7;
/** Relative gain that is worth another round. */
const GAIN = 1e-9;

/**
 * The oriented box of least volume that was found around points. It is the least rectangle for points of a plane, and
 * to rounding a box's own axes for the corners of a box. Deterministic. Time: about that of 150 sorts of the points that
 * are corners of their hull.
 *
 * @param points x, y, z per point, at least one point, in any order; at most 4e30 from the origin along each axis.
 * @returns a box in the frame of the points. It contains all points to a few roundings of double precision.
 * @throws NarrowphaseError `INVALID_INPUT` for a list of another length, or a number that is not finite or too large.
 */
export function fitBox(points: NumberList): FittedBox {
  const given = checked(points);
  const middle = middleOf(given);
  const size = given.reduce((greatest, value, i) => Math.max(greatest, Math.abs(value - middle[i % 3])), 0);
  if (size === 0) return boxAlong(given, middle, AXES);
  // Volumes are far from the limits of double precision then.
  const hull = hullSurface(given.map((value, i) => (value - middle[i % 3]) / size));
  return boxAlong(given, middle, nearestToIdentity(axesFor(hull)));
}

function checked(points: NumberList): Float64Array {
  const expected = 'x, y, z of at least one point: a multiple of 3 numbers';
  const list = Float64Array.from(numberList(points, 'points', expected, (n) => n > 0 && n % 3 === 0));
  const wrong = list.findIndex((value) => !(Math.abs(value) <= LARGEST_EXACT_SIZE));
  if (wrong >= 0)
    invalidInput(`points[${wrong}]`, points[wrong], `a number of at most ${shownSize(LARGEST_EXACT_SIZE)}`);
  return list;
}

/** The middle of the points' axis-aligned box. */
function middleOf(points: Float64Array): Vec3 {
  const along = (axis: number): number => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    return low + (high - low) / 2;
  };
  return [along(0), along(1), along(2)];
}

function axesFor(hull: HullSurface): Candidate['axes'] {
  const { vertices, dimension } = hull;
  if (dimension < 3)
    return acrossBox(vertices, dimension === 2 ? largestNormals(hull)[0] : acrossSegment(vertices)).axes;
  const directions = [...principalAxes(hull), ...largestNormals(hull), ...spreadDirections()];
  return directions
    .map((direction) => acrossBox(vertices, direction))
    .sort((a, b) => a.volume - b.volume)
    .slice(0, REFINED)
    .map((candidate) => refine(vertices, candidate))
    .reduce((best, candidate) => (candidate.volume < best.volume ? candidate : best)).axes;
}

/** The box with a given axis whose other two are those of the least rectangle across it. */
function acrossBox(vertices: Float64Array, axis: Vec3): Candidate {
  const u = perpendicular(axis);
  const v = cross(axis, u);
  const projected = new Float64Array((vertices.length / 3) * 2);
  for (let i = 0, to = 0; i < vertices.length; i += 3) {
    projected[to++] = vertices[i] * u[0] + vertices[i + 1] * u[1] + vertices[i + 2] * u[2];
    projected[to++] = vertices[i] * v[0] + vertices[i + 1] * v[1] + vertices[i + 2] * v[2];
  }
  const { area, x, y } = leastRectangle(projected);
  const side: Vec3 = [u[0] * x + v[0] * y, u[1] * x + v[1] * y, u[2] * x + v[2] * y];
  const [low, high] = rangeAlong(vertices, axis);
  return { axes: [axis, side, cross(axis, side)], volume: area * (high - low) };
}

/** Goes from a box to smaller ones until no small turn helps. */
function refine(vertices: Float64Array, start: Candidate): Candidate {
  const poles = makePoles();
  let best = start;
  for (;;) {
    const before = best.volume;
    for (let k = 0; k < 3; k++) {
      const across = acrossBox(vertices, best.axes[k]);
      if (across.volume < best.volume) best = across;
    }
    for (let angle = GREATEST_TURN; angle > LEAST_TURN; angle /= 2)
      best = turnWhileSmaller(vertices, best, poles, angle);
    if (best.volume >= before * (1 - GAIN)) return best;
  }
}

function turnWhileSmaller(vertices: Float64Array, start: Candidate, poles: readonly Vec3[], angle: number): Candidate {
  let best = start;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const pole of poles) {
      const axes = turned(best.axes, pole, angle);
      const volume = volumeAlong(vertices, axes);
      if (volume < best.volume * (1 - GAIN)) {
        best = { axes, volume };
        isSmaller = true;
      }
    }
  }
  return best;
}

/** The axes of turns in the frame of a box: its own, and the diagonals of its faces and of a cube, each both ways. */
function makePoles(): Vec3[] {
  const steps = [-1, 0, 1];
  const grid = steps.flatMap((x) => steps.flatMap((y) => steps.map((z): Vec3 => [x, y, z])));
  return grid.filter((step) => step.some((part) => part !== 0)).map(unit);
}

/** A box turned about `pole`, which is in its own frame. Rodrigues' formula. */
function turned([u, v, w]: Candidate['axes'], [x, y, z]: Vec3, angle: number): Candidate['axes'] {
  const pole = combine(u, x, v, y, w, z);
  const turn = (axis: Vec3): Vec3 => {
    const along = dot(pole, axis) * (1 - Math.cos(angle));
    return combine(axis, Math.cos(angle), cross(pole, axis), Math.sin(angle), pole, along);
  };
  return [turn(u), turn(v), turn(w)];
}

/** Points of a spiral over the half sphere, evenly spaced by area. */
function spreadDirections(): Vec3[] {
  const golden = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: SPREAD_DIRECTIONS }, (_, i) => {
    const z = (i + 0.5) / SPREAD_DIRECTIONS;
    const radius = Math.sqrt(1 - z * z);
    return [radius * Math.cos(i * golden), radius * Math.sin(i * golden), z];
  });
}

function acrossSegment(vertices: Float64Array): Vec3 {
  return perpendicular(unit([vertices[3] - vertices[0], vertices[4] - vertices[1], vertices[5] - vertices[2]]));
}

function volumeAlong(vertices: Float64Array, axes: Candidate['axes']): number {
  return axes.reduce((product, axis) => {
    const [low, high] = rangeAlong(vertices, axis);
    return product * (high - low);
  }, 1);
}

function rangeAlong(vertices: Float64Array, [x, y, z]: Vec3): [low: number, high: number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < vertices.length; i += 3) {
    const along = vertices[i] * x + vertices[i + 1] * y + vertices[i + 2] * z;
    if (along < low) low = along;
    if (along > high) high = along;
  }
  return [low, high];
}

/** The same box with its axes in the order and the directions that turn it least. */
function nearestToIdentity(axes: Candidate['axes']): Candidate['axes'] {
  const orders = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [2, 1, 0],
    [1, 0, 2],
  ];
  let best = axes;
  let greatest = -Infinity;
  for (const order of orders) {
    for (const [x, y] of [
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ]) {
      // Also takes away what rounding has added up to.
      const first = unit(combine(axes[order[0]], x));
      const third = unit(cross(first, combine(axes[order[1]], y)));
      const second = cross(third, first);
      const trace = first[0] + second[1] + third[2];
      if (trace > greatest) {
        greatest = trace;
        best = [first, second, third];
      }
    }
  }
  return best;
}

/** The box with these axes. They are near to the axes of coordinates: the trace of the matrix is at least 1. */
function boxAlong(points: Float64Array, middle: Vec3, [u, v, w]: Candidate['axes']): FittedBox {
  const real = Math.sqrt(1 + u[0] + v[1] + w[2]) / 2;
  const shifted = points.map((value, i) => value - middle[i % 3]);
  const ranges = [u, v, w].map((axis) => rangeAlong(shifted, axis));
  const [x, y, z] = ranges.map(([low, high]) => low + (high - low) / 2);
  const centre = combine(u, x, v, y, w, z);
  const halfExtents = ranges.map(([low, high]) => (high - low) / 2);
  return {
    centre: combine(middle, 1, centre, 1),
    halfExtents: [halfExtents[0], halfExtents[1], halfExtents[2]],
    quaternion: [(v[2] - w[1]) / (4 * real), (w[0] - u[2]) / (4 * real), (u[1] - v[0]) / (4 * real), real],
  };
}
