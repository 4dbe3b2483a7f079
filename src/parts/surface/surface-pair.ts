/**
 * A body with a surface and another body, whose parts are convex: their contacts from the world into the surface's frame, for the
 * passes, and back. Distances are negative where parts overlap; depths in records are positive.
 */
import { addScaled, copy, scale, transform, transformBack, vec3 } from '../../cpu/math.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { BodyPlace } from '../../cpu/parts/part-place.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import { STATUS_OVERLAPPING, STATUS_SEPARATED } from '../../generated/constants.ts';
import type { PartPlaces } from '../part-geometry.ts';
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
} from './contact-records.ts';
import type { Asked, GivenContact, PartContact, PartsOfContact, PassOptions } from './surface-rule.ts';

/** Gaps that differ by less than this share of the bodies' sizes are the same. */
const SAME_GAP = 1e-6;

/** The body of a pair with the surface that decides. */
export function surfacePlaceOf(places: PartPlaces): BodyPlace {
  return places.geometry.surface.isFirst(places) ? places.a : places.b;
}

/** Writes a contact of two parts as the surface of body A or B sees it. */
export function seeContact(
  { a, b, offset }: PairPlaces,
  isFirst: boolean,
  { normal, distance, point }: PartContact,
  to: GivenContact,
): void {
  const { rotation, scale: size } = isFirst ? a : b;
  transformBack(rotation, scale(normal, isFirst ? 1 : -1, to.normal), to.normal);
  copy(point, to.point);
  if (!isFirst) addScaled(addScaled(to.point, normal, distance, to.point), offset, -1, to.point);
  scale(transformBack(rotation, to.point, to.point), 1 / size, to.point);
  to.depth = -distance / size;
}

/** Writes what is asked in the unit of the surface of body A or B. */
export function seeAsked(
  { a, b }: PairPlaces,
  isFirst: boolean,
  { margin, isGivenOnly = false }: Asked,
  to: PassOptions,
): void {
  to.margin = margin / (isFirst ? a : b).scale;
  to.isGivenOnly = isGivenOnly;
}

/** How a contact comes out of the passes. */
export const FATE_SAME = 0;
/** It has another normal only, which is written. */
export const FATE_TURNED = 1;
/** It has another normal, distance and points. */
export const FATE_NEW = 2;

const onSurface = vec3();

/** Writes what the record at number `record` says about a contact of a pair. */
export function writeNormal(places: PartPlaces, values: Float64Array, record: number, to: PairResult): number {
  const at = RECORD_SIZE * record;
  const kind = values[at + AT_KIND];
  if (kind === KIND_KEPT) return FATE_SAME;
  const { rotation } = surfacePlaceOf(places);
  transform(rotation, readVector(values, at + AT_NORMAL, to.normal), to.normal);
  if (!places.geometry.surface.isFirst(places)) scale(to.normal, -1, to.normal);
  return kind === KIND_EXACT ? FATE_TURNED : FATE_NEW;
}

/** Writes the contact of a record whose normal was written: points are relative to A's position. */
export function writeContact(
  places: PartPlaces,
  parts: PartsOfContact,
  values: Float64Array,
  record: number,
  to: PairResult,
): void {
  const at = RECORD_SIZE * record;
  const { surface } = places.geometry;
  const place = surfacePlaceOf(places);
  to.distance = to.lower = to.upper = -values[at + AT_EXIT] * place.scale;
  to.status = to.distance <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  to.hit = to.hasPoints = true;
  to.pointCount = 0;
  transform(place.rotation, scale(readVector(values, at + AT_POINT, onSurface), place.scale, onSurface), onSurface);
  if (surface.isFirst(places)) copy(onSurface, to.pointA);
  else addScaled(addScaled(onSurface, places.offset, 1, to.pointA), to.normal, -to.distance, to.pointA);
  addScaled(to.pointA, to.normal, to.distance, to.pointB);
  surface.finishContact(places, parts, to);
}

const gap = createContactRecord();
const gapList = createRecordList();

/**
 * Makes the normal of a gap exact where that is the face's, but for the errors of the kernel: of curved shapes these may be large beside
 * a small gap. `to` is the contact of the nearest parts.
 */
export function makeGapExact(places: PartPlaces, partA: number, partB: number, margin: number, to: PairResult): void {
  const { normal, distance, pointA } = to;
  const contact = { normal, distance, point: pointA };
  places.geometry.surface.propose(places, [partA, partB], contact, { margin }, gap);
  if (gap.kind !== KIND_EXACT && gap.kind !== KIND_FACE) return;
  const size = places.a.shape.boundingRadius * places.a.scale + places.b.shape.boundingRadius * places.b.scale;
  if (gap.kind === KIND_FACE && -gap.exit * surfacePlaceOf(places).scale - distance > SAME_GAP * size) return;
  gapList.count = 0;
  const { iterations } = to;
  if (writeNormal(places, gapList.values, appendRecord(gapList, gap), to) !== FATE_NEW) return;
  writeContact(places, { partA, partB, margin: undefined }, gapList.values, 0, to);
  to.iterations = iterations;
}
