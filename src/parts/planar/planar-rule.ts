/** The rule of surfaces in 2-D: that of chains, and of compounds of several parts. */
import { copy, scale, set, transform, vec3, type Vec3 } from '../../cpu/math.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { BodyPlace } from '../../cpu/parts/part-place.ts';
import { finishPlanarContact, planarShapeOf } from '../../cpu/parts/planar-parts.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { treeOf } from '../../bvh/kept-trees.ts';
import type { Work } from '../../util/turns.ts';
import {
  AT_DEPTH,
  AT_PART,
  createContactRecord,
  KIND_NONE,
  RECORD_SIZE,
  writeRecordAt,
} from '../surface/contact-records.ts';
import { chooseDeepest } from '../surface/deepest-record.ts';
import { judgeContacts } from '../surface/second-pass.ts';
import { seeAsked, seeContact } from '../surface/surface-pair.ts';
import {
  REFERENCE_ANGLE,
  type Asked,
  type GivenContact,
  type ImpactContact,
  type PartContact,
  type PartContacts,
  type PassOptions,
  type SurfaceNormal,
  type SurfaceRule,
} from '../surface/surface-rule.ts';
import { faceAlong, isAccepted, makeExact } from './accepted-normal.ts';
import { facesOf, type Face } from './exposed-faces.ts';
import { createOutline, leastHeight, placeOutline } from './outline.ts';
import { proposeBuried, proposeContact } from './planar-first-pass.ts';
import { isSurface, prepareSurface, surfaceOf, type PlanarSurface } from './planar-surface.ts';

function shapeOf(shape: ShapeData): PlanarShapeData {
  return planarShapeOf({ shape });
}

function isChain({ shape }: BodyPlace): boolean {
  return shapeOf(shape).parts?.type === 'chain';
}

/** Two chains meet with all their normals, as two meshes do. */
function hasSurface({ a, b }: PairPlaces): boolean {
  if (isChain(a) && isChain(b)) return false;
  return isSurface(shapeOf(a.shape)) || isSurface(shapeOf(b.shape));
}

/** A chain's surface decides; of two compounds, that of the larger. */
function isFirst({ a, b }: PairPlaces): boolean {
  if (isChain(a) || isChain(b)) return isChain(a);
  const [isA, isB] = [isSurface(shapeOf(a.shape)), isSurface(shapeOf(b.shape))];
  if (isA !== isB) return isA;
  return a.shape.boundingRadius * a.scale >= b.shape.boundingRadius * b.scale;
}

function surfaceOfPair(places: PairPlaces): PlanarSurface {
  const { shape } = isFirst(places) ? places.a : places.b;
  return surfaceOf(shapeOf(shape).parts!);
}

const other = createOutline();
const given: GivenContact = { normal: vec3(), depth: 0, point: vec3() };
const options: PassOptions = { margin: 0, isGivenOnly: false };

type Parts = readonly [partA: number, partB: number];

/** Places the part of the other body in the surface's frame. Returns the surface's part. */
function placeOther(places: PairPlaces, [partA, partB]: Parts): number {
  const isA = isFirst(places);
  placeOutline(places, isA ? partB : partA, isA, other);
  return isA ? partA : partB;
}

const buried = createContactRecord();

/** A part inside of a compound, where it touches no open face, leaves it through the nearest one that it can. */
function* judge(places: PairPlaces, records: Omit<PartContacts, 'surface'>, otherPart: number): Work<number> {
  const surface = surfaceOfPair(places);
  const contacts = { ...records, surface };
  yield* judgeContacts(contacts);
  const first = chooseDeepest(contacts);
  const at = RECORD_SIZE * (-1 - first);
  const { values } = contacts;
  if (first >= 0 || surface.isChain || !(values[at + AT_DEPTH] > 0)) return first;
  const own = values[at + AT_PART];
  placeOther(places, isFirst(places) ? [own, otherPart] : [otherPart, own]);
  proposeBuried(surface, own, other, buried);
  if (buried.kind === KIND_NONE) return first;
  writeRecordAt(values, at, buried);
  yield* judgeContacts(contacts);
  return chooseDeepest(contacts);
}

const impact: PartContact = { normal: vec3(), distance: 0, point: vec3() };

/** The replaced normal is on the side with less of the other part behind it. */
function correctNormal(
  places: PairPlaces,
  parts: Parts,
  { margin }: Asked,
  { normal, point }: ImpactContact,
  to: SurfaceNormal,
): void {
  to.isAccepted = true;
  to.isBehind = false;
  const isA = isFirst(places);
  const place = isA ? places.a : places.b;
  const sign = isA ? 1 : -1;
  copy(normal, impact.normal);
  copy(point, impact.point);
  impact.distance = margin;
  seeContact(places, isA, impact, given);
  const surface = surfaceOfPair(places);
  const part = parts[isA ? 0 : 1];
  if (!surface.isSharp(part)) return;
  if (facesOf(surface, part).every(({ pieces }) => pieces.length === 0)) {
    to.isAccepted = false;
    to.side = 0;
    to.below = Infinity;
    return;
  }
  if (isAccepted(surface, part, given.normal, given.point, REFERENCE_ANGLE)) {
    const isExact = makeExact(surface, part, REFERENCE_ANGLE, given.normal);
    to.side = sideOf(surface, part, faceAlong(surface, part, given.normal, REFERENCE_ANGLE));
    if (isExact) transform(place.rotation, scale(given.normal, sign, given.normal), normal);
    return;
  }
  to.isAccepted = false;
  chooseFace(places, parts, given.normal, to);
  to.below *= place.scale;
  transform(place.rotation, scale(given.normal, sign, given.normal), normal);
}

/** Of a part's face, or of other normals. */
function sideOf(surface: PlanarSurface, part: number, face: Face | undefined): number {
  if (!face) return 0;
  const number = facesOf(surface, part).indexOf(face);
  return surface.cornersOf(part).length === 4 ? 1 - 2 * number : 2 + number;
}

/** Writes the normal of the open face with least of the other part behind it, in the surface's frame and unit. */
function chooseFace(places: PairPlaces, parts: Parts, normal: Vec3, to: SurfaceNormal): void {
  const part = placeOther(places, parts);
  const surface = surfaceOfPair(places);
  to.below = Infinity;
  for (const face of facesOf(surface, part)) {
    const { x, y, normalX, normalY } = face;
    const below = x * normalX + y * normalY - leastHeight(other, normalX, normalY);
    const side = sideOf(surface, part, face);
    if (side === -1 && surface.isFront) {
      to.isBehind = below < to.below;
    } else if (face.pieces.length > 0 && below < to.below) {
      to.below = below;
      to.side = side;
      set(normalX, normalY, 0, normal);
    }
  }
}

export const planarRule: SurfaceRule = {
  isSurface: (shape) => isSurface(shapeOf(shape)),
  *prepare(shape) {
    if (isSurface(shapeOf(shape))) yield* prepareSurface(shapeOf(shape), treeOf(shape));
  },
  hasSurface,
  isFirst,
  isFront: (places) => surfaceOfPair(places).isFront,
  cornersOf: surfaceOfPair,
  propose(places, parts, contact, asked, to) {
    const part = placeOther(places, parts);
    seeContact(places, isFirst(places), contact, given);
    seeAsked(places, isFirst(places), asked, options);
    proposeContact(surfaceOfPair(places), part, other, given, options, to);
  },
  judge,
  finishContact: (places, { partA, partB, margin }, to) => finishPlanarContact(places, [partA, partB], margin, to),
  correctNormal,
};
