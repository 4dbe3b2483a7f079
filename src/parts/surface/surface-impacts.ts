/**
 * Impacts with meshes. The normal of an impact with a triangle that the mesh's surface does not accept (accepted-normal.ts) is
 * replaced by the triangle's own. An impact of bodies that do not rotate counts only if they approach along the normal: a body that
 * slides over flat ground passes the edges of triangles.
 */
import type { PosedBodies } from '../../api/bodies.ts';
import { addScaled, copy, dot, length, scale, set, transform, transformBack, vec3, type Vec3 } from '../../cpu/math.ts';
import { createPairPlaces, placePair, type PairPlaces } from '../../cpu/parts/pair-places.ts';
import { isRotating, setVelocity, turn } from '../../cpu/parts/part-impacts.ts';
import { createPartPlace, placePart } from '../../cpu/parts/part-place.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import type { AskedQuery } from '../../request/backend.ts';
import type { Mesh } from '../../shapes/parts.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { isAccepted } from './accepted-normal.ts';
import { NO_EDGE } from './edge-rings.ts';
import { surfaceOf } from './mesh-surface.ts';
import { createPartInMesh, greatestHeight, leastHeight, placeInMesh } from './part-in-mesh.ts';
import { FRONT_SLACK } from './first-pass.ts';
import { hasSurface, isMeshFirst } from './surface-pair.ts';

export interface SurfaceImpacts {
  /**
   * Corrects the normal of an impact of two parts of the bodies at the places. Returns false if the bodies do not approach along it, so
   * that the parts do not meet.
   */
  accept(partA: number, partB: number, to: PairResult): boolean;
  /** Does the same with a record. */
  acceptRecord(pair: number, partA: number, partB: number, floats: Float32Array): boolean;
}

/** Bodies approach if they do so along the normal by more than this share of their relative speed. */
const LEAST_APPROACH = 1e-6;

const place = createPartPlace();
const part = createPartInMesh();
const normal = vec3();
const inMesh = vec3();
const point = vec3();
const relative = vec3();
const velocity = vec3();
const lever = vec3();

/** For queries of impacts with meshes; undefined for others. The surfaces of all meshes are baked. `angle`: the error of normals. */
export function createSurfaceImpacts(
  { what, over }: AskedQuery,
  places: PairPlaces,
  angle: number,
): SurfaceImpacts | undefined {
  const { query, margin } = what;
  const { pairs, dimension, motion } = over;
  const table = over.shapes.shapes as readonly (ShapeData | undefined)[];
  if (query !== 'impacts' || !motion || !table.some((shape) => shape?.parts?.type === 'mesh')) return undefined;
  const { linear, angular, passesParting } = motion;
  const bodies = over.bodies as PosedBodies;
  const { impact } = dimension.records;
  const moved = createPairPlaces();
  /** Records may come while another pair is searched, which has its own places. */
  const recorded = createPairPlaces();

  /** Places the bodies at the time of an impact. Before the start, they moved without rotation. */
  function moveTo(from: PairPlaces, bodyA: number, bodyB: number, time: number): void {
    setVelocity(linear, bodyB, relative);
    setVelocity(linear, bodyA, velocity);
    addScaled(relative, velocity, -1, relative);
    addScaled(from.offset, relative, Number.isFinite(time) ? time : 0, moved.offset);
    const turning = Math.max(time, 0);
    setVelocity(angular, bodyA, velocity);
    turn(from.a, velocity, turning, moved.a);
    setVelocity(angular, bodyB, velocity);
    turn(from.b, velocity, turning, moved.b);
  }

  function decide(
    from: PairPlaces,
    partA: number,
    partB: number,
    time: number,
    to: { normal: Vec3; point: Vec3 },
  ): boolean {
    if (!hasSurface(from)) return true;
    const [bodyA, bodyB] = [pairs[2 * from.pair], pairs[2 * from.pair + 1]];
    moveTo(from, bodyA, bodyB, time);
    correct(moved, partA, partB, margin, angle, to);
    const isTurning = isRotating(motion!, bodyA) || isRotating(motion!, bodyB);
    // Bodies that overlap at the start have met, whatever their motion. Those that rotate may still hit the triangle later.
    if (isTurning || (time <= 0 && !passesParting)) return true;
    const speed = length(relative);
    return speed === 0 || dot(relative, to.normal) < -LEAST_APPROACH * speed;
  }

  return {
    accept(partA, partB, to) {
      if (!to.hit || !to.hasPoints) return true;
      return decide(places, partA, partB, to.unclampedTime, { normal: to.normal, point: to.pointA });
    },
    acceptRecord(pair, partA, partB, floats) {
      if (recorded.pair !== pair) {
        placePair(bodies, table, pairs[2 * pair], pairs[2 * pair + 1], recorded);
        recorded.pair = pair;
      }
      const [n, at] = [impact.normal, impact.point];
      set(floats[n], floats[n + 1], floats[n + 2], normal);
      if (normal.x === 0 && normal.y === 0 && normal.z === 0) return true;
      set(floats[at], floats[at + 1], floats[at + 2], point);
      if (!decide(recorded, partA, partB, floats[impact.unclampedTime], { normal, point })) return false;
      floats[n] = normal.x;
      floats[n + 1] = normal.y;
      floats[n + 2] = normal.z;
      return true;
    },
  };
}

/** Replaces a normal that the surface does not accept by that of the triangle, on the side with less of the part behind it. */
function correct(
  places: PairPlaces,
  partA: number,
  partB: number,
  margin: number,
  angle: number,
  to: { normal: Vec3; point: Vec3 },
): void {
  const isMeshA = isMeshFirst(places);
  const mesh = isMeshA ? places.a : places.b;
  const surface = surfaceOf(mesh.shape.parts as Mesh);
  const triangle = isMeshA ? partA : partB;
  if (surface.rings[3 * triangle] === NO_EDGE) return;
  const sign = isMeshA ? 1 : -1;
  transformBack(mesh.rotation, scale(to.normal, sign, inMesh), inMesh);
  copy(to.point, lever);
  // On B's surface.
  if (!isMeshA) addScaled(addScaled(lever, to.normal, margin, lever), places.offset, -1, lever);
  scale(transformBack(mesh.rotation, lever, lever), 1 / mesh.scale, lever);
  const at = 3 * triangle;
  const { isFront, positions, indices } = surface.mesh;
  const { normals } = surface;
  const isBehind = inMesh.x * normals[at] + inMesh.y * normals[at + 1] + inMesh.z * normals[at + 2] < -FRONT_SLACK;
  if (!(isFront && isBehind) && isAccepted(surface, triangle, inMesh, lever, angle)) return;
  placePart(isMeshA ? places.b : places.a, isMeshA ? partB : partA, true, place);
  placeInMesh(mesh, place, scale(places.offset, sign, lever), part);
  set(normals[at], normals[at + 1], normals[at + 2], inMesh);
  const corner = 3 * indices[at];
  const plane = positions[corner] * inMesh.x + positions[corner + 1] * inMesh.y + positions[corner + 2] * inMesh.z;
  const below = plane - leastHeight(part, inMesh);
  const side = isFront || below <= greatestHeight(part, inMesh) - plane ? sign : -sign;
  transform(mesh.rotation, scale(inMesh, side, inMesh), to.normal);
}
