/** Rays in such numbers that a backend has requests for them. */
import type { Rays } from '../../src/api/types.ts';

/** More than are cast on the CPU at once. */
const MANY = 65;

/** The same rays again and again. The first answers are theirs. */
export function manyRays<R extends Rays>(axes: number, rays: R): R {
  const count = rays.origins.length / axes;
  const times = Math.ceil(MANY / count);
  const repeat = (array: Float32Array | Float64Array | Uint32Array): unknown => {
    const all = new (array.constructor as Float32ArrayConstructor)(times * array.length);
    for (let i = 0; i < times; i++) all.set(array, i * array.length);
    return all;
  };
  return Object.fromEntries(Object.entries(rays).map(([name, array]) => [name, array && repeat(array)])) as R;
}
