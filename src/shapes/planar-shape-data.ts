import {
  CORE_PARTS,
  PLANAR_POINT,
  PLANAR_POLYGON,
  PLANAR_RECTANGLE,
  PLANAR_SEGMENT,
  SMALL_POLYGON,
} from '../generated/constants.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import { aboutOrigin, coreMiddle, type CoreMiddle } from './core-middle.ts';
import type { NumberList } from '../api/shapes.ts';
import { expectExtent, lengthNumber, numberList, sizeNumber, type Rounding } from './fields.ts';
import type { PlanarShapeDescription } from '../api/planar-shapes.ts';
import { readChain, readPlanarCompound, type PlanarParts, type ReadPlanarParts } from './planar-parts.ts';
import { deepestInside, edgeNormals, hullCorners, hasWideAngles, supportCells } from './polygon.ts';
import { MAX_HULL_VERTICES } from './fields.ts';
import { expectShapeFields, shapeNames, type FieldTable } from './shape-fields.ts';

/**
 * A validated 2-D shape: a core and a rounding radius, in the form that both backends use, or parts. All numbers except normals
 * are f32 values.
 */
export interface PlanarShapeData extends CoreMiddle {
  /** One of the `PLANAR_` kinds, or `CORE_PARTS`. */
  kind: number;
  /** Of a compound or a chain. */
  parts?: PlanarParts<PlanarShapeData>;
  /** Four numbers, whose meaning depends on the kind (shaders/planar/shapes.wgsl). */
  data: readonly [number, number, number, number];
  /** The same relative to the middle. Segments and polygons have one. */
  coreData: readonly [number, number, number, number];
  /** Rounding radius. */
  radius: number;
  /** Greatest distance of the shape from its body's origin, rounding included. */
  boundingRadius: number;
  /** Equal to `boundingRadius`, since 2-D has no half-spaces. */
  extent: number;
  /** Whether `'sat'` accepts the shape. It does if the shape has edges: circles and capsules have none. */
  takesSat: boolean;
  /**
   * Whether no edge turns from the one before by nearly half a turn, as at the tips of thin polygons. False for
   * segments and points.
   */
  hasWideAngles: boolean;
  /** For a polygon: x, y of each corner, counter-clockwise. */
  vertices: Float64Array;
  /** For a polygon: x, y of the outward unit normal of the edge that starts at each corner. */
  normals: Float64Array;
  /** The caller's point index of each corner, for shapes described as polygons. */
  pointIndices: Uint32Array;
  /** For a polygon with points that are no corners: x, y of all points. */
  given?: Float64Array;
  /**
   * For a polygon of more than `SMALL_POLYGON` corners: the corners that can be its support, by direction (polygon.ts).
   */
  cells: Uint32Array;
}

/**
 * A point that lies no deeper inside the hull than this share of the greatest coordinate counts as lying on it, up to
 * rounding to f32.
 */
const ROUNDING = 2 ** -22;

/** Checks a description and computes the data that the backends need; the 2-D counterpart of `makeShapeData`. */
export function makePlanarShapeData(
  description: PlanarShapeDescription,
  field = 'description',
  round: Rounding = Math.fround,
): PlanarShapeData {
  const shape = readDescription(description, field, round);
  expectExtent(field, shape.boundingRadius, round);
  return withAllFields(shape);
}

/** Adds the extent. Writes all fields without a spread, so that all shapes have one hidden class (see shape-data.ts). */
export function withAllFields(shape: Omit<PlanarShapeData, 'extent'>): PlanarShapeData {
  return {
    middle: shape.middle,
    coreVertices: shape.coreVertices,
    middleRadius: shape.middleRadius,
    kind: shape.kind,
    parts: shape.parts,
    data: shape.data,
    coreData: shape.coreData,
    radius: shape.radius,
    boundingRadius: shape.boundingRadius,
    extent: shape.boundingRadius,
    takesSat: shape.takesSat,
    hasWideAngles: shape.hasWideAngles,
    vertices: shape.vertices,
    normals: shape.normals,
    pointIndices: shape.pointIndices,
    given: shape.given,
    cells: shape.cells,
  };
}

/** Fields of 2-D shapes. */
const SHAPE_FIELDS: FieldTable<PlanarShapeDescription> = {
  circle: { radius: 'required' },
  segment: { points: 'required', radius: 'optional' },
  capsule: { halfHeight: 'required', radius: 'required' },
  rectangle: { halfExtents: 'required', radius: 'optional' },
  polygon: { points: 'required', radius: 'optional', convexify: 'optional' },
  compound: { parts: 'required' },
  chain: { points: 'required', loop: 'optional', sides: 'optional' },
};

const NAMES = shapeNames(SHAPE_FIELDS);

function readDescription(
  description: PlanarShapeDescription,
  field: string,
  round: Rounding,
): Omit<PlanarShapeData, 'extent'> {
  if (typeof description !== 'object' || description === null) invalidInput(field, description, 'a shape description');
  expectShapeFields(description, field, NAMES);
  const size = (value: unknown, name: string): number => sizeNumber(value, `${field}.${name}`, round);
  const rounding = ({ radius = 0 }: { radius?: number }): number => size(radius, 'radius');
  const pointList = (points: unknown, expected: string, isLength: (n: number) => boolean): Float64Array => {
    return Float64Array.from(numberList(points, `${field}.points`, expected, isLength), (value, i) =>
      lengthNumber(value, `${field}.points[${i}]`, round),
    );
  };
  switch (description.type) {
    case 'circle':
      return core(PLANAR_POINT, [0, 0, 0, 0], size(description.radius, 'radius'));
    case 'capsule': {
      const halfHeight = size(description.halfHeight, 'halfHeight');
      return segment([0, -halfHeight, 0, halfHeight], size(description.radius, 'radius'));
    }
    case 'segment': {
      const points = pointList(description.points, 'an array of 4 numbers', (n) => n === 4);
      return { ...segment(points, rounding(description)), takesSat: true };
    }
    case 'rectangle': {
      const halfExtents: NumberList = numberList(
        description.halfExtents,
        `${field}.halfExtents`,
        'an array of 2 numbers',
        (n) => n === 2,
      );
      const [x, y] = Array.from(halfExtents, (value, i) => size(value, `halfExtents[${i}]`));
      const radius = rounding(description);
      // A rectangle without area has fewer edges.
      if (x === 0 || y === 0) return { ...segment([-x, -y, x, y], radius), takesSat: true };
      return { ...core(PLANAR_RECTANGLE, [x, y, 0, 0], radius, Math.hypot(x, y)), takesSat: true, hasWideAngles: true };
    }
    case 'polygon': {
      const { convexify = false } = description;
      if (typeof convexify !== 'boolean') invalidInput(`${field}.convexify`, convexify, 'a boolean');
      const points = pointList(
        description.points,
        'x, y of at least one point, in a flat array of 2n numbers',
        (n) => n >= 2 && n % 2 === 0,
      );
      return {
        ...polygon(points, rounding(description), convexify, `${field}.points`),
        takesSat: true,
      };
    }
    case 'compound':
      return ofParts(
        readPlanarCompound(description, field, round, (part, name) => makePlanarShapeData(part, name, round)),
      );
    case 'chain':
      return ofParts(readChain(description, field, round));
    default:
      return invalidInput(
        `${field}.type`,
        (description as { type?: unknown }).type,
        "'circle', 'segment', 'capsule', 'rectangle', 'polygon', 'compound' or 'chain', as the tester's dimension is 2",
      );
  }
}

function ofParts({ parts, boundingRadius }: ReadPlanarParts<PlanarShapeData>): Omit<PlanarShapeData, 'extent'> {
  return { ...core(CORE_PARTS, [0, 0, 0, 0], 0, boundingRadius), parts };
}

const NO_NUMBERS = new Float64Array(0);
const NO_INDICES = new Uint32Array(0);

function core(
  kind: number,
  data: PlanarShapeData['data'],
  radius: number,
  coreRadius = 0,
): Omit<PlanarShapeData, 'extent'> {
  return {
    ...aboutOrigin(2, NO_NUMBERS, coreRadius + radius),
    kind,
    data,
    coreData: data,
    radius,
    boundingRadius: coreRadius + radius,
    takesSat: false,
    hasWideAngles: false,
    vertices: NO_NUMBERS,
    normals: NO_NUMBERS,
    pointIndices: NO_INDICES,
    cells: NO_INDICES,
  };
}

/** A segment, or a point if both ends coincide. */
export function segment(
  [ax, ay, bx, by]: ArrayLike<number> & Iterable<number>,
  radius: number,
): Omit<PlanarShapeData, 'extent'> {
  if (ax === bx && ay === by) return core(PLANAR_POINT, [ax, ay, 0, 0], radius, Math.hypot(ax, ay));
  const reach = Math.max(Math.hypot(ax, ay), Math.hypot(bx, by));
  const about = coreMiddle(Float64Array.of(ax, ay, bx, by), 2, radius, reach + radius);
  const [cx, cy, dx, dy] = about.coreVertices;
  return { ...core(PLANAR_SEGMENT, [ax, ay, bx, by], radius, reach), ...about, coreData: [cx, cy, dx, dy] };
}

function polygon(
  points: Float64Array,
  radius: number,
  convexify: boolean,
  field: string,
): Omit<PlanarShapeData, 'extent'> {
  const corners = hullCorners(points);
  const count = corners.length;
  if (count > MAX_HULL_VERTICES)
    throw new NarrowphaseError(
      'LIMIT_EXCEEDED',
      `${field} has ${count} corners, expected at most ${MAX_HULL_VERTICES}`,
    );
  const vertices = Float64Array.from(corners.flatMap((point) => [points[2 * point], points[2 * point + 1]]));
  const pointIndices = Uint32Array.from(corners);
  const given = 2 * count < points.length ? points : undefined;
  if (count < 3) {
    const [ax, ay, bx = ax, by = ay] = vertices;
    return { ...segment([ax, ay, bx, by], radius), pointIndices, given };
  }
  const normals = edgeNormals(vertices);
  const reach = points.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!convexify) {
    const { point, depth } = deepestInside(points, corners, normals);
    if (depth > ROUNDING * reach) {
      const value = Array.from(points.subarray(2 * point, 2 * point + 2));
      invalidInput(
        `${field}[${2 * point}..${2 * point + 1}]`,
        value,
        `a corner of a convex polygon, in any order, or convexify: true for the hull of all: it lies ${depth} inside that`,
      );
    }
  }
  let x = 0;
  let y = 0;
  let boundingRadius = 0;
  for (let i = 0; i < count; i++) {
    x += vertices[2 * i] / count;
    y += vertices[2 * i + 1] / count;
    boundingRadius = Math.max(boundingRadius, Math.hypot(vertices[2 * i], vertices[2 * i + 1]));
  }
  const about = coreMiddle(vertices, 2, radius, boundingRadius + radius);
  return {
    ...about,
    kind: PLANAR_POLYGON,
    data: [x, y, 0, 0],
    coreData: [x - about.middle[0], y - about.middle[1], 0, 0],
    radius,
    boundingRadius: boundingRadius + radius,
    takesSat: true,
    hasWideAngles: hasWideAngles(normals),
    vertices,
    normals,
    pointIndices,
    given,
    cells: count > SMALL_POLYGON ? supportCells(vertices) : NO_INDICES,
  };
}

/** x, y of the corners of a core, counter-clockwise. */
export function coreCorners({
  kind,
  data: [a, b, c, d],
  vertices,
}: Pick<PlanarShapeData, 'kind' | 'data' | 'vertices'>): ArrayLike<number> {
  switch (kind) {
    case PLANAR_POLYGON:
      return vertices;
    case PLANAR_RECTANGLE:
      return [-a, -b, a, -b, a, b, -a, b];
    case PLANAR_SEGMENT:
      return [a, b, c, d];
    default:
      return [a, b];
  }
}
