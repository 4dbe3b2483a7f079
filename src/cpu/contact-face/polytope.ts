/** Mirror of shaders/contact-face/polytope.wgsl: contact faces of boxes, triangles and hulls. */
import { MANIFOLD_EDGE_COSINE } from '../../generated/constants.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { type Vec3, addScaled, copy, dot, scale, set, vec3 } from '../math.ts';
import type { Core } from '../pair.ts';
import { vertex } from '../support.ts';
import { type ContactFace, hasLoop } from './face.ts';
import { across, roundLine } from './segment.ts';

const edge = vec3();
/** Numbers of the vertices at a line's ends. */
const line = [0, 0];

/** `top` is the number of the core's support along the direction. */
export function boxFace(core: Core, radius: number, direction: Vec3, top: number, face: ContactFace): void {
  const { halfExtents } = core;
  const slopeX = Math.abs(direction.x);
  const slopeY = Math.abs(direction.y);
  const slopeZ = Math.abs(direction.z);
  const axis = slopeY > slopeX && slopeY >= slopeZ ? 1 : slopeZ > slopeX ? 2 : 0;
  const along = axis === 0 ? direction.x : axis === 1 ? direction.y : direction.z;
  const sign = along >= 0 ? 1 : -1;
  face.count = 4;
  unit(axis, sign, face.normal);
  scale(face.normal, halfExtents[axis] + radius, face.origin);
  unit((axis + 1) % 3, sign * halfExtents[(axis + 1) % 3], face.p);
  unit((axis + 2) % 3, halfExtents[(axis + 2) % 3], face.q);
  face.number = 2 * axis + (sign > 0 ? 1 : 0);
  face.hasPeak = radius > 0;
  face.peakNumber = top;
  if (radius > 0 && dot(direction, face.normal) < MANIFOLD_EDGE_COSINE) {
    // The edge along the axis of the direction's least component.
    const least = Math.min(slopeX, slopeY, slopeZ);
    const edgeAxis = slopeZ === least ? 2 : slopeY === least ? 1 : 0;
    face.count = 2;
    across(direction, unit(edgeAxis, 1, edge), face.normal);
    vertex(core, top, face.middle);
    unit(edgeAxis, halfExtents[edgeAxis], face.p);
    addScaled(face.middle, face.p, top & (1 << edgeAxis) ? -1 : 1, face.middle);
    set(0, 0, 0, face.q);
    face.firstEnd = top & ~(1 << edgeAxis);
    face.lastEnd = top | (1 << edgeAxis);
    const other = 3 - axis - edgeAxis;
    unit(axis, sign, face.flanks[0]);
    unit(other, top & (1 << other) ? 1 : -1, face.flanks[1]);
    roundLine(face, radius, false);
  }
}

function unit(axis: number, size: number, to: Vec3): Vec3 {
  return set(axis === 0 ? size : 0, axis === 1 ? size : 0, axis === 2 ? size : 0, to);
}

/** `top` is the number of the core's support along the direction. */
export function hullFace(
  shape: ShapeData,
  core: Core,
  radius: number,
  direction: Vec3,
  top: number,
  face: ContactFace,
): void {
  const { facePlanes, faceStart, faceVertices, pointIndices } = shape;
  const { middle, normal, p } = face;
  face.shape = shape;
  face.hasPeak = true;
  face.peakNumber = face.number = pointIndices[top];
  face.count = shape.vertices.length / 3;
  // The two ends, if the face is a line.
  line[0] = 0;
  line[1] = face.count - 1;
  // Whether the whole shape is a line.
  let isLine = facePlanes.length === 0;
  if (facePlanes.length > 0) {
    let best = 0;
    let alignment = -2;
    for (let f = 0; f < facePlanes.length; f += 4) {
      const cosine = facePlanes[f] * direction.x + facePlanes[f + 1] * direction.y + facePlanes[f + 2] * direction.z;
      if (cosine > alignment) {
        alignment = cosine;
        best = f;
      }
    }
    set(facePlanes[best], facePlanes[best + 1], facePlanes[best + 2], normal);
    face.loopStart = faceStart[best / 4];
    face.count = faceStart[best / 4 + 1] - face.loopStart;
    if (face.count === 2) {
      // A face without a width.
      line[0] = faceVertices[face.loopStart];
      line[1] = faceVertices[face.loopStart + 1];
      isLine = facePlanes.length === 8;
    } else if (radius > 0 && alignment < MANIFOLD_EDGE_COSINE) {
      leaningEdge(shape, face.loopStart, face.count, normal, direction);
      copy(normal, face.flanks[0]);
      neighbourNormal(shape, line[0], line[1], face.flanks[1]);
      face.count = 2;
    }
  }
  if (!hasLoop(face)) {
    vertex(core, line[0], middle);
    vertex(core, line[1], p);
    set(0.5 * (p.x - middle.x), 0.5 * (p.y - middle.y), 0.5 * (p.z - middle.z), p);
    addScaled(middle, p, 1, middle);
    if (face.count === 2) across(direction, p, normal);
    face.firstEnd = pointIndices[line[0]];
    face.lastEnd = pointIndices[line[1]];
  }
  addScaled(middle, normal, radius, face.origin);
  if (face.count === 2) roundLine(face, radius, isLine);
}

/** Outward normal of the face whose loop has the edge from `to` to `from`; 0 if there is none. */
export function neighbourNormal(shape: ShapeData, from: number, to: number, normal: Vec3): Vec3 {
  const { facePlanes, faceStart, faceVertices } = shape;
  for (let f = 0; f + 1 < faceStart.length; f++) {
    for (let i = faceStart[f]; i < faceStart[f + 1]; i++) {
      const next = i + 1 === faceStart[f + 1] ? faceStart[f] : i + 1;
      if (faceVertices[i] !== to || faceVertices[next] !== from) continue;
      return set(facePlanes[4 * f], facePlanes[4 * f + 1], facePlanes[4 * f + 2], normal);
    }
  }
  return set(0, 0, 0, normal);
}

/**
 * Of the edges of a hull's face that the direction leans out over, the one most nearly perpendicular to it. The numbers
 * of its ends are left in `line`.
 */
function leaningEdge(
  { vertices, faceVertices }: ShapeData,
  loopStart: number,
  count: number,
  faceNormal: Vec3,
  { x, y, z }: Vec3,
): void {
  let least = 2;
  for (let i = 0; i < count; i++) {
    const from = faceVertices[loopStart + (i === 0 ? count - 1 : i - 1)];
    const to = faceVertices[loopStart + i];
    const edgeX = vertices[3 * to] - vertices[3 * from];
    const edgeY = vertices[3 * to + 1] - vertices[3 * from + 1];
    const edgeZ = vertices[3 * to + 2] - vertices[3 * from + 2];
    const inward =
      x * (faceNormal.y * edgeZ - faceNormal.z * edgeY) +
      y * (faceNormal.z * edgeX - faceNormal.x * edgeZ) +
      z * (faceNormal.x * edgeY - faceNormal.y * edgeX);
    const cosine =
      Math.abs(x * edgeX + y * edgeY + z * edgeZ) / Math.sqrt(edgeX * edgeX + edgeY * edgeY + edgeZ * edgeZ);
    if (!(inward < 0 && cosine < least)) continue;
    least = cosine;
    line[0] = from;
    line[1] = to;
  }
}
