/**
 * 2-D bodies of parts: compounds of convex shapes, and chains of segments. A part of either is a convex shape in the frame of its
 * body (planar-part-shapes.ts). Kernels and the reference answer for pairs of convex shapes. The floor src/parts makes those of
 * bodies.
 */
import { invalidInput } from '../api/errors.ts';
import type { NumberList } from '../api/shapes.ts';
import type {
  ChainDescription,
  PlanarCompoundDescription,
  PlanarPartDescription,
  PlanarShapeDescription,
} from '../api/planar-shapes.ts';
import { allocate } from '../util/arrays.ts';
import { expectKnown, namesOf } from '../util/known.ts';
import { finiteNumber, lengthNumber, numberList, type Rounding } from './fields.ts';
import { expectPartCount, scaleOf } from './parts.ts';

/** What is looked at of a part's shape. */
interface PartShape {
  boundingRadius: number;
  parts?: unknown;
}

/** Convex parts in frames of their own. */
export interface PlanarCompound<Shape> {
  readonly type: 'compound';
  readonly shapes: readonly Shape[];
  /** x, y per part. */
  readonly positions: Float64Array;
  /** Radians, counter-clockwise, per part. */
  readonly angles: Float64Array;
  readonly scales: Float64Array;
}

export interface Chain {
  readonly type: 'chain';
  /** x, y per point. */
  readonly points: Float64Array;
  readonly isLoop: boolean;
  /** Whether only the right side of each segment is surface. */
  readonly isFront: boolean;
}

export type PlanarParts<Shape> = PlanarCompound<Shape> | Chain;

/** Parts, and the greatest distance of any of them from the body's origin. */
export interface ReadPlanarParts<Shape> {
  parts: PlanarParts<Shape>;
  boundingRadius: number;
}

export function planarPartCount(parts: PlanarParts<unknown>): number {
  if (parts.type === 'compound') return parts.shapes.length;
  return parts.points.length / 2 - (parts.isLoop ? 0 : 1);
}

const PART_FIELDS = namesOf<PlanarPartDescription>({ shape: true, position: true, angle: true, scale: true });

/** The parts of a compound, checked. `readShape` makes the shape of a part. */
export function readPlanarCompound<Shape extends PartShape>(
  { parts }: PlanarCompoundDescription,
  field: string,
  round: Rounding,
  readShape: (description: PlanarShapeDescription, field: string) => Shape,
): ReadPlanarParts<Shape> {
  if (!Array.isArray(parts) || parts.length === 0)
    invalidInput(`${field}.parts`, parts, 'an array of at least one { shape, position?, angle?, scale? }');
  expectPartCount(`${field}.parts`, parts.length);
  const count = parts.length;
  const positions = allocate(`${field}.parts`, Float64Array, 2 * count);
  const angles = allocate(`${field}.parts`, Float64Array, count);
  const scales = allocate(`${field}.parts`, Float64Array, count);
  let boundingRadius = 0;
  const shapes = Array.from({ length: count }, (_, i) => {
    const part: PlanarPartDescription = parts[i];
    const name = `${field}.parts[${i}]`;
    if (typeof part !== 'object' || part === null) invalidInput(name, part, '{ shape, position?, angle?, scale? }');
    expectKnown(part, name, PART_FIELDS, 'for a part');
    const shape = readShape(part.shape, `${name}.shape`);
    if (shape.parts) invalidInput(`${name}.shape.type`, part.shape.type, 'the type of a convex shape');
    const { position = [0, 0], angle = 0 } = part;
    const place = numberList(position, `${name}.position`, 'an array of 2 numbers', (n) => n === 2);
    for (let k = 0; k < 2; k++) positions[2 * i + k] = lengthNumber(place[k], `${name}.position[${k}]`, round);
    angles[i] = finiteNumber(angle, `${name}.angle`, round);
    scales[i] = scaleOf(part, name, round);
    const reach = Math.hypot(positions[2 * i], positions[2 * i + 1]);
    boundingRadius = Math.max(boundingRadius, reach + scales[i] * shape.boundingRadius);
    return shape;
  });
  return { parts: { type: 'compound', shapes, positions, angles, scales }, boundingRadius };
}

/** The points of a chain, checked. */
export function readChain(description: ChainDescription, field: string, round: Rounding): ReadPlanarParts<never> {
  const { loop: isLoop = false, sides = 'both' } = description;
  if (typeof isLoop !== 'boolean') invalidInput(`${field}.loop`, isLoop, 'a boolean');
  const isFront = sides === 'front';
  if (!isFront && sides !== 'both') invalidInput(`${field}.sides`, sides, "'both' or 'front'");
  const least = isLoop ? 3 : 2;
  const given: NumberList = numberList(
    description.points,
    `${field}.points`,
    `x, y of at least ${least} points${isLoop ? ' of a loop' : ''}, in a flat array of 2n numbers`,
    (n) => n >= 2 * least && n % 2 === 0,
  );
  const count = given.length / 2;
  expectPartCount(`${field}.points`, isLoop ? count : count - 1);
  const points = allocate(`${field}.points`, Float64Array, given.length);
  let squared = 0;
  for (let i = 0; i < points.length; i += 2) {
    for (let k = i; k < i + 2; k++) points[k] = lengthNumber(given[k], `${field}.points[${k}]`, round);
    squared = Math.max(squared, points[i] * points[i] + points[i + 1] * points[i + 1]);
    if (i > 0) expectApart(points, i / 2 - 1, i / 2, field);
  }
  if (isLoop) expectApart(points, count - 1, 0, field);
  return { parts: { type: 'chain', points, isLoop, isFront }, boundingRadius: Math.sqrt(squared) };
}

/** Throws unless a segment has a length. */
function expectApart(points: Float64Array, from: number, to: number, field: string): void {
  const [x, y] = [points[2 * to], points[2 * to + 1]];
  if (points[2 * from] !== x || points[2 * from + 1] !== y) return;
  const expected = `a point that differs from its neighbour, point ${from}, in f32`;
  invalidInput(`${field}.points[${2 * to}..${2 * to + 1}]`, [x, y], expected);
}
