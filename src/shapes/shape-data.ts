import { allocate } from '../util/arrays.ts';
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_HULL,
  CORE_PARTS,
  CORE_POINT,
  CORE_SEGMENT,
  CORE_TRIANGLE,
} from '../generated/constants.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { NumberList, ShapeDescription } from '../api/shapes.ts';
import { centroid } from './centroid.ts';
import { aboutOrigin, coreMiddle, type CoreMiddle } from './core-middle.ts';
import { ellipsoidBall } from './ellipsoid.ts';
import { faceLoops } from './face-loops.ts';
import { MAX_HULL_VERTICES, expectExtent, finiteNumber, lengthNumber, numberList, sizeNumber } from './fields.ts';
import { NO_GAUSS_MAP, boxGaussMap, withOffsets, type GaussMap } from './gauss-map.ts';
import { buildHull, type Hull } from './hull.ts';
import { readCompound, readMesh, readMovedMesh, type Parts, type ReadParts } from './parts.ts';
import { SHAPE_FIELDS, expectShapeFields, shapeNames } from './shape-fields.ts';
import { allVertices, NO_CELLS, makeSupportCells, type SupportCells } from './support-cells.ts';

/**
 * A validated shape: a core and a rounding radius, in the form that both backends use. All numbers are f32 values,
 * except for a half-space's normal and an ellipsoid's ball.
 */
export interface ShapeData extends CoreMiddle {
  /** One of the `CORE_` kinds. */
  kind: number;
  /**
   * For a box, cylinder, cone or ellipsoid: half extents. For a segment: only y. For a half-space: its unit normal. For
   * a hull or triangle: its centroid. Otherwise zeros.
   */
  halfExtents: readonly [number, number, number];
  /**
   * Rounding radius. For an ellipsoid the radius of the ball in it; for a half-space its offset, which may be negative.
   */
  radius: number;
  /** Greatest distance of the shape from its body's origin, rounding included; 0 for a half-space. */
  boundingRadius: number;
  /** Whether `'sat'` accepts the shape. It accepts boxes. */
  takesSat: boolean;
  /**
   * The length that limits the shape's scale: its bounding radius, or for a half-space the distance of its plane.
   */
  extent: number;
  /** Hull or triangle: x, y, z of each vertex. */
  vertices: Float64Array;
  /** The caller's point index of each vertex. */
  pointIndices: Uint32Array;
  /** Hull or triangle: two vertices per edge, the lower first; sorted. */
  edges: Uint32Array;
  /** Hull or triangle: outward unit normal and offset of each face. */
  facePlanes: Float64Array;
  /**
   * Hull or triangle: vertices of each face, counter-clockwise from outside. Face f's are `faceVertices[faceStart[f] ..
   * faceStart[f + 1]]`. A face that is a line has two.
   */
  faceVertices: Uint32Array;
  faceStart: Uint32Array;
  /** Hull or triangle: the vertices that can be its support, by direction. */
  supportCells: SupportCells;
  /** Box, hull or triangle, relative to the middle; otherwise empty. */
  gaussMap: GaussMap;
  /** The parts of a compound or a mesh. Such a shape has no core, and no kernel takes it. */
  parts?: Parts<ShapeData>;
  /**
   * Numbers of the description that the data has in another form. Half-space: its normal of any length. Hull with points
   * that are no vertices: all points. Compound: the quaternions of its parts, of any length.
   */
  given?: ArrayLike<number>;
}

/**
 * Checks a description and computes the data that the backends need. `field` names the description in errors. Lengths
 * are rounded to f32 unless `round` does something else.
 */
export function makeShapeData(
  description: ShapeDescription,
  field = 'description',
  round: (value: number) => number = Math.fround,
): ShapeData {
  const shape = readDescription(description, field, round);
  expectExtent(field, shape.extent, round);
  return shape;
}

const NAMES = shapeNames(SHAPE_FIELDS);

function readDescription(description: ShapeDescription, field: string, round: (value: number) => number): ShapeData {
  if (typeof description !== 'object' || description === null) invalidInput(field, description, 'a shape description');
  expectShapeFields(description, field, NAMES);
  const size = (value: unknown, name: string): number => sizeNumber(value, `${field}.${name}`, round);
  const rounding = ({ radius = 0 }: { radius?: number }): number => size(radius, 'radius');
  switch (description.type) {
    case 'sphere':
      return core(CORE_POINT, [0, 0, 0], size(description.radius, 'radius'));
    case 'capsule':
      return core(CORE_SEGMENT, [0, size(description.halfHeight, 'halfHeight'), 0], size(description.radius, 'radius'));
    case 'box': {
      const halfExtents = numberList(
        description.halfExtents,
        `${field}.halfExtents`,
        'an array of 3 numbers',
        (n) => n === 3,
      );
      const [x, y, z] = Array.from(halfExtents, (value, i) => size(value, `halfExtents[${i}]`));
      return core(CORE_BOX, [x, y, z], rounding(description));
    }
    case 'cylinder':
    case 'cone': {
      const radius = size(description.radius, 'radius');
      const halfHeight = size(description.halfHeight, 'halfHeight');
      return core(
        description.type === 'cone' ? CORE_CONE : CORE_CYLINDER,
        [radius, halfHeight, radius],
        0,
        Math.hypot(radius, halfHeight),
      );
    }
    case 'ellipsoid': {
      const radii = numberList(description.radii, `${field}.radii`, 'an array of 3 numbers', (n) => n === 3);
      const [x, y, z] = Array.from(radii, (value, i) => size(value, `radii[${i}]`));
      if (x === y && y === z) return core(CORE_POINT, [0, 0, 0], x);
      return core(CORE_ELLIPSOID, [x, y, z], ellipsoidBall(x, y, z), Math.max(x, y, z));
    }
    case 'halfspace': {
      const normal = numberList(description.normal, `${field}.normal`, 'an array of 3 numbers', (n) => n === 3);
      const [x, y, z] = Array.from(normal, (value, i) => finiteNumber(value, `${field}.normal[${i}]`, round));
      const longest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
      if (longest === 0) invalidInput(`${field}.normal`, Array.from(normal), 'a vector that is not zero');
      const length = longest * Math.hypot(x / longest, y / longest, z / longest);
      const offset = lengthNumber(description.offset, `${field}.offset`, round);
      const shape = core(CORE_HALFSPACE, [x / length, y / length, z / length], offset, 0);
      shape.given = [x, y, z];
      return shape;
    }
    case 'triangle':
      return hullData(
        numberList(description.points, `${field}.points`, 'an array of 9 numbers', (n) => n === 9),
        rounding(description),
        `${field}.points`,
        round,
      );
    case 'hull':
      return hullData(
        numberList(
          description.points,
          `${field}.points`,
          'x, y, z of at least one point, in a flat array of 3n numbers',
          (n) => n >= 3 && n % 3 === 0,
        ),
        rounding(description),
        `${field}.points`,
        round,
      );
    case 'compound':
      return ofParts(readCompound(description, field, round, (part, name) => readDescription(part, name, round)));
    case 'mesh':
      return ofParts(readMesh(description, field, round));
    default:
      return invalidInput(
        `${field}.type`,
        (description as { type?: unknown }).type,
        "'sphere', 'box', 'capsule', 'triangle', 'hull', 'cylinder', 'cone', 'ellipsoid', 'halfspace', 'compound' or 'mesh'",
      );
  }
}

// `core` and `hullData` write all fields, in the same order and without a spread, so that all shapes have one hidden class. Queries of
// boxes on the CPU took twice as long when they had many.

function core(
  kind: number,
  halfExtents: [number, number, number],
  radius: number,
  boundingRadius = Math.hypot(...halfExtents) + radius,
): ShapeData {
  const vertices = new Float64Array(0);
  const { middle, coreVertices, middleRadius } = aboutOrigin(3, vertices, boundingRadius);
  return {
    middle,
    coreVertices,
    middleRadius,
    kind,
    halfExtents,
    radius,
    boundingRadius,
    takesSat: kind === CORE_BOX,
    extent: kind === CORE_HALFSPACE ? Math.abs(radius) : boundingRadius,
    vertices,
    pointIndices: new Uint32Array(0),
    edges: new Uint32Array(0),
    facePlanes: new Float64Array(0),
    faceVertices: new Uint32Array(0),
    faceStart: new Uint32Array(1),
    supportCells: NO_CELLS,
    gaussMap: kind === CORE_BOX ? boxGaussMap(halfExtents) : NO_GAUSS_MAP,
    parts: undefined,
    given: undefined,
  };
}

function ofParts({ boundingRadius, ...parts }: ReadParts<ShapeData>): ShapeData {
  return Object.assign(core(CORE_PARTS, [0, 0, 0], 0, boundingRadius), parts);
}

/** The shape of a mesh whose vertices have moved. Throws `INVALID_INPUT` for other shapes, with `id` in the message. */
export function moveMesh({ parts }: ShapeData, id: number, positions: unknown): ShapeData {
  if (parts?.type !== 'mesh') invalidInput('id', id, 'the id of a mesh');
  const moved = ofParts(readMovedMesh(parts, positions, 'positions', Math.fround));
  expectExtent('positions', moved.extent, Math.fround);
  return moved;
}

/** Cells along an edge of the cube for a number of vertices: on average two candidates per cell. */
function cellResolution(vertexCount: number): number {
  return Math.min(Math.ceil(Math.sqrt(vertexCount)), 64);
}

/** A hull that few supports are asked of: all its vertices are tried, and no cells are made. For the reference only. */
export function makePlainHull(points: readonly number[]): ShapeData {
  return hullData(points, 0, 'points', (value) => value, allOf);
}

function cellsOf({ vertices, surfaceNeighbours }: Hull): SupportCells {
  return makeSupportCells(vertices, surfaceNeighbours, cellResolution(vertices.length / 3));
}

function hullData(
  points: NumberList,
  radius: number,
  field: string,
  round: (value: number) => number,
  makeCells = cellsOf,
): ShapeData {
  const rounded = allocate(field, Float64Array, points.length);
  for (let i = 0; i < points.length; i++) {
    rounded[i] = lengthNumber(points[i], `${field}[${i}]`, round);
  }
  const hull = buildHull(rounded);
  const count = hull.vertices.length / 3;
  if (count > MAX_HULL_VERTICES) {
    throw new NarrowphaseError(
      'LIMIT_EXCEEDED',
      `${field} has ${count} hull vertices, expected at most ${MAX_HULL_VERTICES}`,
    );
  }
  let coreRadius = 0;
  for (let i = 0; i < hull.vertices.length; i += 3) {
    coreRadius = Math.max(coreRadius, Math.hypot(hull.vertices[i], hull.vertices[i + 1], hull.vertices[i + 2]));
  }
  const [x, y, z] = centroid(hull);
  const { middle, coreVertices, middleRadius } = coreMiddle(hull.vertices, 3, radius, coreRadius + radius);
  const { faceStart, faceVertices } = faceLoops(hull);
  return {
    middle,
    coreVertices,
    middleRadius,
    kind: count <= 3 ? CORE_TRIANGLE : CORE_HULL,
    halfExtents: [round(x), round(y), round(z)],
    radius,
    boundingRadius: coreRadius + radius,
    takesSat: false,
    extent: coreRadius + radius,
    vertices: hull.vertices,
    pointIndices: hull.source,
    edges: hull.edges,
    facePlanes: hull.facePlanes,
    faceVertices,
    faceStart,
    supportCells: makeCells(hull),
    gaussMap: withOffsets(hull.gaussMap, coreVertices),
    parts: undefined,
    given: 3 * count < points.length ? rounded : undefined,
  };
}

function allOf({ vertices }: Hull): SupportCells {
  return allVertices(vertices.length / 3);
}
