/**
 * Bounding volumes of shapes and bodies. A bounded shape's world box is exact, not the box of a rotated local box. It
 * is the box of the core enlarged by the rounding radius. The core's box comes from the rotated points whose hull the
 * core is, or, for a cylinder, cone or ellipsoid, from its supports along the axes. Half-spaces have no box and stay
 * half-spaces.
 */

import { allocate } from '../util/arrays.ts';
import { CORE_CONE, CORE_CYLINDER, CORE_ELLIPSOID, CORE_HALFSPACE } from '../generated/constants.ts';
import { hasVertices, isCurved } from '../shapes/kinds.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { CURVED_TOLERANCE, TOLERANCE } from '../shapes/tolerances.ts';
import { createPace, finish, type Work } from '../util/turns.ts';
import type { PosedBodies } from '../api/types.ts';
import type { WorldHalfspace } from './sweep-and-prune.ts';

/** x, y, z of the points whose hull the core is; empty for curved cores. Points and segments are flat boxes. */
function corePoints({ kind, vertices, halfExtents }: ShapeData): Float64Array {
  if (hasVertices(kind)) return vertices;
  if (isCurved(kind) || kind === CORE_HALFSPACE) return new Float64Array(0);
  const corners = new Float64Array(24);
  for (let i = 0; i < 24; i++) corners[i] = ((Math.floor(i / 3) >> (i % 3)) & 1 ? 1 : -1) * halfExtents[i % 3];
  return corners;
}

/** Greatest n·x over the core of a cylinder, cone or ellipsoid in its own frame; -Infinity for other cores. */
function curvedSupport(
  { kind, halfExtents: [hx, hy, hz], radius }: ShapeData,
  nx: number,
  ny: number,
  nz: number,
): number {
  const across = hx * Math.sqrt(nx * nx + nz * nz);
  switch (kind) {
    case CORE_CYLINDER:
      return hy * Math.abs(ny) + across;
    case CORE_CONE:
      return Math.max(hy * ny, across - hy * ny);
    case CORE_ELLIPSOID:
      return Math.sqrt((hx * nx) ** 2 + (hy * ny) ** 2 + (hz * nz) ** 2) - radius;
    default:
      return -Infinity;
  }
}

/**
 * The tolerance factor k of the distance between any two of the shapes. If one is curved, it is that of curved shapes.
 */
function gapTolerance(shapes: readonly (ShapeData | undefined)[]): number {
  return shapes.some((shape) => shape && isCurved(shape.kind)) ? CURVED_TOLERANCE.kernels.apart : TOLERANCE.kernels;
}

/**
 * World boxes of all bodies, 6n numbers: min x, y, z, max x, y, z.
 *
 * Each box is enlarged by half of `margin`, and by twice the body's share of the tolerance k · max(s, |B - A|). Where a
 * hit is possible at all, that tolerance is at most k · (s + margin), except for terms in k². So if two bodies' boxes
 * are apart, no tester that keeps its tolerance reports a hit.
 *
 * A half-space's box is empty: infinite minimum, minus infinite maximum.
 */
export function* boundBodies(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  margin: number,
): Work<Float64Array> {
  const isDue = createPace();
  const cores = shapes.map((shape) => shape && corePoints(shape));
  const k = gapTolerance(shapes);
  const n = bodies.shapes.length;
  const boxes = allocate('boxes of the bodies', Float64Array, 6 * n);
  for (let i = 0; i < n; i++) {
    const points = cores[bodies.shapes[i]]!;
    const shape = shapes[bodies.shapes[i]]!;
    const scale = bodies.scales ? bodies.scales[i] : 1;
    const enlarged = shape.radius * scale + margin / 2 + 2 * k * (shape.boundingRadius * scale + margin / 2);
    const rotation = rotationRows(bodies.quaternions, 4 * i);
    for (let axis = 0; axis < 3; axis++) {
      if (shape.kind === CORE_HALFSPACE) {
        boxes[6 * i + axis] = Infinity;
        boxes[6 * i + 3 + axis] = -Infinity;
        continue;
      }
      const rx = rotation[3 * axis];
      const ry = rotation[3 * axis + 1];
      const rz = rotation[3 * axis + 2];
      let low = -curvedSupport(shape, -rx, -ry, -rz);
      let high = curvedSupport(shape, rx, ry, rz);
      for (let p = 0; p < points.length; p += 3) {
        const along = rx * points[p] + ry * points[p + 1] + rz * points[p + 2];
        low = Math.min(low, along);
        high = Math.max(high, along);
      }
      const centre = bodies.positions[3 * i + axis];
      // Far from the origin the sums below may round by more than the enlargement.
      const rounding = Math.abs(centre) * 2 ** -51;
      boxes[6 * i + axis] = centre + low * scale - enlarged - rounding;
      boxes[6 * i + 3 + axis] = centre + high * scale + enlarged + rounding;
    }
    if (isDue(64 + points.length)) yield;
  }
  return boxes;
}

/** Runs `boundBodies` to the end. */
export function worldBoxes(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  margin: number,
): Float64Array {
  return finish(boundBodies(bodies, shapes, margin));
}

/**
 * The half-spaces among the bodies, enlarged by the rest of the allowance that `worldBoxes` uses: the other half of
 * `margin`, and the tolerance of a body that is far from the half-space's position.
 */
export function* boundHalfspaces(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  margin: number,
): Work<WorldHalfspace[]> {
  const isDue = createPace();
  const k = gapTolerance(shapes);
  const found: WorldHalfspace[] = [];
  for (let body = 0; body < bodies.shapes.length; body++) {
    if (isDue(1)) yield;
    const {
      kind,
      halfExtents: [x, y, z],
      radius: offset,
    } = shapes[bodies.shapes[body]]!;
    if (kind !== CORE_HALFSPACE) continue;
    const r = rotationRows(bodies.quaternions, 4 * body);
    found.push({
      body,
      position: Array.from(bodies.positions.subarray(3 * body, 3 * body + 3)),
      normal: [0, 3, 6].map((row) => r[row] * x + r[row + 1] * y + r[row + 2] * z),
      offset: offset * (bodies.scales ? bodies.scales[body] : 1) + margin / 2,
      slack: 2 * k,
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
  return finish(boundHalfspaces(bodies, shapes, margin));
}

/** The rotation matrix of the quaternion at `offset`, which is normalised first; row by row. */
function rotationRows(quaternions: Float32Array, offset: number): number[] {
  const length = Math.hypot(
    quaternions[offset],
    quaternions[offset + 1],
    quaternions[offset + 2],
    quaternions[offset + 3],
  );
  const x = quaternions[offset] / length;
  const y = quaternions[offset + 1] / length;
  const z = quaternions[offset + 2] / length;
  const w = quaternions[offset + 3] / length;
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}
