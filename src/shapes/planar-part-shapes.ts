/**
 * The parts of 2-D bodies as convex shapes in the frame of their body, which therefore have its pose. Corners of a compound's parts
 * are in double precision there. They are made when they are first needed.
 */
import { PLANAR_POINT, PLANAR_POLYGON, PLANAR_RECTANGLE, PLANAR_SEGMENT } from '../generated/constants.ts';
import { aboutOrigin, coreMiddle, placeMiddle, type CoreMiddle } from './core-middle.ts';
import { planarPartCount, type Chain, type PlanarParts } from './planar-parts.ts';
import { coreCorners, segment, withAllFields, type PlanarShapeData } from './planar-shape-data.ts';
import { edgeNormals, hullCorners, supportCells } from './polygon.ts';

const made = new WeakMap<object, (PlanarShapeData | undefined)[]>();

/** Part `number` of a body, or the body itself if it is convex. */
export function planarPart(shape: PlanarShapeData, number: number): PlanarShapeData {
  const { parts } = shape;
  if (!parts) return shape;
  let known = made.get(parts);
  if (!known) made.set(parts, (known = []));
  return (known[number] ??= makePart(parts, number));
}

function makePart(parts: PlanarParts<PlanarShapeData>, number: number): PlanarShapeData {
  if (parts.type === 'compound') {
    const { shapes, positions, angles, scales } = parts;
    const place = { x: positions[2 * number], y: positions[2 * number + 1], angle: angles[number] };
    return placedShape(shapes[number], place, scales[number]);
  }
  return chainSegment(parts, number);
}

/** A segment of a chain about its middle, without an object of its own for each: chains may have millions. */
export interface SegmentCore extends CoreMiddle {
  /** Greatest distance from the chain's origin. */
  reach: number;
}

const ends = new Float64Array(4);
const room = { middle: new Float64Array(2), coreVertices: new Float64Array(4) };
const core: SegmentCore = { ...aboutOrigin(2, ends, 0), reach: 0 };

/** The core of a segment, until the next call. */
export function segmentCore({ points }: Pick<Chain, 'points'>, number: number): SegmentCore {
  const next = 2 * number + 2 === points.length ? 0 : 2 * number + 2;
  for (let k = 0; k < 2; k++) {
    ends[k] = points[2 * number + k];
    ends[2 + k] = points[next + k];
  }
  core.reach = Math.max(Math.hypot(ends[0], ends[1]), Math.hypot(ends[2], ends[3]));
  placeMiddle(ends, 2, 0, core.reach, room, core);
  return core;
}

/** A segment of a chain, made anew. */
export function chainSegment({ points }: Pick<Chain, 'points'>, number: number): PlanarShapeData {
  const next = 2 * number + 2 === points.length ? 0 : 2 * number + 2;
  const own = segment([points[2 * number], points[2 * number + 1], points[next], points[next + 1]], 0);
  return withAllFields({ ...own, takesSat: true });
}

/** Corners of a rectangle have the numbers of its bits: see `pointNumber` in cpu/planar/support.ts. */
const RECTANGLE_NUMBERS = Uint32Array.of(0, 1, 3, 2);

interface Place {
  x: number;
  y: number;
  angle: number;
}

/** A convex shape in another frame. A rectangle becomes a polygon, with the same numbers of corners. */
function placedShape(shape: PlanarShapeData, { x, y, angle }: Place, scale: number): PlanarShapeData {
  if (x === 0 && y === 0 && angle === 0 && scale === 1) return shape;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const from = coreCorners(shape);
  const vertices = new Float64Array(from.length);
  let reach = 0;
  for (let i = 0; i < from.length; i += 2) {
    const [u, v] = [from[i] * scale, from[i + 1] * scale];
    vertices[i] = x + cosine * u - sine * v;
    vertices[i + 1] = y + sine * u + cosine * v;
    reach = Math.max(reach, Math.hypot(vertices[i], vertices[i + 1]));
  }
  const radius = shape.radius * scale;
  const extent = reach + radius;
  const [a, b, c = 0, d = 0] = vertices;
  const common = { ...shape, radius, boundingRadius: extent, given: undefined };
  if (shape.kind === PLANAR_POINT) {
    const data = [a, b, 0, 0] as const;
    return withAllFields({ ...common, ...aboutOrigin(2, shape.coreVertices, extent), data, coreData: data });
  }
  const about = coreMiddle(vertices, 2, radius, extent);
  if (shape.kind === PLANAR_SEGMENT) {
    const [p, q, r, s] = about.coreVertices;
    return withAllFields({ ...common, ...about, data: [a, b, c, d], coreData: [p, q, r, s] });
  }
  const isRectangle = shape.kind === PLANAR_RECTANGLE;
  const count = vertices.length / 2;
  const [middleX, middleY] = [0, 1].map((k) =>
    vertices.reduce((sum, value, i) => (i % 2 === k ? sum + value : sum), 0),
  );
  const inside = [middleX / count, middleY / count];
  return withAllFields({
    ...common,
    ...about,
    kind: PLANAR_POLYGON,
    data: [inside[0], inside[1], 0, 0],
    coreData: [inside[0] - about.middle[0], inside[1] - about.middle[1], 0, 0],
    vertices,
    normals: edgeNormals(vertices),
    pointIndices: isRectangle ? RECTANGLE_NUMBERS : shape.pointIndices,
    cells: shape.cells.length > 0 ? supportCells(vertices) : shape.cells,
  });
}

/** All parts of a body. */
export function planarPartsOf(shape: PlanarShapeData): PlanarShapeData[] {
  const count = shape.parts ? planarPartCount(shape.parts) : 1;
  return Array.from({ length: count }, (_, i) => planarPart(shape, i));
}

/** Points x, y of a body of parts, with the radius around each, that reach as far in every direction as all of its parts. */
export interface PartsOutline {
  points: Float64Array;
  radii: Float64Array | undefined;
}

const outlines = new WeakMap<object, PartsOutline>();

export function outlineOfParts(shape: PlanarShapeData): PartsOutline {
  const parts = shape.parts!;
  const known = outlines.get(parts) ?? findOutline(shape);
  outlines.set(parts, known);
  return known;
}

/** The corners of the hulls of all points that have the same radius. */
function findOutline(shape: PlanarShapeData): PartsOutline {
  const parts = shape.parts!;
  if (parts.type === 'chain') return { points: cornersOfHull(parts.points), radii: undefined };
  const byRadius = new Map<number, number[]>();
  for (const part of planarPartsOf(shape)) {
    const points = byRadius.get(part.radius) ?? [];
    points.push(...Array.from(coreCorners(part)));
    byRadius.set(part.radius, points);
  }
  const hulls = Array.from(byRadius, ([radius, points]) => ({ radius, points: Array.from(cornersOfHull(points)) }));
  return {
    points: Float64Array.from(hulls.flatMap(({ points }) => points)),
    radii: Float64Array.from(hulls.flatMap(({ radius, points }) => points.slice(points.length / 2).map(() => radius))),
  };
}

function cornersOfHull(points: ArrayLike<number>): Float64Array {
  return Float64Array.from(hullCorners(points).flatMap((i) => [points[2 * i], points[2 * i + 1]]));
}
