/** Screens the numbers of a query part by part, which threads do side by side. */
import { someBodies } from '../records/bodies.ts';
import {
  areBelow,
  areCoordinates,
  arePoses,
  areScales,
  areSpeeds,
  findUnboundedPair,
  type KnownShapes,
} from '../records/screens.ts';
import type { QueryRequest } from './backend.ts';
import { certainSpeedFor } from './certain-speed.ts';

/** One of the equal parts that a query's bodies are cut into, and its pairs. */
export interface Part {
  index: number;
  of: number;
}

/** Whether `check` of the request would accept the numbers of this part. Some that it would accept fail as well. */
export function passesScreens(
  request: Pick<QueryRequest, 'bodies' | 'pairs' | 'motion'>,
  table: KnownShapes,
  dimension: 2 | 3,
  part: Part,
): boolean {
  const { shapes } = request.bodies;
  const [first, end] = rangeOf(part, shapes.length);
  const bodies = someBodies(request.bodies, first, end);
  if (!arePoses(bodies, table) || (bodies.scales && !areScales(bodies.scales, table))) return false;

  const [firstPair, endPair] = rangeOf(part, request.pairs.length / 2);
  const pairs = request.pairs.subarray(2 * firstPair, 2 * endPair);
  if (!areBelow(pairs, shapes.length)) return false;
  if (dimension === 3 && findUnboundedPair(shapes, pairs, table) >= 0) return false;

  if (!request.motion) return true;
  const { linear, angular, duration } = request.motion;
  const axes = dimension === 2 ? 1 : 3;
  if (!areCoordinates(linear.subarray(dimension * first, dimension * end))) return false;
  return !angular || areSpeeds(angular.subarray(axes * first, axes * end), axes, certainSpeedFor(duration));
}

function rangeOf({ index, of }: Part, count: number): [first: number, end: number] {
  return [Math.floor((count * index) / of), Math.floor((count * (index + 1)) / of)];
}
