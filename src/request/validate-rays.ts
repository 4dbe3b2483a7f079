/** Validation of rays, and of what is asked about them. */
import { invalidInput } from '../api/errors.ts';
import type { Rays } from '../api/motion.ts';
import { areCoordinates } from '../records/screens.ts';
import { LARGEST_SIZE, shownSize } from '../shapes/fields.ts';
import { expectArray } from '../util/arrays.ts';
import { expectKnown } from '../util/known.ts';
import { RAYS } from './options.ts';
import { expectCoordinate, fixedLengths } from './validate-bodies.ts';

/** Throws `INVALID_INPUT` unless `results` is a choice that ray casts have. */
export function expectRayResults(results: unknown = 'first'): void {
  if (results !== 'first' && results !== 'all') invalidInput('options.results', results, "'first' or 'all'");
}

/** Throws `INVALID_INPUT` unless every ray can be cast. Gives them as an object of its own, as bodies are. */
export function validateRays(rays: Rays, axes: number): Rays {
  if (typeof rays !== 'object' || rays === null)
    invalidInput('rays', rays, '{ origins, directions, maxTimes?, radii?, groups? }');
  expectKnown(rays, 'rays', RAYS);
  const { origins, directions, maxTimes, radii, groups } = fixedLengths({ ...rays });
  expectArray<Float32Array | Float64Array>('rays.origins', origins, Float32Array, Float64Array);
  if (origins.length % axes !== 0) invalidInput('rays.origins.length', origins.length, `a multiple of ${axes}`);
  const count = origins.length / axes;
  expectArray('rays.directions', directions, Float32Array);
  if (directions.length !== axes * count)
    invalidInput('rays.directions.length', directions.length, `${axes * count} for ${count} rays`);
  for (const [name, array] of [
    ['origins', origins],
    ['directions', directions],
  ] as const) {
    if (areCoordinates(array)) continue;
    for (let i = 0; i < array.length; i++) expectCoordinate(`rays.${name}`, array, i);
  }
  for (const [name, array, isEndless] of [
    ['maxTimes', maxTimes, true],
    ['radii', radii, false],
  ] as const) {
    if (array === undefined) continue;
    expectArray(`rays.${name}`, array, Float32Array);
    if (array.length !== count) invalidInput(`rays.${name}.length`, array.length, `${count} for ${count} rays`);
    for (let i = 0; i < count; i++) {
      if (!(array[i] >= 0 && (isEndless || array[i] < Infinity)))
        invalidInput(
          `rays.${name}[${i}]`,
          array[i],
          isEndless ? 'a number of at least 0' : 'a finite number of at least 0',
        );
      if (!isEndless && array[i] > LARGEST_SIZE)
        invalidInput(`rays.${name}[${i}]`, array[i], `a number of at most ${shownSize(LARGEST_SIZE)}`);
    }
  }
  if (groups !== undefined) {
    expectArray('rays.groups', groups, Uint32Array);
    if (groups.length !== count) invalidInput('rays.groups.length', groups.length, `${count} for ${count} rays`);
  }
  return { origins, directions, maxTimes, radii, groups };
}
