/** Screens the numbers of a query in parts, which workers do in parallel. */
import { someBodies } from '../records/bodies.ts';
import {
  areBelow,
  areCoordinates,
  areFinite,
  arePoses,
  areScales,
  findUnboundedPair,
  type KnownShapes,
} from '../records/screens.ts';
import type { BodyPairs } from './backend.ts';

/** Slice `index` of `of` equal slices, of the bodies and of the pairs. */
export interface Part {
  index: number;
  of: number;
}

/** Whether `check` accepts the bodies of this part and their motion. It may be false for numbers that `check` accepts. */
export function passesBodyScreens(
  over: Pick<BodyPairs, 'bodies' | 'motion'>,
  table: KnownShapes,
  dimension: 2 | 3,
  part: Part,
): boolean {
  const [first, end] = rangeOf(part, over.bodies.shapes.length);
  const bodies = someBodies(over.bodies, first, end);
  if (!arePoses(bodies, table) || (bodies.scales && !areScales(bodies.scales, table))) return false;
  if (!over.motion) return true;
  const { linear, angular } = over.motion;
  const axes = dimension === 2 ? 1 : 3;
  if (!areCoordinates(linear.subarray(dimension * first, dimension * end))) return false;
  return !angular || areFinite(angular.subarray(axes * first, axes * end));
}

/** Whether `check` accepts the pairs of this part. */
export function passesPairScreens(
  { bodies: { shapes }, pairs }: Pick<BodyPairs, 'bodies' | 'pairs'>,
  table: KnownShapes,
  dimension: 2 | 3,
  part: Part,
): boolean {
  const [first, end] = rangeOf(part, pairs.length / 2);
  const some = pairs.subarray(2 * first, 2 * end);
  return areBelow(some, shapes.length) && (dimension === 2 || findUnboundedPair(shapes, some, table) < 0);
}

function rangeOf({ index, of }: Part, count: number): [first: number, end: number] {
  return [Math.floor((count * index) / of), Math.floor((count * (index + 1)) / of)];
}
