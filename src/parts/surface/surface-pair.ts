/**
 * A body with a surface and another body, whose parts are convex: their contacts from the world into the surface's frame, for the
 * passes, and back. Distances are negative where parts overlap; depths in records are positive.
 *
 * If both bodies have a surface, one leads (leading-surface.ts). A contact also has to be accepted by the other one.
 */
import { feature } from '../../cpu/feature.ts';
import { addScaled, copy, scale, set, transform, transformBack, vec3, type Vec3 } from '../../cpu/math.ts';
import { createPair } from '../../cpu/pair.ts';
import { movePoints } from '../../cpu/parts/answer-parts.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../../cpu/parts/part-place.ts';
import { manifoldOfContact } from '../../cpu/queries/manifolds.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import { STATUS_OVERLAPPING, STATUS_SEPARATED } from '../../generated/constants.ts';
import { isAccepted } from './accepted-normal.ts';
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
  KIND_NONE,
  readVector,
  RECORD_SIZE,
  type ContactRecord,
} from './contact-records.ts';
import { highestCorner, isBehindFront, proposeContact, type GivenContact, type PassOptions } from './first-pass.ts';
import { followingSurface, isSurfaceFirst, surfaceOfPair, surfacePlaceOf } from './leading-surface.ts';
import { createPartInMesh, leastHeight, placeInMesh, type PartInMesh } from './part-in-mesh.ts';
import { isPlain, surfaceOf } from './surface.ts';

/** Errors of normals of the reference and of kernels, in radians. */
export const REFERENCE_ANGLE = 2e-6;
export const KERNEL_ANGLE = 2e-4;

/** Gaps that differ by less than this share of the bodies' sizes are the same. */
const SAME_GAP = 1e-6;

const placeA = createPartPlace();
const placeB = createPartPlace();
const part = createPartInMesh();
const given: GivenContact = { normal: vec3(), depth: 0, point: vec3() };
const options: PassOptions = { margin: 0, angle: 0, isGivenOnly: false };
const toPart = vec3();
const second = createContactRecord();

/** A contact of two parts in world axes: from A to B, points relative to A's position. As records have it, in f32. */
export interface PartContact {
  readonly normal: Vec3;
  distance: number;
  /** On A. */
  readonly point: Vec3;
}

const agreed: PartContact = { normal: vec3(), distance: 0, point: vec3() };

/** What a first pass is asked for. `margin`: in the world's unit. */
export interface Asked {
  margin: number;
  /** The error of normals, in radians. */
  angle: number;
  isGivenOnly?: boolean;
}

/** Places the part of the other body in the frame of a surface, which is body A's or B's. The next call overwrites what is returned. */
export function placeOther({ a, b, offset }: PairPlaces, isFirst: boolean, partA: number, partB: number): PartInMesh {
  const place = isFirst ? placeB : placeA;
  placePart(isFirst ? b : a, isFirst ? partB : partA, true, place);
  placeInMesh(isFirst ? a : b, place, scale(offset, isFirst ? 1 : -1, toPart), part);
  return part;
}

/** Writes a contact to `given`, as the surface of body A or B sees it. */
function seeContact({ a, b, offset }: PairPlaces, isFirst: boolean, { normal, distance, point }: PartContact): void {
  const { rotation, scale: size } = isFirst ? a : b;
  transformBack(rotation, scale(normal, isFirst ? 1 : -1, given.normal), given.normal);
  copy(point, given.point);
  if (!isFirst) addScaled(addScaled(given.point, normal, distance, given.point), offset, -1, given.point);
  scale(transformBack(rotation, given.point, given.point), 1 / size, given.point);
  given.depth = -distance / size;
}

/** The first pass over a contact of two parts of a pair that `hasSurface`. */
export function proposeForPair(
  places: PairPlaces,
  partA: number,
  partB: number,
  contact: PartContact,
  asked: Asked,
  to: ContactRecord,
): void {
  const isFirst = isSurfaceFirst(places);
  proposeOn(places, isFirst, [partA, partB], contact, asked, to);
  const other = followingSurface(places);
  if (!other || to.kind >= KIND_NONE || isPlain(other, isFirst ? partB : partA)) return;
  readContact(places, isFirst, to, agreed);
  if (isAcceptedBy(places, !isFirst, [partA, partB], agreed, asked.angle)) return;
  to.kind = KIND_NONE;
  if (!asked.isGivenOnly) proposeByOther(places, [partA, partB], contact, asked, to);
}

function proposeOn(
  places: PairPlaces,
  isFirst: boolean,
  [partA, partB]: readonly [number, number],
  contact: PartContact,
  { margin, angle, isGivenOnly = false }: Asked,
  to: ContactRecord,
): void {
  placeOther(places, isFirst, partA, partB);
  seeContact(places, isFirst, contact);
  const { shape, scale: size } = isFirst ? places.a : places.b;
  options.margin = margin / size;
  options.angle = angle;
  options.isGivenOnly = isGivenOnly;
  proposeContact(surfaceOf(shape)!, isFirst ? partA : partB, part, given, options, to);
}

/** Whether the surface of body A or B accepts a contact. */
export function isAcceptedBy(
  places: PairPlaces,
  isFirst: boolean,
  [partA, partB]: readonly [number, number],
  contact: PartContact,
  angle: number,
): boolean {
  const surface = surfaceOf((isFirst ? places.a : places.b).shape)!;
  const own = isFirst ? partA : partB;
  if (isPlain(surface, own)) return true;
  seeContact(places, isFirst, contact);
  return !isBehindFront(surface, own, given.normal) && isAccepted(surface, own, given.normal, given.point, angle);
}

/** Where the surface that follows does not accept what the leading one proposes: what it proposes itself, if that is accepted. */
function proposeByOther(
  places: PairPlaces,
  parts: readonly [number, number],
  contact: PartContact,
  asked: Asked,
  to: ContactRecord,
): void {
  const isFirst = isSurfaceFirst(places);
  proposeOn(places, !isFirst, parts, contact, asked, second);
  if (second.kind >= KIND_NONE || second.kind <= KIND_EXACT) return;
  readContact(places, !isFirst, second, agreed);
  if (!isAcceptedBy(places, isFirst, parts, agreed, asked.angle)) return;
  placeOther(places, isFirst, ...parts);
  seeContact(places, isFirst, agreed);
  const { outline } = surfaceOfPair(places);
  to.kind = second.kind;
  copy(given.normal, to.normal);
  copy(given.point, to.point);
  to.plane = highestCorner(outline, isFirst ? parts[0] : parts[1], to.normal);
  to.clearance = to.plane - leastHeight(part, to.normal);
  to.exit = to.travel = given.depth;
  to.full = to.otherClearance = 0;
}

/** Writes the contact of a record, which the surface of body A or B proposes. */
function readContact({ a, b, offset }: PairPlaces, isFirst: boolean, record: ContactRecord, to: PartContact): void {
  const { rotation, scale: size } = isFirst ? a : b;
  scale(transform(rotation, record.normal, to.normal), isFirst ? 1 : -1, to.normal);
  to.distance = -record.exit * size;
  transform(rotation, scale(record.point, size, to.point), to.point);
  if (!isFirst) addScaled(addScaled(to.point, offset, 1, to.point), to.normal, -to.distance, to.point);
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
  const { rotation } = surfacePlaceOf(places);
  transform(rotation, readVector(values, at + AT_NORMAL, to.normal), to.normal);
  if (!isSurfaceFirst(places)) scale(to.normal, -1, to.normal);
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
  const mesh = surfacePlaceOf(places);
  placePart(a, partA, true, placeA);
  placePart(b, partB, true, placeB);
  pairOfParts(placeA, placeB, offset, pair);
  to.distance = to.lower = to.upper = -values[at + AT_EXIT] * mesh.scale;
  to.status = to.distance <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  to.hit = to.hasPoints = true;
  transform(mesh.rotation, scale(readVector(values, at + AT_POINT, onMesh), mesh.scale, onMesh), onMesh);
  if (isSurfaceFirst(places)) copy(onMesh, to.pointA);
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
  if (gap.kind === KIND_FACE && -gap.exit * surfacePlaceOf(places).scale - distance > SAME_GAP * size) return;
  gapList.count = 0;
  const { iterations } = to;
  if (writeNormal(places, gapList.values, appendRecord(gapList, gap), to) !== FATE_NEW) return;
  writeContact(places, { partA, partB, margin: undefined }, gapList.values, 0, to);
  to.iterations = iterations;
}
