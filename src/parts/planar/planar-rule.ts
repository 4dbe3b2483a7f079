/** The rule of surfaces in 2-D: that of chains, and of compounds of several parts. */
import { set } from '../../cpu/math.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { BodyPlace } from '../../cpu/parts/part-place.ts';
import { finishPlanarContact, planarShapeOf } from '../../cpu/parts/planar-parts.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { treeOf } from '../part-trees.ts';
import type { SurfaceRule } from '../surface/surface-rule.ts';
import { isAccepted, makeExact } from './accepted-normal.ts';
import { facesOf } from './exposed-faces.ts';
import { createOutline, greatestHeight, leastHeight, placeOutline } from './outline.ts';
import { proposeContact } from './planar-first-pass.ts';
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

/** Places the part of the other body in the surface's frame. Returns the surface's part. */
function placeOther(places: PairPlaces, [partA, partB]: readonly [number, number]): number {
  const isA = isFirst(places);
  placeOutline(places, isA ? partB : partA, isA, other);
  return isA ? partA : partB;
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
  propose(places, parts, given, options, to) {
    const part = placeOther(places, parts);
    proposeContact(surfaceOfPair(places), part, other, given, options, to);
  },
  finishContact: (places, { partA, partB, margin }, to) => finishPlanarContact(places, [partA, partB], margin, to),
  acceptsImpact(places, part, normal, point, angle) {
    const surface = surfaceOfPair(places);
    if (!surface.isSharp(part) || facesOf(surface, part).every(({ pieces }) => pieces.length === 0)) return true;
    return isAccepted(surface, part, normal, point, angle);
  },
  makeExact(places, part, normal, angle) {
    const surface = surfaceOfPair(places);
    return surface.isSharp(part) && makeExact(surface, part, angle, normal);
  },
  depthsOfFace(places, parts, normal) {
    const part = placeOther(places, parts);
    const surface = surfaceOfPair(places);
    let below = Infinity;
    let above = Infinity;
    const isSegment = surface.cornersOf(part).length === 4;
    for (const { x, y, normalX, normalY, pieces } of facesOf(surface, part)) {
      if (pieces.length === 0) continue;
      const plane = x * normalX + y * normalY;
      const depth = plane - leastHeight(other, normalX, normalY);
      if (depth >= below) continue;
      below = depth;
      set(normalX, normalY, 0, normal);
      if (!isSegment) continue;
      above = greatestHeight(other, normalX, normalY) - plane;
      break;
    }
    return { below, above };
  },
};
