/**
 * Whether a device can be used. Adapters whose drivers are broken or blocked give devices too: some are lost at once,
 * some compile nothing, some compute nothing or never end. So a kernel of the package runs as in a query, from
 * compiling to reading back.
 */
import { NarrowphaseError } from '../api/errors.ts';
import {
  COUNTS_HITS,
  COUNTS_PAIRS,
  COUNTS_STATUSES,
  INFO_HIT,
  STATUS_OVERLAPPING,
  STATUS_SEPARATED,
} from '../generated/constants.ts';
import { kernels } from '../generated/kernel-table.ts';
import { layouts } from '../generated/layouts.ts';
import { packRecord } from '../records/record.ts';
import { USAGE } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import { record, type KernelVariant } from './kernels.ts';
import { DISPATCH_BYTES } from './query-buffers.ts';
import { encodeCopies, readCopies } from './read-back.ts';
import { createSession, type Session } from './session.ts';

const COUNT_STATUSES: KernelVariant = { kernel: 'count-statuses' };

/** Records of one word each: two pairs apart and one that overlaps, which is a hit. */
const RECORDS = Uint32Array.of(STATUS_SEPARATED, STATUS_OVERLAPPING | INFO_HIT, STATUS_SEPARATED);
/** Words of the counts, and what they are for these records. */
const EXPECTED = [
  [COUNTS_PAIRS, 3],
  [COUNTS_HITS, 1],
  [COUNTS_STATUSES + STATUS_SEPARATED, 2],
  [COUNTS_STATUSES + STATUS_OVERLAPPING, 1],
];
const PARAMETERS = {
  pairCount: RECORDS.length,
  pairCapacity: RECORDS.length,
  wordCount: 1,
  infoWord: 0,
  gridWidth: 1,
  gatherCapacity: 0,
  callersWorkgroupSize: 1,
  callersRowLength: 1,
};

/** Throws what is wrong with the device: `LIMIT_EXCEEDED`, `DEVICE_LOST`, `SHADER` or `OUT_OF_MEMORY`. */
export async function tryDevice(device: GPUDevice): Promise<void> {
  expectLimits(device.limits);
  const session = createSession(device, false, () => {});
  try {
    await session.orLost(session.kernels.prepare([COUNT_STATUSES]));
    const counts = await session.orLost(countStatuses(session));
    for (const [word, expected] of EXPECTED) {
      if (counts[word] === expected) continue;
      throw new NarrowphaseError(
        'SHADER',
        `kernel count-statuses: counts[${word}] is ${counts[word]}, expected ${expected}`,
      );
    }
  } finally {
    session.destroy();
  }
}

/** Throws `LIMIT_EXCEEDED` where the limits, of an adapter or a device, are below what a kernel needs. */
export function expectLimits(limits: GPUSupportedLimits): void {
  const all = Object.values(kernels);
  const invocations = Math.max(...all.map(({ workgroupSize }) => workgroupSize));
  const storageBuffers = all.map(({ bindings }) => {
    return Object.values(bindings).filter(({ type }) => type !== 'uniform').length;
  });
  const needed = {
    maxStorageBuffersPerShaderStage: Math.max(...storageBuffers),
    maxComputeInvocationsPerWorkgroup: invocations,
    maxComputeWorkgroupSizeX: invocations,
  };
  for (const [name, least] of Object.entries(needed)) {
    const limit = limits[name as keyof typeof needed];
    if (limit < least) {
      throw new NarrowphaseError('LIMIT_EXCEEDED', `limits.${name} is ${limit}, expected at least ${least}`);
    }
  }
}

async function countStatuses({ device, kernels: compiled, pool }: Session): Promise<Uint32Array> {
  const { result, verdict } = scoped(device, () => {
    const parameters = packRecord(layouts.RecordParameters, PARAMETERS);
    const counts = pool.get('trial.counts', layouts.Counts.size);
    const encoder = device.createCommandEncoder({ label: 'trial' });
    const pass = encoder.beginComputePass({ label: 'trial.countStatuses' });
    const buffers = {
      parameters: pool.upload('trial.parameters', parameters, USAGE.UNIFORM | USAGE.COPY_DST),
      records: pool.upload('trial.records', RECORDS),
      counts,
      dispatch: pool.get('trial.dispatch', DISPATCH_BYTES),
    };
    record(pass, [compiled.bind(COUNT_STATUSES, buffers, 1)]);
    pass.end();
    const regions = [{ buffer: counts, offset: 0, size: layouts.Counts.size }];
    const staging = encodeCopies(pool, encoder, regions);
    device.queue.submit([encoder.finish()]);
    return { staging, regions };
  });
  await verdict;
  const [counts] = await readCopies(result.staging, result.regions);
  return new Uint32Array(counts);
}
