/**
 * Bodies of parts: compounds, whose parts are convex shapes in the compound's frame, and meshes, whose parts are
 * triangles. Kernels and the reference answer for pairs of convex shapes. The floor src/parts makes those of bodies.
 */
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type {
  CompoundDescription,
  MeshDescription,
  NumberList,
  PartDescription,
  ShapeDescription,
} from '../api/shapes.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import { allocate } from '../util/arrays.ts';
import { expectKnown, namesOf } from '../util/known.ts';
import { isCurved } from './kinds.ts';
import { finiteNumber, lengthNumber, numberList, type Rounding } from './fields.ts';

/** What is looked at of a part's shape. */
interface PartShape {
  kind: number;
  boundingRadius: number;
  parts?: unknown;
}

/** Convex parts in the compound's frame. */
export interface Compound<Shape> {
  readonly type: 'compound';
  readonly shapes: readonly Shape[];
  /** x, y, z per part. */
  readonly positions: Float64Array;
  /** Unit quaternion x, y, z, w per part. */
  readonly quaternions: Float64Array;
  readonly scales: Float64Array;
}

export interface Mesh {
  readonly type: 'mesh';
  /** x, y, z per vertex. */
  readonly positions: Float64Array;
  /** Three vertices per triangle. Meshes that differ only in the places of their vertices have the same array. */
  readonly indices: Uint32Array;
  /** Whether only the side from which a triangle is counter-clockwise is surface. */
  readonly isFront: boolean;
}

export type Parts<Shape> = Compound<Shape> | Mesh;

/** Parts, and the greatest distance of any of them from the body's origin. */
export interface ReadParts<Shape> {
  parts: Parts<Shape>;
  boundingRadius: number;
  /** The quaternions of a compound's parts before they were normalised. */
  given?: Float64Array;
}

/** Whether a shape is a cylinder, a cone or an ellipsoid, or has such a part. */
export function hasCurvedPart({ kind, parts }: { kind: number; parts?: Parts<{ kind: number }> }): boolean {
  return isCurved(kind) || (parts?.type === 'compound' && parts.shapes.some((part) => isCurved(part.kind)));
}

/** Most triangles of a mesh and parts of a compound: a pair of parts has one number below 2^53. */
const MOST_PARTS = 2 ** 26;

const PART_FIELDS = namesOf<PartDescription>({ shape: true, position: true, quaternion: true, scale: true });

/**
 * The parts of a compound, checked, and the greatest distance of any of them from the compound's origin. `readShape` makes
 * the shape of a part.
 */
export function readCompound<Shape extends PartShape>(
  { parts }: CompoundDescription,
  field: string,
  round: Rounding,
  readShape: (description: ShapeDescription, field: string) => Shape,
): ReadParts<Shape> {
  if (!Array.isArray(parts) || parts.length === 0)
    invalidInput(`${field}.parts`, parts, 'an array of at least one { shape, position?, quaternion?, scale? }');
  expectPartCount(`${field}.parts`, parts.length);
  const count = parts.length;
  const positions = allocate(`${field}.parts`, Float64Array, 3 * count);
  const given = allocate(`${field}.parts`, Float64Array, 4 * count);
  const scales = allocate(`${field}.parts`, Float64Array, count);
  let boundingRadius = 0;
  const shapes = Array.from({ length: count }, (_, i) => {
    const part: PartDescription = parts[i];
    const name = `${field}.parts[${i}]`;
    if (typeof part !== 'object' || part === null)
      invalidInput(name, part, '{ shape, position?, quaternion?, scale? }');
    expectKnown(part, name, PART_FIELDS, 'for a part');
    const shape = readShape(part.shape, `${name}.shape`);
    if (shape.parts || shape.kind === CORE_HALFSPACE)
      invalidInput(`${name}.shape.type`, part.shape.type, 'the type of a bounded convex shape');
    writePlace(part, name, round, positions.subarray(3 * i, 3 * i + 3), given.subarray(4 * i, 4 * i + 4));
    scales[i] = scaleOf(part, name, round);
    const reach = Math.hypot(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    boundingRadius = Math.max(boundingRadius, reach + scales[i] * shape.boundingRadius);
    return shape;
  });
  const quaternions = given.slice();
  for (let i = 0; i < quaternions.length; i += 4) {
    const turn = quaternions.subarray(i, i + 4);
    const length = Math.hypot(...turn);
    for (let k = 0; k < 4; k++) turn[k] /= length;
  }
  return { parts: { type: 'compound', shapes, positions, quaternions, scales }, boundingRadius, given };
}

function writePlace(
  { position = [0, 0, 0], quaternion = [0, 0, 0, 1] }: PartDescription,
  field: string,
  round: Rounding,
  toPosition: Float64Array,
  toQuaternion: Float64Array,
): void {
  const place = numberList(position, `${field}.position`, 'an array of 3 numbers', (n) => n === 3);
  for (let k = 0; k < 3; k++) toPosition[k] = lengthNumber(place[k], `${field}.position[${k}]`, round);
  const turn = numberList(quaternion, `${field}.quaternion`, 'an array of 4 numbers', (n) => n === 4);
  for (let k = 0; k < 4; k++) toQuaternion[k] = finiteNumber(turn[k], `${field}.quaternion[${k}]`, round);
  if (!(Math.hypot(...toQuaternion) >= 1e-6))
    invalidInput(`${field}.quaternion`, Array.from(turn), 'numbers of length at least 1e-6');
}

export function scaleOf({ scale = 1 }: Pick<PartDescription, 'scale'>, field: string, round: Rounding): number {
  const rounded = finiteNumber(scale, `${field}.scale`, round);
  if (!(rounded > 0)) invalidInput(`${field}.scale`, scale, 'a finite number above 0');
  return lengthNumber(rounded, `${field}.scale`, round);
}

/** The triangles of a mesh, checked, and the greatest distance of any of them from the mesh's origin. */
export function readMesh(description: MeshDescription, field: string, round: Rounding): ReadParts<never> {
  const given = numberList(
    description.positions,
    `${field}.positions`,
    'x, y, z of at least one vertex, in a flat array of 3n numbers',
    (n) => n >= 3 && n % 3 === 0,
  );
  const corners = numberList(
    description.indices,
    `${field}.indices`,
    'three vertices of at least one triangle, in a flat array of 3n numbers',
    (n) => n >= 3 && n % 3 === 0,
  );
  expectPartCount(`${field}.indices`, corners.length / 3);
  const positions = readCoordinates(given, `${field}.positions`, round);
  const indices = allocate(`${field}.indices`, Uint32Array, corners.length);
  const count = given.length / 3;
  for (let i = 0; i < corners.length; i++) {
    const vertex = corners[i];
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < count))
      invalidInput(`${field}.indices[${i}]`, vertex, `a vertex below the ${count} vertices`);
    indices[i] = vertex;
  }
  const { sides = 'both' } = description;
  const isFront = sides === 'front';
  if (!isFront && sides !== 'both') invalidInput(`${field}.sides`, sides, "'both' or 'front'");
  return withRadius({ type: 'mesh', positions, indices, isFront });
}

/** The same triangles with their vertices at other positions, which are checked. */
export function readMovedMesh(mesh: Mesh, positions: unknown, field: string, round: Rounding): ReadParts<never> {
  const { length } = mesh.positions;
  const expected = `x, y, z of the mesh's ${length / 3} vertices, in a flat array of ${length} numbers`;
  const given = numberList(positions, field, expected, (n) => n === length);
  return withRadius({ ...mesh, positions: readCoordinates(given, field, round) });
}

function readCoordinates(given: NumberList, field: string, round: Rounding): Float64Array {
  const positions = allocate(field, Float64Array, given.length);
  for (let i = 0; i < given.length; i++) positions[i] = lengthNumber(given[i], `${field}[${i}]`, round);
  return positions;
}

/** A mesh, and the greatest distance of a triangle from its origin. */
function withRadius(mesh: Mesh): ReadParts<never> {
  const { positions, indices } = mesh;
  let squared = 0;
  for (const vertex of indices) {
    const x = positions[3 * vertex];
    const y = positions[3 * vertex + 1];
    const z = positions[3 * vertex + 2];
    squared = Math.max(squared, x * x + y * y + z * z);
  }
  return { parts: mesh, boundingRadius: Math.sqrt(squared) };
}

export function expectPartCount(field: string, count: number): void {
  if (count > MOST_PARTS)
    throw new NarrowphaseError('LIMIT_EXCEEDED', `${field} has ${count} parts, expected at most ${MOST_PARTS}`);
}
