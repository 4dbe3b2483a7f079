/**
 * The first impact of two moving bodies of parts. Pairs of parts that can meet earlier are tried first, and those that cannot
 * meet before the first impact so far are skipped. A point that moves straight, such as a ray, has a faster way through the
 * triangles of a mesh.
 */
import { castRay, type RayHit } from '../bvh/cast-ray.ts';
import { rayTreeOf } from '../bvh/mesh-tree.ts';
import { findSweptPairs } from '../bvh/find-swept-pairs.ts';
import type { Walk } from '../bvh/walk.ts';
import { addScaled, copy, dot, scale, set, transform, transformBack, vec3 } from '../cpu/math.ts';
import { createPairResult, decided, type PairResult } from '../cpu/queries/result.ts';
import { createShearedRay, crossingTime, shearRay, UNCERTAIN } from '../cpu/parts/ray-triangle.ts';
import { CORE_POINT, STATUS_OVERLAPPING } from '../generated/constants.ts';
import type { BodyMotion } from '../records/bodies.ts';
import type { QueryRequest } from '../request/backend.ts';
import type { Mesh } from '../shapes/parts.ts';
import type { Rest, Work } from '../util/turns.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { isRotating, partImpact } from '../cpu/parts/part-impacts.ts';
import type { BodyPlace } from '../cpu/parts/part-place.ts';
import { treeOf } from './part-sources.ts';
import { triangleNormal } from './surface-normals.ts';
import { MOTION_SLACK, type BodySweep } from './sweep-bodies.ts';
import type { KnownAnswer } from './known-answer.ts';

/**
 * Finds the first impact of the bodies at `places`, whose motion is `sweep`. If they do not meet, writes that.
 * `known.hasNormal` says whether the normal is that of a triangle, as the surface of a mesh has it.
 */
export type FindFirstImpact = (bodyA: number, bodyB: number, known: KnownAnswer) => Rest;

/** A ball is a point if its radius and the margin are less than this share of the mesh's size. */
const POINT_RADIUS = 2 ** -40;

export function createFirstImpact(
  { margin, leadStage }: Pick<QueryRequest, 'margin' | 'leadStage'>,
  motion: BodyMotion,
  places: PairPlaces,
  sweep: BodySweep,
  walk: Walk,
): FindFirstImpact {
  const impact = createPairResult();
  const ray = { origin: new Float64Array(3), direction: new Float64Array(3), maxTime: 0, radius: 0 };
  const sheared = createShearedRay();
  const hit: RayHit = { time: 0, part: 0 };
  const vector = vec3();
  const normal = vec3();
  const face = new Float64Array(3);

  /** Tries all parts whose boxes can meet. */
  function* sweepParts(bodyA: number, bodyB: number, known: KnownAnswer): Work<void> {
    const { a, b } = places;
    const { result } = known;
    const visit = (partA: number, partB: number, earliest: number): number => {
      partImpact(places, partA, partB, bodyA, bodyB, motion, margin, leadStage, impact, earliest);
      const time = impact.unclampedTime;
      const isTie = time === result.unclampedTime && time < Infinity;
      const isLower = partA < known.partA || (partA === known.partA && partB < known.partB);
      if (time < result.unclampedTime || (isTie && isLower)) {
        copyImpact(impact, result);
        known.partA = partA;
        known.partB = partB;
      }
      // Of parts that overlap at the start, those that have overlapped longest count.
      return Math.max(result.unclampedTime, 0);
    };
    yield* findSweptPairs(treeOf(a.shape), treeOf(b.shape), sweep, visit, walk);
  }

  /** Whether one body is a mesh and the other a point, and neither changes the direction from which they meet. */
  function isRay(place: BodyPlace, meshBody: number, point: BodyPlace): boolean {
    const { shape, scale: size } = place;
    return (
      shape.parts?.type === 'mesh' &&
      point.shape.kind === CORE_POINT &&
      !isRotating(motion, meshBody) &&
      point.shape.radius * point.scale + margin <= POINT_RADIUS * shape.boundingRadius * size
    );
  }

  /** Writes the point's motion in the frame of the mesh. `sign` is 1 if the mesh is A. */
  function setRay(place: BodyPlace, sign: number): void {
    const { velocity } = sweep.moment;
    const { a, offset } = places;
    transformBack(place.rotation, offset, vector);
    scale(vector, sign / place.scale, vector);
    ray.origin[0] = vector.x;
    ray.origin[1] = vector.y;
    ray.origin[2] = vector.z;
    set(velocity[0], velocity[1], velocity[2], vector);
    if (sign < 0) transformBack(place.rotation, transform(a.rotation, vector, vector), vector);
    scale(vector, sign / place.scale, vector);
    ray.direction[0] = vector.x;
    ray.direction[1] = vector.y;
    ray.direction[2] = vector.z;
    ray.maxTime = sweep.duration;
  }

  /** Writes a triangle's normal, against the ray. Returns how fast the ray closes in along it. */
  function closingSpeed(ofMesh: Mesh, triangle: number): number {
    triangleNormal(ofMesh, triangle, face);
    const { direction } = ray;
    const along = face[0] * direction[0] + face[1] * direction[1] + face[2] * direction[2];
    const side = along > 0 ? -1 : 1;
    set(side * face[0], side * face[1], side * face[2], normal);
    return Math.abs(along);
  }

  /** What the ray is followed to, for the functions below. */
  let mesh: Mesh;
  let isMeshA = true;
  let tolerance = 0;
  /** Triangles whose times the reference decided. */
  const uncertain: number[] = [];
  let firstBody = 0;
  let secondBody = 0;

  /** The time of a crossing within the motion, Infinity if there is none, `UNCERTAIN` if the reference has to decide. */
  function timeOfCrossing(triangle: number): number {
    const time = crossingTime(mesh, triangle, sheared);
    if (time === Infinity || time === UNCERTAIN) return time;
    const speed = closingSpeed(mesh, triangle);
    const first = time * speed;
    const last = (ray.maxTime - time) * speed;
    if (first > tolerance && last > tolerance) return time;
    return first < -tolerance || last < -tolerance ? Infinity : UNCERTAIN;
  }

  function decide(triangle: number): void {
    const [partA, partB] = isMeshA ? [triangle, 0] : [0, triangle];
    partImpact(places, partA, partB, firstBody, secondBody, motion, margin, leadStage, impact);
  }

  function timeOf(triangle: number): number {
    const time = timeOfCrossing(triangle);
    if (time !== UNCERTAIN) return time;
    uncertain.push(triangle);
    decide(triangle);
    return Math.max(impact.unclampedTime, 0);
  }

  /** Follows a point to the first triangle. Where it only just touches one, the reference decides. */
  function followRay(bodyA: number, bodyB: number, isAMesh: boolean, known: KnownAnswer): Rest {
    const place = isAMesh ? places.a : places.b;
    const { shape } = place;
    const { origin } = ray;
    mesh = shape.parts as Mesh;
    isMeshA = isAMesh;
    firstBody = bodyA;
    secondBody = bodyB;
    tolerance = MOTION_SLACK * (shape.boundingRadius + Math.abs(origin[0]) + Math.abs(origin[1]) + Math.abs(origin[2]));
    shearRay(ray, sheared);
    uncertain.length = 0;
    const rest = castRay(rayTreeOf(mesh), ray, timeOf, hit, walk);
    if (rest) return followOn(rest, place, known);
    writeHit(place, known);
    return undefined;
  }

  function* followOn(rest: Work<void>, place: BodyPlace, known: KnownAnswer): Work<void> {
    yield* rest;
    writeHit(place, known);
  }

  function writeHit(place: BodyPlace, known: KnownAnswer): void {
    known.hasNormal = true;
    if (hit.part < 0) return;
    known.partA = isMeshA ? hit.part : 0;
    known.partB = isMeshA ? 0 : hit.part;
    if (!uncertain.includes(hit.part)) return writeCrossing(place, known.result);
    decide(hit.part);
    copyImpact(impact, known.result);
    known.hasNormal = false;
  }

  function writeCrossing({ rotation, scale: factor }: BodyPlace, to: PairResult): void {
    decided(0, 0, 1, to);
    to.status = STATUS_OVERLAPPING;
    to.hasPoints = true;
    to.unclampedTime = hit.time;
    closingSpeed(mesh, hit.part);
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
    const { positions, indices } = mesh;
    const corner = 3 * indices[3 * hit.part];
    set(positions[corner], positions[corner + 1], positions[corner + 2], vector);
    addScaled(to.pointA, normal, dot(normal, vector) - dot(normal, to.pointA), to.pointA);
    transform(rotation, scale(to.pointA, factor, to.pointA), to.pointA);
  }

  return (bodyA, bodyB, known) => {
    const { a, b } = places;
    decided(1, 0, 1, known.result);
    known.result.unclampedTime = Infinity;
    known.partA = known.partB = 0;
    known.hasNormal = false;
    const isAMesh = isRay(a, bodyA, b);
    if (isAMesh || isRay(b, bodyB, a)) {
      setRay(isAMesh ? a : b, isAMesh ? 1 : -1);
      const { direction } = ray;
      if (direction[0] !== 0 || direction[1] !== 0 || direction[2] !== 0) {
        return followRay(bodyA, bodyB, isAMesh, known);
      }
    }
    return sweepParts(bodyA, bodyB, known);
  };
}

function copyImpact(from: PairResult, to: PairResult): void {
  to.status = from.status;
  to.hit = from.hit;
  to.iterations = from.iterations;
  to.hasPoints = from.hasPoints;
  to.unclampedTime = from.unclampedTime;
  copy(from.normal, to.normal);
  copy(from.pointA, to.pointA);
}
