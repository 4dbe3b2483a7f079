/** The part of a body in the frame of the other body's surface, and what that surface accepts. */
import { scale, vec3 } from '../../cpu/math.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { createPartPlace, placePart } from '../../cpu/parts/part-place.ts';
import { isAccepted } from './accepted-normal.ts';
import { isBehindFront } from './first-pass.ts';
import { createPartInMesh, placeInMesh, type PartInMesh } from './part-in-mesh.ts';
import { seeContact } from './surface-pair.ts';
import { REFERENCE_ANGLE, type GivenContact, type PartContact } from './surface-rule.ts';
import { isPlain, surfaceOf } from './surface.ts';

const place = createPartPlace();
const part = createPartInMesh();
const toPart = vec3();

/** Places the part of the other body in the frame of a surface, which is body A's or B's. The next call overwrites what is returned. */
export function placeOther({ a, b, offset }: PairPlaces, isFirst: boolean, partA: number, partB: number): PartInMesh {
  placePart(isFirst ? b : a, isFirst ? partB : partA, true, place);
  placeInMesh(isFirst ? a : b, place, scale(offset, isFirst ? 1 : -1, toPart), part);
  return part;
}

const given: GivenContact = { normal: vec3(), depth: 0, point: vec3() };

/** Whether the surface of body A or B accepts a contact. */
export function acceptsContact(
  places: PairPlaces,
  isFirst: boolean,
  [partA, partB]: readonly [number, number],
  contact: PartContact,
): boolean {
  const surface = surfaceOf((isFirst ? places.a : places.b).shape)!;
  const own = isFirst ? partA : partB;
  if (isPlain(surface, own)) return true;
  seeContact(places, isFirst, contact, given);
  return (
    !isBehindFront(surface, own, given.normal) && isAccepted(surface, own, given.normal, given.point, REFERENCE_ANGLE)
  );
}
