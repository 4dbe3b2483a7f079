/**
 * Whether a device can be used. Adapters whose drivers are broken or blocked give devices too: some are lost at once,
 * some compile nothing, some compute nothing or never end, and some give workgroup memory no length. So kernels of the
 * package run as in a query, from compiling to reading back.
 */
import { NarrowphaseError } from '../api/errors.ts';
import {
  COUNTS_HITS,
  COUNTS_PAIRS,
  COUNTS_STATUSES,
  INFO_HIT,
  LIST_HEADER,
  STATUS_OVERLAPPING,
  STATUS_SEPARATED,
} from '../generated/constants.ts';
import { kernels } from '../generated/kernel-table.ts';
import { layouts } from '../generated/layouts.ts';
import { packRecord } from '../records/record.ts';
import type { BufferPool } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import { record, type KernelVariant } from './kernels.ts';
import { DISPATCH_BYTES } from './query-buffers.ts';
import { encodeCopies, readCopies } from './read-back.ts';
import { createSession, type Session } from './session.ts';

const COUNTING: KernelVariant = { kernel: 'count-statuses' };
const LISTING: KernelVariant[] = [
  { kernel: 'compact-count' },
  { kernel: 'compact-scan' },
  { kernel: 'compact-scatter' },
];

/** Records of one word each: two pairs that overlap, which are hits, and one apart between them. */
const RECORDS = Uint32Array.of(STATUS_OVERLAPPING | INFO_HIT, STATUS_SEPARATED, STATUS_OVERLAPPING | INFO_HIT);
const SIZES = { pairCount: RECORDS.length, pairCapacity: RECORDS.length, wordCount: 1, infoWord: 0, gridWidth: 1 };

/** Words of the counts, and what they are for these records. */
const EXPECTED_COUNTS = [
  [COUNTS_PAIRS, 3],
  [COUNTS_HITS, 2],
  [COUNTS_STATUSES + STATUS_SEPARATED, 1],
  [COUNTS_STATUSES + STATUS_OVERLAPPING, 2],
];
/** The same of the list of the hits: where its only class starts, how many there are, and which. */
const EXPECTED_LIST = [
  [0, 0],
  [1, 2],
  [LIST_HEADER, 0],
  [LIST_HEADER + 1, 2],
];

/** Throws what is wrong with the device: `LIMIT_EXCEEDED`, `DEVICE_LOST`, `SHADER` or `OUT_OF_MEMORY`. */
export async function tryDevice(device: GPUDevice): Promise<void> {
  expectLimits(device.limits);
  const session = createSession(device, false, () => {});
  try {
    await session.orLost(session.kernels.prepare([COUNTING, ...LISTING]));
    const [counts, list] = await session.orLost(countAndList(session));
    expectWords('count-statuses: counts', counts, EXPECTED_COUNTS);
    expectWords('compact-scatter: list', list, EXPECTED_LIST);
  } finally {
    session.destroy();
  }
}

function expectWords(what: string, words: Uint32Array, expected: readonly (readonly number[])[]): void {
  for (const [word, value] of expected) {
    if (words[word] !== value)
      throw new NarrowphaseError('SHADER', `kernel ${what}[${word}] is ${words[word]}, expected ${value}`);
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

async function countAndList({ device, kernels: compiled, pool }: Session): Promise<Uint32Array[]> {
  const { result, verdict } = scoped(device, () => {
    const records = pool.upload('trial.records', RECORDS);
    const counts = pool.get('trial.counts', layouts.Counts.size);
    const list = pool.get('trial.list', 4 * (LIST_HEADER + RECORDS.length));
    const encoder = device.createCommandEncoder({ label: 'trial' });
    const pass = encoder.beginComputePass({ label: 'trial.pass' });
    record(pass, [compiled.bind(COUNTING, countingBuffers(pool, records, counts), 1)]);
    const listing = listingBuffers(pool, records, list);
    record(
      pass,
      LISTING.map((variant) => compiled.bind(variant, listing, 1)),
    );
    pass.end();
    const regions = [counts, list].map((buffer) => ({ buffer, offset: 0, size: buffer.size }));
    const staging = encodeCopies(pool, encoder, regions);
    device.queue.submit([encoder.finish()]);
    return { staging, regions };
  });
  await verdict;
  const copies = await readCopies(result.staging, result.regions);
  return copies.map((copy) => new Uint32Array(copy));
}

function countingBuffers(pool: BufferPool, records: GPUBuffer, counts: GPUBuffer): Record<string, GPUBuffer> {
  const parameters = packRecord(layouts.RecordParameters, {
    ...SIZES,
    gatherCapacity: 0,
    callersWorkgroupSize: 1,
    callersRowLength: 1,
  });
  return {
    parameters: pool.uniform('trial.ofCounts', parameters),
    records,
    counts,
    dispatch: pool.get('trial.dispatch', DISPATCH_BYTES),
  };
}

function listingBuffers(pool: BufferPool, records: GPUBuffer, list: GPUBuffer): Record<string, GPUBuffer> {
  const parameters = packRecord(layouts.CompactParameters, {
    ...SIZES,
    bodyCount: 0,
    shapeCount: 0,
    mask: INFO_HIT,
    classCount: 1,
    shapeWords: 0,
    kindWord: 0,
    countWord: 1,
    firstEntry: LIST_HEADER,
    classes: [],
  });
  // With one class, nothing is read of shapes, bodies and pairs.
  const unread = records;
  return {
    parameters: pool.uniform('trial.ofList', parameters),
    records,
    blockSums: pool.get('trial.blockSums', 4),
    list,
    shapeRecords: unread,
    bodyShapes: unread,
    pairs: unread,
  };
}
