/**
 * The rule of surfaces in 3-D: of meshes, and of compounds whose parts touch. If both bodies have a surface, one leads
 * (leading-surface.ts). A contact also has to be accepted by the other one.
 */
import { feature } from '../../cpu/feature.ts';
import { addScaled, copy, scale, set, transform, transformBack, vec3 } from '../../cpu/math.ts';
import { createPair } from '../../cpu/pair.ts';
import { movePoints } from '../../cpu/parts/answer-parts.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../../cpu/parts/part-place.ts';
import { manifoldOfContact } from '../../cpu/queries/manifolds.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import { treeOf } from '../../bvh/kept-trees.ts';
import { bakeCompound } from './compound-surface.ts';
import { dropProposal } from './contact-proposal.ts';
import { createContactRecord, KIND_EXACT, KIND_NONE, type ContactRecord } from './contact-records.ts';
import { highestCorner, proposeContact } from './first-pass.ts';
import { correctNormal } from './impact-normal.ts';
import { judgePart } from './judge-part.ts';
import { followingSurface, hasSurface, isSurfaceFirst, surfaceOfPair } from './leading-surface.ts';
import { expectFronts, meshSurface } from './mesh-surface.ts';
import { leastHeight } from './part-in-mesh.ts';
import { acceptsContact, placeOther } from './part-of-pair.ts';
import { seeAsked, seeContact } from './surface-pair.ts';
import type { Asked, GivenContact, PartContact, PartsOfContact, PassOptions, SurfaceRule } from './surface-rule.ts';
import { isPlain, surfaceOf } from './surface.ts';

type Parts = readonly [partA: number, partB: number];

const given: GivenContact = { normal: vec3(), depth: 0, point: vec3() };
const options: PassOptions = { margin: 0, isGivenOnly: false };
const agreed: PartContact = { normal: vec3(), distance: 0, point: vec3() };
const second = createContactRecord();

function propose(places: PairPlaces, parts: Parts, contact: PartContact, asked: Asked, to: ContactRecord): void {
  const isFirst = isSurfaceFirst(places);
  proposeOn(places, isFirst, parts, contact, asked, to);
  const other = followingSurface(places);
  if (!other || to.kind >= KIND_NONE || isPlain(other, parts[isFirst ? 1 : 0])) return;
  readContact(places, isFirst, to, agreed);
  if (acceptsContact(places, !isFirst, parts, agreed)) return;
  dropProposal(to);
  if (!asked.isGivenOnly) proposeByOther(places, parts, contact, asked, to);
}

/** By the surface of body A or B. */
function proposeOn(
  places: PairPlaces,
  isFirst: boolean,
  [partA, partB]: Parts,
  contact: PartContact,
  asked: Asked,
  to: ContactRecord,
): void {
  const part = placeOther(places, isFirst, partA, partB);
  seeContact(places, isFirst, contact, given);
  seeAsked(places, isFirst, asked, options);
  const { shape } = isFirst ? places.a : places.b;
  proposeContact(surfaceOf(shape)!, isFirst ? partA : partB, part, given, options, to);
}

/** Where the surface that follows does not accept what the leading one proposes: what it proposes itself, if that is accepted. */
function proposeByOther(places: PairPlaces, parts: Parts, contact: PartContact, asked: Asked, to: ContactRecord): void {
  const isFirst = isSurfaceFirst(places);
  proposeOn(places, !isFirst, parts, contact, asked, second);
  if (second.kind >= KIND_NONE || second.kind <= KIND_EXACT) return;
  readContact(places, !isFirst, second, agreed);
  if (!acceptsContact(places, isFirst, parts, agreed)) return;
  const part = placeOther(places, isFirst, ...parts);
  seeContact(places, isFirst, agreed, given);
  const { outline } = surfaceOfPair(places);
  to.kind = second.kind;
  copy(given.normal, to.normal);
  copy(given.point, to.point);
  to.plane = highestCorner(outline, parts[isFirst ? 0 : 1], to.normal);
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

const placeA = createPartPlace();
const placeB = createPartPlace();
const pair = createPair();
const direction = vec3();

function finishContact({ a, b, offset }: PairPlaces, { partA, partB, margin }: PartsOfContact, to: PairResult): void {
  placePart(a, partA, true, placeA);
  placePart(b, partB, true, placeB);
  pairOfParts(placeA, placeB, offset, pair);
  // Relative to the part, as the pair is.
  addScaled(to.pointA, placeA.offset, -1, to.pointA);
  addScaled(to.pointB, placeA.offset, -1, to.pointB);
  transformBack(pair.rotationA, to.normal, direction);
  to.featureA = feature(placeA.shape, pair.coreA, direction);
  transformBack(pair.rotation, set(-direction.x, -direction.y, -direction.z, direction), direction);
  to.featureB = feature(placeB.shape, pair.coreB, direction);
  if (margin !== undefined) manifoldOfContact(pair, placeA.shape, placeB.shape, margin, to);
  movePoints(to, placeA.offset);
}

export const spatialRule: SurfaceRule = {
  isSurface: (shape) => shape.parts?.type === 'mesh' || surfaceOf(shape) !== undefined,
  *prepare(shape, field) {
    const { parts } = shape;
    if (parts?.type === 'compound') yield* bakeCompound(parts, treeOf(shape));
    else if (parts) yield* expectFronts(yield* meshSurface(parts), field);
  },
  hasSurface,
  isFirst: isSurfaceFirst,
  isFront: (places) => surfaceOfPair(places).isFront,
  cornersOf: surfaceOfPair,
  propose,
  judge: judgePart,
  finishContact,
  correctNormal,
};
