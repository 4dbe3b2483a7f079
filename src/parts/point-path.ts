/**
 * The first impact of a mesh with a point that moves straight, such as a ray: faster than by boxes that move. Where the point
 * only just touches a triangle, the reference decides.
 */
import type { Sweep } from '../bvh/find-swept-pairs.ts';
import { castRay, type Ray, type RayHit } from '../bvh/cast-ray.ts';
import { rayTreeOf } from '../bvh/mesh-tree.ts';
import type { Walk } from '../bvh/walk.ts';
import { addScaled, dot, scale, set, transform, transformBack, vec3, type Vec3 } from '../cpu/math.ts';
import { isRotating, partImpact, type ImpactQuery } from '../cpu/parts/part-impacts.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import type { BodyPlace } from '../cpu/parts/part-place.ts';
import { createShearedRay, crossingTime, shearRay, UNCERTAIN, type ShearedRay } from '../cpu/parts/ray-triangle.ts';
import { createPairResult, decided, type PairResult } from '../cpu/queries/result.ts';
import { CORE_POINT, STATUS_OVERLAPPING } from '../generated/constants.ts';
import type { Mesh } from '../shapes/parts.ts';
import type { Rest, Work } from '../util/turns.ts';
import { copyImpact, type KnownAnswer } from './known-answer.ts';
import type { FirstImpactPath } from './part-geometry.ts';
import { triangleNormal } from './triangle-normal.ts';
import { MOTION_SLACK } from './sweep-bodies.ts';

/** A ball is a point if its radius and the margin are less than this share of the mesh's size. */
const POINT_RADIUS = 2 ** -40;

/** Two moving bodies, and the point's way in the frame of the mesh. */
interface PointPath {
  readonly query: ImpactQuery;
  readonly places: PairPlaces;
  readonly sweep: Sweep;
  readonly walk: Walk;
  readonly ray: Ray & { maxTime: number };
  readonly sheared: ShearedRay;
  readonly hit: RayHit;
  /** Of two parts, by the reference. */
  readonly impact: PairResult;
  readonly normal: Vec3;
  mesh: Mesh | undefined;
  isMeshA: boolean;
  tolerance: number;
  /** Triangles whose times the reference decided. */
  readonly uncertain: number[];
  /** The time at which the point meets a triangle. */
  readonly timeOf: (triangle: number) => number;
}

export function createPointPath(query: ImpactQuery, places: PairPlaces, sweep: Sweep, walk: Walk): FirstImpactPath {
  const path: PointPath = {
    query,
    places,
    sweep,
    walk,
    ray: { origin: new Float64Array(3), direction: new Float64Array(3), maxTime: 0, radius: 0 },
    sheared: createShearedRay(),
    hit: { time: 0, part: 0 },
    impact: createPairResult(),
    normal: vec3(),
    mesh: undefined,
    isMeshA: true,
    tolerance: 0,
    uncertain: [],
    timeOf: (triangle) => timeOf(path, triangle),
  };
  return { place: () => placePath(path), follow: (known) => followPath(path, known) };
}

/** Whether one body is a mesh and the other a point that moves towards or past it, neither turning. If so, places its path. */
function placePath(path: PointPath): boolean {
  const { a, b } = path.places;
  const isMeshA = isRay(path, a, b);
  if (!isMeshA && !isRay(path, b, a)) return false;
  path.isMeshA = isMeshA;
  setRay(path, isMeshA ? a : b);
  const { direction } = path.ray;
  return direction[0] !== 0 || direction[1] !== 0 || direction[2] !== 0;
}

/** Whether one body is a mesh and the other a point, and neither changes the direction from which they meet. */
function isRay({ query }: PointPath, { body, shape, scale: size }: BodyPlace, point: BodyPlace): boolean {
  return (
    shape.parts?.type === 'mesh' &&
    point.shape.kind === CORE_POINT &&
    !isRotating(query.motion, body) &&
    point.shape.radius * point.scale + query.margin <= POINT_RADIUS * shape.boundingRadius * size
  );
}

const vector = vec3();

/** Writes the point's motion in the frame of the mesh. */
function setRay({ sweep, places: { a, offset }, ray, isMeshA }: PointPath, place: BodyPlace): void {
  const sign = isMeshA ? 1 : -1;
  const { velocity } = sweep.moment;
  transformBack(place.rotation, offset, vector);
  scale(vector, sign / place.scale, vector);
  ray.origin[0] = vector.x;
  ray.origin[1] = vector.y;
  ray.origin[2] = vector.z;
  set(velocity[0], velocity[1], velocity[2], vector);
  if (!isMeshA) transformBack(place.rotation, transform(a.rotation, vector, vector), vector);
  scale(vector, sign / place.scale, vector);
  ray.direction[0] = vector.x;
  ray.direction[1] = vector.y;
  ray.direction[2] = vector.z;
  ray.maxTime = sweep.duration;
}

/** Follows the point to the first triangle. */
function followPath(path: PointPath, known: KnownAnswer): Rest {
  const { places, isMeshA, ray, sheared, hit, walk } = path;
  const place = isMeshA ? places.a : places.b;
  const { shape } = place;
  const { origin } = ray;
  const mesh = shape.parts as Mesh;
  path.mesh = mesh;
  path.tolerance =
    MOTION_SLACK * (shape.boundingRadius + Math.abs(origin[0]) + Math.abs(origin[1]) + Math.abs(origin[2]));
  shearRay(ray, sheared);
  path.uncertain.length = 0;
  const rest = castRay(rayTreeOf(mesh), ray, path.timeOf, hit, walk);
  if (rest) return followOn(path, rest, place, known);
  writeHit(path, place, known);
  return undefined;
}

function* followOn(path: PointPath, rest: Work<void>, place: BodyPlace, known: KnownAnswer): Work<void> {
  yield* rest;
  writeHit(path, place, known);
}

function timeOf(path: PointPath, triangle: number): number {
  const time = timeOfCrossing(path, triangle);
  if (time !== UNCERTAIN) return time;
  path.uncertain.push(triangle);
  decide(path, triangle);
  return Math.max(path.impact.unclampedTime, 0);
}

/** The time of a crossing within the motion, Infinity if there is none, `UNCERTAIN` if the reference has to decide. */
function timeOfCrossing(path: PointPath, triangle: number): number {
  const { mesh, sheared, ray, tolerance } = path;
  const time = crossingTime(mesh!, triangle, sheared);
  if (time === Infinity || time === UNCERTAIN) return time;
  const speed = closingSpeed(path, triangle);
  const first = time * speed;
  const last = (ray.maxTime - time) * speed;
  if (first > tolerance && last > tolerance) return time;
  return first < -tolerance || last < -tolerance ? Infinity : UNCERTAIN;
}

const face = new Float64Array(3);

/** Writes a triangle's normal, against the ray. Returns how fast the ray closes in along it. */
function closingSpeed({ mesh, ray: { direction }, normal }: PointPath, triangle: number): number {
  triangleNormal(mesh!, triangle, face);
  const along = face[0] * direction[0] + face[1] * direction[1] + face[2] * direction[2];
  const side = along > 0 ? -1 : 1;
  set(side * face[0], side * face[1], side * face[2], normal);
  return Math.abs(along);
}

/** Has the reference find the impact with a triangle. */
function decide({ query, places, isMeshA, impact }: PointPath, triangle: number): void {
  const [partA, partB] = isMeshA ? [triangle, 0] : [0, triangle];
  partImpact(places, partA, partB, query, impact);
}

function writeHit(path: PointPath, place: BodyPlace, known: KnownAnswer): void {
  const { hit, isMeshA, uncertain, impact } = path;
  known.hasNormal = true;
  if (hit.part < 0) return;
  known.partA = isMeshA ? hit.part : 0;
  known.partB = isMeshA ? 0 : hit.part;
  if (!uncertain.includes(hit.part)) return writeCrossing(path, place, known.result);
  decide(path, hit.part);
  copyImpact(impact, known.result);
  known.hasNormal = false;
}

function writeCrossing(path: PointPath, { rotation, scale: factor }: BodyPlace, to: PairResult): void {
  const { hit, mesh, isMeshA, ray, normal } = path;
  decided(0, 0, 1, to);
  to.status = STATUS_OVERLAPPING;
  to.hasPoints = true;
  to.unclampedTime = hit.time;
  closingSpeed(path, hit.part);
  transform(rotation, normal, to.normal);
  if (!isMeshA) {
    // The point is A.
    scale(to.normal, -1, to.normal);
    return;
  }
  const { origin, direction } = ray;
  set(origin[0], origin[1], origin[2], to.pointA);
  addScaled(to.pointA, set(direction[0], direction[1], direction[2], vector), hit.time, to.pointA);
  // The ray's origin may be far away, and its rounding moves the point of impact off the triangle's plane.
  const { positions, indices } = mesh!;
  const corner = 3 * indices[3 * hit.part];
  set(positions[corner], positions[corner + 1], positions[corner + 2], vector);
  addScaled(to.pointA, normal, dot(normal, vector) - dot(normal, to.pointA), to.pointA);
  transform(rotation, scale(to.pointA, factor, to.pointA), to.pointA);
}
