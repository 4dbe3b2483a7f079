/** Results of `rayCasts` with `results: 'all'`: every body that each ray meets, in the order of rays, times and bodies. */
import { Status } from '../api/types.ts';
import { resultArrays } from '../records/create-result.ts';
import { rayFieldsOf } from '../records/result-fields.ts';
import { allocate } from '../util/arrays.ts';
import { sortSlots } from '../util/sort-slots.ts';
import type { Dimension } from './dimension.ts';
import { createRayHits, timeOf, writeHit, type ImpactRecord, type RaySink } from './ray-hits.ts';

/** Impacts that a new list has room for. */
const LEAST_ROOM = 2 ** 8;

/** Impacts in the order in which they were found. */
interface Impacts {
  count: number;
  rays: Uint32Array;
  bodies: Uint32Array;
  times: Float32Array;
  records: Uint32Array;
}

function createImpacts(room: number, words: number): Impacts {
  const name = 'hits of rays';
  return {
    count: 0,
    rays: allocate(name, Uint32Array, room),
    bodies: allocate(name, Uint32Array, room),
    times: allocate(name, Float32Array, room),
    records: allocate(name, Uint32Array, words * room),
  };
}

/** The same impacts with twice the room. */
function enlarged(impacts: Impacts, words: number): Impacts {
  const larger = createImpacts(2 * impacts.rays.length, words);
  for (const name of ['rays', 'bodies', 'times', 'records'] as const) larger[name].set(impacts[name]);
  larger.count = impacts.count;
  return larger;
}

/** Keeps all impacts of `rayCount` rays. `positions`: those of the bodies. */
export function createAllHits(
  space: Dimension,
  rayCount: number,
  positions: ArrayLike<number>,
  is64Bit: boolean,
  names: readonly string[],
  target: unknown,
): RaySink {
  const axes = space.dimension;
  const { words } = space.records.sizes.impacts;
  // Arrays of wrong types are refused before the rays are cast. How long they must be is known at the end.
  if (target !== undefined) resultArrays(rayFieldsOf(axes), names, 0, is64Bit, target);
  let found = createImpacts(LEAST_ROOM, words);
  let order: Uint32Array | undefined;

  function finish(): object {
    const { count, rays, bodies, records } = found;
    const hits = createRayHits(count, axes, is64Bit, names, target);
    const { result, status, ray } = hits;
    const record: ImpactRecord = { integers: records, floats: new Float32Array(records.buffer), at: 0 };
    let lastRay = -1;
    let raysWithHits = 0;
    for (let slot = 0; slot < count; slot++) {
      const i = order ? order[slot] : slot;
      record.at = words * i;
      writeHit(space, hits, slot, bodies[i], positions, record);
      if (ray) ray[slot] = rays[i];
      if (rays[i] === lastRay) continue;
      lastRay = rays[i];
      raysWithHits++;
      result.statusCounts[status[slot]]++;
    }
    result.statusCounts[Status.Separated] += rayCount - raysWithHits;
    return result;
  }

  return {
    latestTime: () => Infinity,
    keep(ray, body, record) {
      if (found.count === found.rays.length) found = enlarged(found, words);
      const { count, rays, bodies, times, records } = found;
      rays[count] = ray;
      bodies[count] = body;
      times[count] = timeOf(space, record);
      for (let word = 0; word < words; word++) records[words * count + word] = record.integers[record.at + word];
      found.count++;
    },
    *sort() {
      const { count, rays, bodies, times } = found;
      // Bits of numbers that are not negative have the order of the numbers.
      const timeBits = new Uint32Array(times.buffer, 0, count);
      order = yield* sortSlots(rays.subarray(0, count), timeBits, bodies.subarray(0, count));
    },
    finish,
  };
}
