/**
 * Bounding volumes of shapes and bodies. A bounded shape's world box is exact, not the box of a rotated local box. It
 * is the box of the core enlarged by the rounding radius. The core's box comes from its half extents and the rotation
 * matrix, or for a hull from its rotated vertices. Half-spaces have no box and stay half-spaces.
 */

import { allocate } from '../util/arrays.ts';
import { BOUND_ROUNDING, CORE_CONE, CORE_CYLINDER, CORE_ELLIPSOID, CORE_HALFSPACE } from '../generated/constants.ts';
import { farthestVertex } from '../bvh/farthest-vertex.ts';
import { meshTree, meshTreeOf } from '../bvh/mesh-tree.ts';
import { hasVertices } from '../shapes/kinds.ts';
import { hasCurvedPart, type Compound } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { CURVED_TOLERANCE, TOLERANCE } from '../shapes/tolerances.ts';
import { createPace, finish, type Work } from '../util/turns.ts';
import type { PosedBodies } from '../api/types.ts';
import {
  BODIES_AT_ONCE,
  distanceOf,
  enlargementShare,
  greatestDistance,
  isTurning,
  roundingAt,
  sweepBoxes,
  type Bounding,
} from './bounding.ts';
import type { WorldHalfspace } from './halfspaces.ts';

/** Greatest n·x over a bounded shape in its own frame, for a unit vector n. The tree of a mesh has been built. */
export function heightOf(shape: ShapeData, nx: number, ny: number, nz: number): number {
  return supportOf(shape)(shape, nx, ny, nz) + shape.radius;
}

function supportOf({ parts, kind }: ShapeData): typeof coreSupport {
  if (parts) return partsSupport;
  return hasVertices(kind) ? vertexSupport : coreSupport;
}

/** Greatest n·x over a core in its own frame, for a unit vector n. For a hull, use `vertexSupport`. */
function coreSupport({ kind, halfExtents, radius }: ShapeData, nx: number, ny: number, nz: number): number {
  const hx = halfExtents[0];
  const hy = halfExtents[1];
  const hz = halfExtents[2];
  switch (kind) {
    case CORE_CYLINDER:
      return hy * Math.abs(ny) + hx * Math.sqrt(nx * nx + nz * nz);
    case CORE_CONE:
      return Math.max(hy * ny, hx * Math.sqrt(nx * nx + nz * nz) - hy * ny);
    case CORE_ELLIPSOID:
      return Math.sqrt((hx * nx) ** 2 + (hy * ny) ** 2 + (hz * nz) ** 2) - radius;
    default:
      // Points and segments are flat boxes.
      return hx * Math.abs(nx) + hy * Math.abs(ny) + hz * Math.abs(nz);
  }
}

/** Greatest n·x over a compound or a mesh. */
function partsSupport({ parts }: ShapeData, nx: number, ny: number, nz: number): number {
  if (parts!.type === 'compound') return compoundSupport(parts!, nx, ny, nz);
  const { positions } = parts!;
  const at = 3 * farthestVertex(meshTreeOf(parts!), parts!, nx, ny, nz);
  return nx * positions[at] + ny * positions[at + 1] + nz * positions[at + 2];
}

const partRows = new Float64Array(9);

function compoundSupport(
  { shapes, positions, quaternions, scales }: Compound<ShapeData>,
  nx: number,
  ny: number,
  nz: number,
): number {
  let greatest = -Infinity;
  shapes.forEach((shape, i) => {
    writeRotation(quaternions, 4 * i, partRows);
    const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = partRows;
    // The direction in the part's frame.
    const x = xx * nx + yx * ny + zx * nz;
    const y = xy * nx + yy * ny + zy * nz;
    const z = xz * nx + yz * ny + zz * nz;
    const along = (hasVertices(shape.kind) ? vertexSupport : coreSupport)(shape, x, y, z) + shape.radius;
    const origin = nx * positions[3 * i] + ny * positions[3 * i + 1] + nz * positions[3 * i + 2];
    greatest = Math.max(greatest, origin + scales[i] * along);
  });
  return greatest;
}

/** Greatest n·x over the vertices of a hull. */
function vertexSupport({ vertices }: ShapeData, nx: number, ny: number, nz: number): number {
  let greatest = -Infinity;
  for (let p = 0; p < vertices.length; p += 3) {
    const along = nx * vertices[p] + ny * vertices[p + 1] + nz * vertices[p + 2];
    if (along > greatest) greatest = along;
  }
  return greatest;
}

/**
 * The tolerance factor k of the distance between any two of the shapes. If one is curved, it is that of curved shapes.
 */
function gapTolerance(shapes: readonly (ShapeData | undefined)[]): number {
  return shapes.some((shape) => shape && hasCurvedPart(shape)) ? CURVED_TOLERANCE.kernels.apart : TOLERANCE.kernels;
}

/**
 * World boxes of all bodies, 6n numbers: min x, y, z, max x, y, z.
 *
 * Each box is enlarged by half of the margin, and by twice the body's share of the tolerance k · max(s, |B - A|), with
 * rounding (`enlargementShare`). Where a hit is possible at all, that tolerance is at most k · (s + margin), except for
 * terms in k². So if two bodies' boxes are apart, no tester that keeps its tolerance reports a hit.
 *
 * A half-space's box is empty: infinite minimum, minus infinite maximum.
 */
export function* boundBodies(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  bounding: Bounding,
): Work<Float64Array> {
  const isDue = createPace();
  for (const shape of shapes) if (shape?.parts?.type === 'mesh') yield* meshTree(shape.parts);
  const share = enlargementShare(gapTolerance(shapes));
  const { length } = bodies.shapes;
  const boxes = allocate('boxes of the bodies', Float64Array, 6 * length);
  const enlargement = { margin: bounding.margin, share };
  const mostVertices = shapes.reduce((most, shape) => Math.max(most, shape?.vertices.length ?? 0), 0) / 3;
  const atOnce = Math.max(1, Math.floor(BODIES_AT_ONCE / (1 + mostVertices / 8)));
  for (let first = 0; first < length; first += atOnce) {
    boundSome(bodies, shapes, enlargement, first, Math.min(first + atOnce, length), boxes);
    if (isDue(32 * BODIES_AT_ONCE)) yield;
  }
  yield* sweepBoxes(boxes, bodies, shapes, bounding, 3, share);
  return boxes;
}

/** By how much boxes are enlarged: half of the margin, and a share of the size. */
interface Enlargement {
  margin: number;
  share: number;
}

const rotation = new Float64Array(9);

/** The boxes of the bodies from `first` up to `end`, at rest. */
function boundSome(
  { shapes: ids, positions, quaternions, scales }: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  { margin, share }: Enlargement,
  first: number,
  end: number,
  boxes: Float64Array,
): void {
  for (let i = first; i < end; i++) {
    const shape = shapes[ids[i]]!;
    if (shape.kind === CORE_HALFSPACE) {
      boxes.fill(Infinity, 6 * i, 6 * i + 3);
      boxes.fill(-Infinity, 6 * i + 3, 6 * i + 6);
      continue;
    }
    const scale = scales ? scales[i] : 1;
    const enlarged = shape.radius * scale + margin / 2 + share * (shape.boundingRadius * scale + margin / 2);
    const support = supportOf(shape);
    writeRotation(quaternions, 4 * i, rotation);
    for (let axis = 0; axis < 3; axis++) {
      const nx = rotation[3 * axis];
      const ny = rotation[3 * axis + 1];
      const nz = rotation[3 * axis + 2];
      const centre = positions[3 * i + axis];
      const around = enlarged + roundingAt(centre);
      boxes[6 * i + axis] = centre - support(shape, -nx, -ny, -nz) * scale - around;
      boxes[6 * i + 3 + axis] = centre + support(shape, nx, ny, nz) * scale + around;
    }
  }
}

/** Runs `boundBodies` to the end. */
export function worldBoxes(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  margin: number,
): Float64Array {
  return finish(boundBodies(bodies, shapes, { margin }));
}

/**
 * The half-spaces among the bodies, enlarged by the rest of the allowance that `boundBodies` uses: the other half of the
 * margin, with rounding, and the tolerance of a body that is far from the half-space's position. With motion, they cover the space that
 * they pass through. One that turns meets all boxes.
 */
export function* boundHalfspaces(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  { margin, motion }: Bounding,
): Work<WorldHalfspace[]> {
  const isDue = createPace();
  const share = enlargementShare(gapTolerance(shapes));
  const found: WorldHalfspace[] = [];
  if (!shapes.some((shape) => shape?.kind === CORE_HALFSPACE)) return found;
  const farthest = motion ? greatestDistance(bodies.positions, 3) : 0;
  const rows = new Float64Array(9);
  for (let body = 0; body < bodies.shapes.length; body++) {
    if (isDue(1)) yield;
    const {
      kind,
      halfExtents: [x, y, z],
      radius: offset,
    } = shapes[bodies.shapes[body]]!;
    if (kind !== CORE_HALFSPACE) continue;
    writeRotation(bodies.quaternions, 4 * body, rows);
    const normal = [0, 3, 6].map((row) => rows[row] * x + rows[row + 1] * y + rows[row + 2] * z);
    let path = 0;
    if (motion) {
      const velocity = motion.linear.subarray(3 * body, 3 * body + 3);
      const rising = normal.reduce((sum, n, axis) => sum + n * velocity[axis], 0);
      path = distanceOf(Math.max(rising, 0), motion.duration);
      path += share * Math.min(distanceOf(Math.hypot(...velocity), motion.duration), farthest);
      if (isTurning(motion, body, 3)) path = Infinity;
    }
    const height = offset * (bodies.scales ? bodies.scales[body] : 1);
    found.push({
      body,
      position: Array.from(bodies.positions.subarray(3 * body, 3 * body + 3)),
      normal,
      offset: height + margin / 2 + BOUND_ROUNDING * (Math.abs(height) + margin / 2) + path,
      slack: share,
    });
    if (isDue(128)) yield;
  }
  return found;
}

/** Runs `boundHalfspaces` to the end. */
export function worldHalfspaces(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  margin: number,
): WorldHalfspace[] {
  return finish(boundHalfspaces(bodies, shapes, { margin }));
}

/** Writes the rotation matrix of the quaternion at `offset`, which is normalised first; row by row. */
function writeRotation(quaternions: ArrayLike<number>, offset: number, rows: Float64Array): void {
  const qx = quaternions[offset];
  const qy = quaternions[offset + 1];
  const qz = quaternions[offset + 2];
  const qw = quaternions[offset + 3];
  const inverse = 1 / Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  const x = qx * inverse;
  const y = qy * inverse;
  const z = qz * inverse;
  const w = qw * inverse;
  rows[0] = 1 - 2 * (y * y + z * z);
  rows[1] = 2 * (x * y - w * z);
  rows[2] = 2 * (x * z + w * y);
  rows[3] = 2 * (x * y + w * z);
  rows[4] = 1 - 2 * (x * x + z * z);
  rows[5] = 2 * (y * z - w * x);
  rows[6] = 2 * (x * z - w * y);
  rows[7] = 2 * (y * z + w * x);
  rows[8] = 1 - 2 * (x * x + y * y);
}
