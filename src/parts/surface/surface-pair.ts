/**
 * A mesh and another body, whose parts are convex: their contacts from the world into the mesh's frame, for the passes, and back.
 * Distances are negative where parts overlap; depths in records are positive.
 */
import { feature } from '../../cpu/feature.ts';
import { addScaled, copy, scale, set, transform, transformBack, vec3, type Vec3 } from '../../cpu/math.ts';
import { createPair } from '../../cpu/pair.ts';
import { movePoints } from '../../cpu/parts/answer-parts.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart, type BodyPlace } from '../../cpu/parts/part-place.ts';
import { manifoldOfContact } from '../../cpu/queries/manifolds.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import { CORE_HALFSPACE, STATUS_OVERLAPPING, STATUS_SEPARATED } from '../../generated/constants.ts';
import type { Mesh } from '../../shapes/parts.ts';
import {
  appendRecord,
  AT_EXIT,
  AT_KIND,
  AT_NORMAL,
  AT_POINT,
  createContactRecord,
  createRecordList,
  KIND_EXACT,
  KIND_FACE,
  KIND_KEPT,
  readVector,
  RECORD_SIZE,
  type ContactRecord,
} from './contact-records.ts';
import { proposeContact, type GivenContact, type PassOptions } from './first-pass.ts';
import { surfaceOf, type MeshSurface } from './mesh-surface.ts';
import { createPartInMesh, placeInMesh } from './part-in-mesh.ts';

/** Errors of normals of the reference and of kernels, in radians. */
export const REFERENCE_ANGLE = 2e-6;
export const KERNEL_ANGLE = 2e-4;

/** Gaps that differ by less than this share of the bodies' sizes are the same. */
const SAME_GAP = 1e-6;

/** Whether one body is a mesh and the other is bounded and not a mesh: then the mesh's surface decides about their contacts. */
export function hasSurface({ a, b }: PairPlaces): boolean {
  const isMeshA = a.shape.parts?.type === 'mesh';
  if (isMeshA === (b.shape.parts?.type === 'mesh')) return false;
  return (isMeshA ? b : a).shape.kind !== CORE_HALFSPACE;
}

/** Whether a pair that `hasSurface` has the mesh as its body A. */
export function isMeshFirst({ a }: PairPlaces): boolean {
  return a.shape.parts?.type === 'mesh';
}

export function meshPlaceOf(places: PairPlaces): BodyPlace {
  return isMeshFirst(places) ? places.a : places.b;
}

export function surfaceOfPair(places: PairPlaces): MeshSurface {
  return surfaceOf(meshPlaceOf(places).shape.parts as Mesh);
}

const placeA = createPartPlace();
const placeB = createPartPlace();
const part = createPartInMesh();
const given: GivenContact = { normal: vec3(), depth: 0, point: vec3() };
const options: PassOptions = { margin: 0, angle: 0, isFront: false, isGivenOnly: false };
const toPart = vec3();

/** A contact of two parts in world axes: from A to B, points relative to A's position. As records have it, in f32. */
export interface PartContact {
  readonly normal: Vec3;
  distance: number;
  /** On A. */
  readonly point: Vec3;
}

/** The first pass over a contact of two parts of a pair that `hasSurface`. */
export function proposeForPair(
  places: PairPlaces,
  partA: number,
  partB: number,
  contact: PartContact,
  { margin, angle, isGivenOnly = false }: { margin: number; angle: number; isGivenOnly?: boolean },
  to: ContactRecord,
): void {
  const isMeshA = isMeshFirst(places);
  const mesh = isMeshA ? places.a : places.b;
  const other = isMeshA ? places.b : places.a;
  const place = isMeshA ? placeB : placeA;
  placePart(other, isMeshA ? partB : partA, true, place);
  const sign = isMeshA ? 1 : -1;
  placeInMesh(mesh, place, scale(places.offset, sign, toPart), part);
  transformBack(mesh.rotation, scale(contact.normal, sign, given.normal), given.normal);
  copy(contact.point, given.point);
  if (!isMeshA) {
    addScaled(given.point, contact.normal, contact.distance, given.point);
    addScaled(given.point, places.offset, -1, given.point);
  }
  scale(transformBack(mesh.rotation, given.point, given.point), 1 / mesh.scale, given.point);
  given.depth = -contact.distance / mesh.scale;
  options.margin = margin / mesh.scale;
  options.angle = angle;
  options.isGivenOnly = isGivenOnly;
  const surface = surfaceOfPair(places);
  options.isFront = surface.mesh.isFront;
  proposeContact(surface, isMeshA ? partA : partB, part, given, options, to);
}

/** How a contact comes out of the passes. */
export const FATE_SAME = 0;
/** It has another normal only, which is written. */
export const FATE_TURNED = 1;
/** It has another normal, distance and points. */
export const FATE_NEW = 2;

const onMesh = vec3();

/** Writes what the record at number `record` says about a contact of a pair. */
export function writeNormal(places: PairPlaces, values: Float64Array, record: number, to: PairResult): number {
  const at = RECORD_SIZE * record;
  const kind = values[at + AT_KIND];
  if (kind === KIND_KEPT) return FATE_SAME;
  const { rotation } = meshPlaceOf(places);
  transform(rotation, readVector(values, at + AT_NORMAL, to.normal), to.normal);
  if (!isMeshFirst(places)) scale(to.normal, -1, to.normal);
  return kind === KIND_EXACT ? FATE_TURNED : FATE_NEW;
}

const pair = createPair();
const direction = vec3();

/** Which two parts, and with which margin their manifold is cut; without, there is none. */
export interface PartsOfContact {
  partA: number;
  partB: number;
  margin: number | undefined;
}

/** Writes the contact of a record whose normal was written: points are relative to A's position. */
export function writeContact(
  places: PairPlaces,
  { partA, partB, margin }: PartsOfContact,
  values: Float64Array,
  record: number,
  to: PairResult,
): void {
  const { a, b, offset } = places;
  const at = RECORD_SIZE * record;
  const mesh = meshPlaceOf(places);
  placePart(a, partA, true, placeA);
  placePart(b, partB, true, placeB);
  pairOfParts(placeA, placeB, offset, pair);
  to.distance = to.lower = to.upper = -values[at + AT_EXIT] * mesh.scale;
  to.status = to.distance <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  to.hit = to.hasPoints = true;
  transform(mesh.rotation, scale(readVector(values, at + AT_POINT, onMesh), mesh.scale, onMesh), onMesh);
  if (isMeshFirst(places)) copy(onMesh, to.pointA);
  else addScaled(addScaled(onMesh, offset, 1, to.pointA), to.normal, -to.distance, to.pointA);
  // Relative to the part, as the pair is.
  addScaled(to.pointA, placeA.offset, -1, to.pointA);
  addScaled(to.pointA, to.normal, to.distance, to.pointB);
  transformBack(pair.rotationA, to.normal, direction);
  to.featureA = feature(placeA.shape, pair.coreA, direction);
  transformBack(pair.rotation, set(-direction.x, -direction.y, -direction.z, direction), direction);
  to.featureB = feature(placeB.shape, pair.coreB, direction);
  if (margin !== undefined) manifoldOfContact(pair, placeA.shape, placeB.shape, margin, to);
  else to.pointCount = 0;
  movePoints(to, placeA.offset);
}

const gap = createContactRecord();
const gapList = createRecordList();

/**
 * Makes the normal of a gap exact where that is the face's, but for the errors of the kernel: of curved shapes these may be large beside
 * a small gap. `to` is the contact of the nearest parts.
 */
export function makeGapExact(places: PairPlaces, partA: number, partB: number, margin: number, to: PairResult): void {
  const { normal, distance, pointA } = to;
  const contact = { normal, distance, point: pointA };
  proposeForPair(places, partA, partB, contact, { margin, angle: REFERENCE_ANGLE }, gap);
  if (gap.kind !== KIND_EXACT && gap.kind !== KIND_FACE) return;
  const size = places.a.shape.boundingRadius * places.a.scale + places.b.shape.boundingRadius * places.b.scale;
  if (gap.kind === KIND_FACE && -gap.exit * meshPlaceOf(places).scale - distance > SAME_GAP * size) return;
  gapList.count = 0;
  const { iterations } = to;
  if (writeNormal(places, gapList.values, appendRecord(gapList, gap), to) !== FATE_NEW) return;
  writeContact(places, { partA, partB, margin: undefined }, gapList.values, 0, to);
  to.iterations = iterations;
}
