/** Mirror of shaders/queries/manifolds: up to four points of a hit, from its contact. */
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { PairOptions } from '../asked-pairs.ts';
import { contactFace } from '../contact-face.ts';
import { createContactFace, type FacePlace } from '../contact-face/face.ts';
import { manifold as manifoldPoints } from '../manifold.ts';
import { createManifoldPoints } from '../manifold/features.ts';
import {
  type Vec3,
  addScaled,
  cross,
  perpendicular,
  scale,
  subtract,
  transform,
  transformBack,
  vec3,
} from '../math.ts';
import type { Pair } from '../pair.ts';
import { contact } from './contacts.ts';
import type { PairResult } from './result.ts';
import { marginInUnits, placeInWorld } from './pair-unit.ts';

const faceA = createContactFace(1);
const faceB = createContactFace(-1);
const points = createManifoldPoints();
const normal = vec3();
const backward = vec3();
const origin = vec3();
const u = vec3();
const v = vec3();
const offset = vec3();
const at = vec3();
const toFrame = new Float64Array(9);
const rotationB = new Float64Array(9);
const placeA: FacePlace = { rotation: toFrame, offset };
const placeB: FacePlace = { rotation: rotationB, offset };

export function manifold(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  query: PairOptions,
  to: PairResult,
  guess?: Float64Array,
): PairResult {
  return manifoldOfContact(pair, shapeA, shapeB, query.margin, contact(pair, shapeA, shapeB, query, to, guess));
}

/** Adds to a contact its manifold. */
export function manifoldOfContact(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  callersMargin: number,
  to: PairResult,
): PairResult {
  to.pointCount = 0;
  to.positions.fill(0);
  to.distances.fill(0);
  to.features.fill(0);
  to.hasPoints &&= to.hit;
  if (!to.hasPoints) return to;
  const { rotationA, rotation, unit, translation, middleA } = pair;
  const margin = marginInUnits(pair, callersMargin);
  transformBack(rotationA, to.normal, normal);
  subtract(scale(transformBack(rotationA, to.pointA, origin), 1 / unit, origin), middleA, origin);
  perpendicular(normal, u);
  cross(normal, u, v);
  toFrame.set([u.x, v.x, normal.x, u.y, v.y, normal.y, u.z, v.z, normal.z]);
  for (let i = 0; i < 3; i++) columnToFrame(rotation, i);
  scale(transform(toFrame, origin, offset), -1, offset);
  contactFace(shapeA, pair.coreA, pair.radiusA, normal, placeA, faceA);
  transform(toFrame, subtract(translation, origin, offset), offset);
  transformBack(rotation, scale(normal, -1, backward), backward);
  contactFace(shapeB, pair.coreB, pair.radiusB, backward, placeB, faceB);
  const size = shapeA.middleRadius * pair.coreA.scale + shapeB.middleRadius * pair.coreB.scale;
  manifoldPoints(faceA, faceB, to.distance / unit, margin, size, points);
  to.pointCount = points.count;
  for (let i = 0; i < points.count; i++) {
    const point = points.points[i];
    addScaled(origin, u, point.u, at);
    addScaled(at, v, point.v, at);
    addScaled(at, normal, point.h, at);
    placeInWorld(pair, at, at);
    to.positions[3 * i] = at.x;
    to.positions[3 * i + 1] = at.y;
    to.positions[3 * i + 2] = at.z;
    // By rounding only may it be more than the margin.
    to.distances[i] = Math.min(point.distance * unit, callersMargin);
    to.features[i] = point.feature;
  }
  return to;
}

const column: Vec3 = vec3();

/** Column i of toFrame · matrix, into `rotationB`. */
function columnToFrame(matrix: Float64Array, i: number): void {
  column.x = matrix[3 * i];
  column.y = matrix[3 * i + 1];
  column.z = matrix[3 * i + 2];
  transform(toFrame, column, column);
  rotationB[3 * i] = column.x;
  rotationB[3 * i + 1] = column.y;
  rotationB[3 * i + 2] = column.z;
}
