/** Records of contacts with parts of a surface, between the passes: flat, one per such part and convex part (first-pass.ts). */
import { set, vec3, type Vec3 } from '../../cpu/math.ts';
import { allocate } from '../../util/arrays.ts';

/** What a record proposes. */
export const KIND_KEPT = 0;
/** The kernel's contact, whose normal was made exact. */
export const KIND_EXACT = 1;
export const KIND_FACE = 2;
export const KIND_EDGE = 3;
export const KIND_VERTEX = 4;
/** Nothing: other triangles have the contact. */
export const KIND_NONE = 5;
/** The triangle is too thin to have a normal. */
export const KIND_THIN = 6;

/** One contact, in the mesh's frame and unit. Depths are positive, gaps negative. */
export interface ContactRecord {
  kind: number;
  part: number;
  /** The kernel's signed depth. */
  depth: number;
  /** Accepted unit normal, from the mesh to the part; the plane of the triangle's feature along it. */
  readonly normal: Vec3;
  plane: number;
  /** How far the part moves along the normal until it is beyond the plane. */
  clearance: number;
  /** How far it moves until it leaves the feature: the contact's depth. */
  exit: number;
  /** How far it moves until it leaves the triangle. */
  travel: number;
  /** On the mesh, where it leaves the feature. */
  readonly point: Vec3;
  /** For a face within flat ground, that goes on below the deepest point of the part: the clearance, and the point there; else 0. */
  full: number;
  readonly fullPoint: Vec3;
  /** A shorter way beyond another plane, whose feature the part does not pass; 0 without. */
  otherClearance: number;
  readonly otherNormal: Vec3;
  otherPlane: number;
}

export function createContactRecord(): ContactRecord {
  return {
    kind: KIND_NONE,
    part: 0,
    depth: 0,
    normal: vec3(),
    plane: 0,
    clearance: 0,
    exit: 0,
    travel: 0,
    point: vec3(),
    full: 0,
    fullPoint: vec3(),
    otherClearance: 0,
    otherNormal: vec3(),
    otherPlane: 0,
  };
}

/** Records as numbers: `RECORD_SIZE` each, at the offsets `AT_`. */
export interface RecordList {
  count: number;
  values: Float64Array;
}

export const RECORD_SIZE = 24;
export const AT_KIND = 0;
export const AT_PART = 1;
export const AT_DEPTH = 2;
export const AT_NORMAL = 3;
export const AT_PLANE = 6;
export const AT_CLEARANCE = 7;
export const AT_EXIT = 8;
export const AT_TRAVEL = 9;
export const AT_POINT = 10;
export const AT_FULL = 13;
export const AT_FULL_POINT = 14;
export const AT_OTHER_CLEARANCE = 17;
export const AT_OTHER_NORMAL = 18;
export const AT_OTHER_PLANE = 21;
/** What the second pass finds: the least clearance of other contacts that clear the triangle, and whether the record is dropped. */
export const AT_LEAST = 22;
export const AT_DROPPED = 23;

export function createRecordList(): RecordList {
  return { count: 0, values: new Float64Array(8 * RECORD_SIZE) };
}

/** Appends a record. Returns its number. */
export function appendRecord(list: RecordList, record: ContactRecord): number {
  const at = RECORD_SIZE * list.count;
  if (at === list.values.length) {
    const grown = allocate('contacts with the mesh', Float64Array, 2 * at);
    grown.set(list.values);
    list.values = grown;
  }
  writeRecordAt(list.values, at, record);
  return list.count++;
}

/** Writes a record, as not judged. `at`: where its numbers begin. */
export function writeRecordAt(values: Float64Array, at: number, record: ContactRecord): void {
  values[at + AT_KIND] = record.kind;
  values[at + AT_PART] = record.part;
  values[at + AT_DEPTH] = record.depth;
  writeVector(record.normal, values, at + AT_NORMAL);
  values[at + AT_PLANE] = record.plane;
  values[at + AT_CLEARANCE] = record.clearance;
  values[at + AT_EXIT] = record.exit;
  values[at + AT_TRAVEL] = record.travel;
  writeVector(record.point, values, at + AT_POINT);
  values[at + AT_FULL] = record.full;
  writeVector(record.fullPoint, values, at + AT_FULL_POINT);
  values[at + AT_OTHER_CLEARANCE] = record.otherClearance;
  writeVector(record.otherNormal, values, at + AT_OTHER_NORMAL);
  values[at + AT_OTHER_PLANE] = record.otherPlane;
  values[at + AT_LEAST] = Infinity;
  values[at + AT_DROPPED] = 0;
}

function writeVector({ x, y, z }: Vec3, to: Float64Array, at: number): void {
  to[at] = x;
  to[at + 1] = y;
  to[at + 2] = z;
}

export function readVector(from: Float64Array, at: number, to: Vec3): Vec3 {
  return set(from[at], from[at + 1], from[at + 2], to);
}
