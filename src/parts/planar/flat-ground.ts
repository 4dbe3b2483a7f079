/** Whether the ground of a 2-D surface goes on flat from a part to a point, and as far beyond it as a body is deep there. */
import type { Vec3 } from '../../cpu/math.ts';
import { facesOf, type Face } from './exposed-faces.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { visitSharp, type PlanarSurface } from './planar-surface.ts';

/** Parts that are looked at. */
const MOST_PARTS = 2 ** 10;

/** Normals that differ by less than this, in radians, are those of flat ground. */
const FLAT_ANGLE = 1e-6;

/** The whole face of a part whose normal, or that of its other side, is this. */
function flatFace(surface: PlanarSurface, part: number, { x, y }: Vec3): Face | undefined {
  const isWhole = ({ pieces, length }: Face): boolean =>
    pieces.length === 2 && pieces[0] <= surface.touch && pieces[1] >= length - surface.touch;
  return facesOf(surface, part).find(
    (face) =>
      face.normalX * x + face.normalY * y > 0 &&
      Math.abs(face.normalX * y - face.normalY * x) <= FLAT_ANGLE &&
      isWhole(face),
  );
}

/** `point` is in the plane of the part's face with this normal. */
export function isFlatBelow(surface: PlanarSurface, part: number, normal: Vec3, point: Vec3, beyond: number): boolean {
  const start = flatFace(surface, part, normal);
  if (!start) return false;
  // Places along the face, to the left of its normal.
  const placeOf = (x: number, y: number): number => normal.x * y - normal.y * x;
  const target = placeOf(point.x, point.y);
  const first = placeOf(start.x, start.y);
  const last = placeOf(start.x + start.length * start.alongX, start.y + start.length * start.alongY);
  const isUp = target > Math.max(first, last);
  if (!isUp && target >= Math.min(first, last)) return false;
  const sign = isUp ? 1 : -1;
  const goal = sign * target + beyond;
  let face = start;
  for (let i = 0; i < MOST_PARTS; i++) {
    const ends: [number, number][] = [
      [face.x, face.y],
      [face.x + face.length * face.alongX, face.y + face.length * face.alongY],
    ];
    const [x, y] = sign * (placeOf(...ends[1]) - placeOf(...ends[0])) > 0 ? ends[1] : ends[0];
    if (sign * placeOf(x, y) >= goal) return true;
    const next = nextFace(surface, [x, y], normal, (u, v) => sign * placeOf(u, v));
    if (!next) return false;
    face = next;
  }
  return false;
}

/** How far the ground is flat from each whole face on, as places along it; the face itself if it is not whole. */
export interface FlatReach {
  least: number;
  most: number;
}

/** Steps of `createPace` per face whose neighbour is searched. */
const REACH_STEPS = 64;

/** Finds how far the ground is flat from faces on. Each face is looked at once. */
export function createFlatReach(surface: PlanarSurface): (part: number, face: Face) => Work<FlatReach> {
  const isDue = createPace();
  /** Where the ground ends that goes on from a face, to the left of its normal and to the right. */
  const ends = [new Map<Face, readonly [number, number]>(), new Map<Face, readonly [number, number]>()] as const;

  function* endOf(start: Face, sign: 1 | -1): Work<readonly [number, number]> {
    const known = ends[sign > 0 ? 0 : 1];
    const trail: Face[] = [];
    let face: Face | undefined = start;
    let end: readonly [number, number] | undefined;
    while (face && !end) {
      if (isDue(REACH_STEPS)) yield;
      trail.push(face);
      const { normalX: x, normalY: y } = face;
      const normal = { x, y, z: 0 };
      const at = endPoint(face, sign);
      const next = nextFace(surface, at, normal, (u, v) => sign * (x * v - y * u));
      end = next ? known.get(next) : at;
      face = next;
    }
    for (const each of trail) known.set(each, end!);
    return end!;
  }

  return function* (part, face) {
    const { x, y, alongX, alongY, length, normalX, normalY } = face;
    if (flatFace(surface, part, { x: normalX, y: normalY, z: 0 }) !== face) return { least: 0, most: length };
    const placeOf = ([u, v]: readonly [number, number]): number => (u - x) * alongX + (v - y) * alongY;
    return { least: placeOf(yield* endOf(face, -1)), most: placeOf(yield* endOf(face, 1)) };
  };
}

/** The end of a face to the left of its normal, or to the right. */
function endPoint({ x, y, alongX, alongY, length }: Face, sign: 1 | -1): readonly [number, number] {
  return sign > 0 ? [x + length * alongX, y + length * alongY] : [x, y];
}

/** The flat face that goes on from a point, if nothing else begins there. */
function nextFace(
  surface: PlanarSurface,
  [x, y]: readonly [number, number],
  normal: Vec3,
  wayOf: (x: number, y: number) => number,
): Face | undefined {
  const { touch } = surface;
  const height = normal.x * x + normal.y * y;
  let found: Face | undefined;
  let isFlat = true;
  visitSharp(surface, [x, y, x, y], touch, (part) => {
    const corners = surface.cornersOf(part);
    for (let i = 0; i < corners.length; i += 2)
      if (normal.x * corners[i] + normal.y * corners[i + 1] > height + 2 * touch) isFlat = false;
    const face = flatFace(surface, part, normal);
    if (!face) return;
    const end = Math.max(
      wayOf(face.x, face.y),
      wayOf(face.x + face.length * face.alongX, face.y + face.length * face.alongY),
    );
    if (end > wayOf(x, y) + touch) found = face;
  });
  return isFlat ? found : undefined;
}
