/** Faces of a hull, with those that are too narrow to be areas replaced by lines. */
import type { Hull } from './hull.ts';

/**
 * Least width of a face, as a share of its length. A narrower face can't be clipped in f32: rounding decides where its
 * borders meet, so it has no definite ends. A line along it is within a fifth of the kernels' tolerance of the whole
 * face.
 */
const LEAST_FACE_WIDTH = 2e-6;

/** The hull's faces. A face that is too narrow has two vertices, the ends of its line. */
export function faceLoops({ vertices, faceStart, faceVertices }: Hull): Pick<Hull, 'faceStart' | 'faceVertices'> {
  const loops = Array.from({ length: faceStart.length - 1 }, (_, face) =>
    lineOf(vertices, faceVertices.subarray(faceStart[face], faceStart[face + 1])),
  );
  if (loops.every((loop, face) => loop.length === faceStart[face + 1] - faceStart[face]))
    return { faceStart, faceVertices };
  const starts = new Uint32Array(faceStart.length);
  loops.forEach((loop, face) => (starts[face + 1] = starts[face] + loop.length));
  return { faceStart: starts, faceVertices: Uint32Array.from(loops.flatMap((loop) => [...loop])) };
}

/** The two ends of the line, or the loop itself if it is wide enough. */
function lineOf(vertices: Float64Array, loop: Uint32Array): ArrayLike<number> & Iterable<number> {
  const [from, to] = farthestFrom(vertices, loop, farthestFrom(vertices, loop, loop[0])[1]);
  const along = difference(vertices, to, from);
  const length = Math.hypot(...along);
  if (length === 0) return loop;
  const axis = along.map((x) => x / length);
  let width = 0;
  for (const vertex of loop) {
    const offset = difference(vertices, vertex, from);
    const t = offset[0] * axis[0] + offset[1] * axis[1] + offset[2] * axis[2];
    width = Math.max(width, Math.hypot(offset[0] - t * axis[0], offset[1] - t * axis[1], offset[2] - t * axis[2]));
  }
  return width < LEAST_FACE_WIDTH * length ? [from, to] : loop;
}

function farthestFrom(vertices: Float64Array, loop: Uint32Array, from: number): [from: number, to: number] {
  let to = from;
  let most = 0;
  for (const vertex of loop) {
    const distance = Math.hypot(...difference(vertices, vertex, from));
    if (distance <= most) continue;
    most = distance;
    to = vertex;
  }
  return [from, to];
}

function difference(vertices: Float64Array, to: number, from: number): number[] {
  return [0, 1, 2].map((k) => vertices[3 * to + k] - vertices[3 * from + k]);
}
