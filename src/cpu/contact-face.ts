/** Mirror of shaders/contact-face.wgsl: the part of a shape's surface that faces along a direction. */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_HULL,
  CORE_POINT,
  CORE_SEGMENT,
  MANIFOLD_LEAST_COSINE,
  MANIFOLD_LEAST_WIDTH,
} from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { coneFace } from './contact-face/cone.ts';
import { cylinderFace } from './contact-face/cylinder.ts';
import { type ContactFace, type FacePlace, corner, cornerP, cornerQ, hasLoop } from './contact-face/face.ts';
import { halfspaceFace } from './contact-face/halfspace.ts';
import { ellipsoidFace, pointFace } from './contact-face/point.ts';
import { boxFace, hullFace } from './contact-face/polytope.ts';
import { segmentFace } from './contact-face/segment.ts';
import { type Mat3, type Vec3, addScaled, copy, dot, set, transform, vec3 } from './math.ts';
import type { Core } from './pair.ts';
import { support, vertex } from './support.ts';

const at = vec3();

/** `direction` is a unit vector in the body's frame. */
export function contactFace(
  shape: ShapeData,
  core: Core,
  radius: number,
  direction: Vec3,
  { rotation, offset }: FacePlace,
  face: ContactFace,
): ContactFace {
  faceInBody(shape, core, radius, direction, face);
  const { normal, origin, p, q } = face;
  face.kind = core.kind;
  face.radius = radius;
  placeVertices(shape, core, rotation, offset, face);
  // Boxes and discs may be flat: nothing can be over a line.
  const isFlat = !hasLoop(face) && face.count > 2 && Math.min(dot(p, p), dot(q, q)) < MANIFOLD_LEAST_WIDTH ** 2;
  transform(rotation, p, p);
  transform(rotation, q, q);
  addScaled(transform(rotation, origin, origin), offset, 1, origin);
  addScaled(transform(rotation, face.peak, face.peak), offset, 1, face.peak);
  addScaled(transform(rotation, face.middle, face.middle), offset, 1, face.middle);
  transform(rotation, normal, normal);
  for (const flank of face.flanks) transform(rotation, flank, flank);
  face.rotation.set(rotation);
  face.cosine = normal.z * face.side;
  face.isArea = (face.count >= 3 || face.count === 0) && face.cosine >= MANIFOLD_LEAST_COSINE && !isFlat;
  face.slopeU = face.isArea ? -normal.x / normal.z : 0;
  face.slopeV = face.isArea ? -normal.y / normal.z : 0;
  if (hasLoop(face)) set(face.vertices[0], face.vertices[1], face.vertices[2], face.anchor);
  else copy(origin, face.anchor);
  return face;
}

/** The face in the body's frame. */
function faceInBody(shape: ShapeData, core: Core, radius: number, direction: Vec3, face: ContactFace): void {
  face.shape = undefined;
  face.count = face.loopStart = face.number = face.bend = face.peakNumber = 0;
  face.hasPeak = face.isCapped = face.isRound = false;
  face.slantX = 1;
  face.slantY = 0;
  copy(direction, face.normal);
  set(0, 0, 0, face.origin);
  set(0, 0, 0, face.p);
  set(0, 0, 0, face.q);
  set(0, 0, 0, face.middle);
  for (const flank of face.flanks) set(0, 0, 0, flank);
  let top = 0;
  if (core.kind <= CORE_HULL) {
    top = support(core, direction.x, direction.y, direction.z);
    addScaled(vertex(core, top, face.peak), direction, radius, face.peak);
  }
  switch (core.kind) {
    case CORE_POINT:
      pointFace(radius, direction, face);
      break;
    case CORE_SEGMENT:
      segmentFace(core, radius, direction, top, face);
      break;
    case CORE_BOX:
      boxFace(core, radius, direction, top, face);
      break;
    case CORE_CYLINDER:
      cylinderFace(core, radius, direction, face);
      break;
    case CORE_CONE:
      coneFace(core, radius, direction, face);
      break;
    case CORE_ELLIPSOID:
      ellipsoidFace(core, direction, face);
      break;
    case CORE_HALFSPACE:
      halfspaceFace(core, radius, face);
      break;
    default:
      hullFace(shape, core, radius, direction, top, face);
  }
}

/** Computes all vertices at once: they are read often. */
function placeVertices(shape: ShapeData, core: Core, rotation: Mat3, offset: Vec3, face: ContactFace): void {
  const { count, origin, p, q } = face;
  if (face.vertices.length < 3 * count) face.vertices = new Float64Array(6 * count);
  const { vertices } = face;
  const isLoop = hasLoop(face);
  for (let i = 0; i < count; i++) {
    if (isLoop) {
      vertex(core, shape.faceVertices[face.loopStart + i], at);
      addScaled(at, origin, 1, at);
    } else {
      corner(count, i);
      set(
        origin.x + p.x * cornerP + q.x * cornerQ,
        origin.y + p.y * cornerP + q.y * cornerQ,
        origin.z + p.z * cornerP + q.z * cornerQ,
        at,
      );
    }
    addScaled(transform(rotation, at, at), offset, 1, at);
    vertices[3 * i] = at.x;
    vertices[3 * i + 1] = at.y;
    vertices[3 * i + 2] = at.z;
  }
}
