/** The bodies whose bounding balls a ray enters, without a tree: for rays that are fewer than a tree is built for. */
import type { BoxRay, VisitBody } from '../broad-phase/box-rays.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import type { AnyBodies } from '../records/bodies.ts';
import type { Dimension } from '../request/dimension.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';

/** Balls are larger by this share of their sizes and distances, for rounding. */
const SLACK = 1e-5;

/** Bodies, and visits, after which the search returns. */
const BODIES_AT_ONCE = 2 ** 13;
const VISITS_AT_ONCE = 64;

export interface BallSearch {
  begin(bodies: AnyBodies, ray: BoxRay): void;
  /** Goes on for a while: first tests all balls, then visits the bodies in order. Returns whether it has ended. */
  advance(ray: BoxRay, visit: VisitBody): boolean;
  /** Forgets the bodies. */
  end(): void;
}

/** `shapes` is a snapshot. */
export function createBallSearch({ dimension: axes }: Dimension, { shapes }: ShapeTable): BallSearch {
  /** The radii of the balls around the shapes. Half-spaces are everywhere. */
  const reaches = Float64Array.from(
    shapes.map((shape) => (axes === 3 && shape?.kind === CORE_HALFSPACE ? Infinity : (shape?.boundingRadius ?? 0))),
  );
  let bodies: AnyBodies | undefined;
  let tested = 0;
  let visited = 0;
  let count = 0;
  /** The bodies met, when the ray enters their balls, and their order. */
  const met: number[] = [];
  const entries: number[] = [];
  const order: number[] = [];
  let most = Infinity;

  function testSome(
    { origin, direction, radius, end }: BoxRay,
    { shapes: ids, positions, scales }: AnyBodies,
    stop: number,
  ): void {
    const ox = origin[0];
    const oy = origin[1];
    const oz = origin[2];
    const dx = direction[0];
    const dy = direction[1];
    const dz = axes === 3 ? direction[2] : 0;
    const squared = dx * dx + dy * dy + dz * dz;
    const inverse = squared > 0 ? 1 / squared : 0;
    for (; tested < stop; tested++) {
      const at = axes * tested;
      const x = positions[at] - ox;
      const y = positions[at + 1] - oy;
      const z = axes === 3 ? positions[at + 2] - oz : 0;
      const distance = x * x + y * y + z * z;
      const middle = (x * dx + y * dy + z * dz) * inverse;
      const reach = reaches[ids[tested]] * (scales ? scales[tested] : 1) + radius;
      // At least the square of the enlarged radius, less that of the distance from the ray's line.
      const around = reach * reach * (1 + 4 * SLACK) + distance * (4 * SLACK * SLACK);
      const half = around - (distance - middle * middle * squared);
      if (half < 0) continue;
      const time = squared > 0 ? Math.sqrt(half * inverse) : Infinity;
      if (middle + time < 0 || middle - time > end) continue;
      met[count] = tested;
      entries[count] = Math.max(middle - time, 0);
      order[count] = count++;
    }
  }

  return {
    begin(given, ray) {
      bodies = given;
      tested = visited = count = 0;
      most = ray.end;
    },
    advance(ray, visit) {
      const { length } = bodies!.shapes;
      if (tested < length) {
        testSome(ray, bodies!, Math.min(tested + BODIES_AT_ONCE, length));
        if (tested < length) return false;
        order.length = count;
        if (count > 1) order.sort((a, b) => entries[a] - entries[b]);
      }
      const stop = Math.min(visited + VISITS_AT_ONCE, count);
      for (; visited < stop; visited++) {
        const i = order[visited];
        if (entries[i] > most) return true;
        most = visit(met[i], entries[i]);
      }
      return visited === count;
    },
    end() {
      bodies = undefined;
    },
  };
}
