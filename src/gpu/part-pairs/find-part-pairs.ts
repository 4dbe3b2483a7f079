/**
 * Finds pairs of parts on the device: uploads what it does not have of the shapes, searches a range of pairs of bodies at
 * a time, and reads back what is found.
 */
import { TEST_ANY, TEST_MEETING, TEST_NEAR } from '../../generated/constants.ts';
import { partLayouts } from '../../generated/part-layouts.ts';
import { packRecord } from '../../records/record.ts';
import { throwIfAborted } from '../../request/abort.ts';
import type { PartPairs, PartPairsRequest, PartSource, PartTest } from '../../request/part-pairs.ts';
import { allocate } from '../../util/arrays.ts';
import { nextTurn } from '../../util/turns.ts';
import type { DeviceState } from '../device-slot.ts';
import { encodePass } from '../encode-query.ts';
import { scoped } from '../error-scopes.ts';
import { encodeCopies, readCopies, type Region } from '../read-back.ts';
import type { Session } from '../session.ts';
import { packPlacements } from './placements.ts';
import { bindPartOrder, bindPartSearch, mostRooms, partPairVariants, type PartRooms } from './search.ts';
import { createShelves, haveRoom, uploadSources, type Shelves } from './sources.ts';

/** Stages in one submission. Most searches end within so many. */
const STAGES_AT_ONCE: Record<PartTest, number> = { near: 16, meeting: 16, any: 8 };

/** Bytes that are read back at a time. */
const READ_BYTES = 2 ** 26;

const TESTS: Record<PartTest, number> = { near: TEST_NEAR, meeting: TEST_MEETING, any: TEST_ANY };

/** What a device keeps from search to search. */
interface Memory {
  shelves: Shelves;
  rooms: PartRooms;
}

const memories = new WeakMap<Session, Memory>();

const FIRST_ROOMS: PartRooms = { items: 2 ** 15, candidates: 2 ** 14, found: 2 ** 14 };

/** Compiles what `findPartPairsOnDevice` needs. */
export function prepareToFindParts({ kernels, orLost }: Session): Promise<void> {
  return orLost(kernels.prepare(partPairVariants()));
}

/**
 * The pairs of parts; undefined if the device has no buffers large enough, or if f32 has no room for the lengths of a
 * pair. `rooms`: those to begin with. What has no room in them is counted, and the search runs again with more. After
 * `OUT_OF_MEMORY`, the next search begins with the first rooms again.
 */
export async function findPartPairsOnDevice(
  state: DeviceState,
  request: PartPairsRequest,
  rooms?: PartRooms,
): Promise<PartPairs | undefined> {
  const { session } = state;
  const { sources, count, signal } = request;
  const memory = memories.get(session) ?? { shelves: createShelves(), rooms: { ...FIRST_ROOMS } };
  memories.set(session, memory);
  if (rooms) memory.rooms = { ...rooms };
  const { maxStorageBufferBindingSize, maxBufferSize } = session.device.limits;
  const mostBytes = Math.min(maxStorageBufferBindingSize, maxBufferSize);
  if (!haveRoom(sources, mostBytes)) return undefined;
  await prepareToFindParts(session);
  await upload(session, memory.shelves, request);

  const most = mostRooms(mostBytes);
  const parts: PartPairs[] = [];
  const greatestPart = sources.reduce((greatest, source) => Math.max(greatest, partCount(source) - 1), 0);
  /** Ranges that have not been searched, the next one last. */
  const waiting: [first: number, end: number][] = [[0, count]];
  for (let range = waiting.pop(); range; range = waiting.pop()) {
    const [first, end] = range;
    throwIfAborted(signal);
    const found = await searchRange(session, memory, most, request, first, end, greatestPart).catch((error) => {
      memory.rooms = { ...FIRST_ROOMS };
      throw error;
    });
    if (found === 'unplaceable' || (!found && end - first === 1)) return undefined;
    if (found) {
      parts.push(found);
      continue;
    }
    const middle = Math.ceil((first + end) / 2);
    waiting.push([middle, end], [first, middle]);
  }
  return parts.length === 1 ? parts[0] : joined(parts, count);
}

/** Uploads what the device does not have of the shapes. */
async function upload(
  { device, pool, orLost }: Session,
  shelves: Shelves,
  { sources, signal }: PartPairsRequest,
): Promise<void> {
  const work = uploadSources(device, pool, shelves, sources);
  for (;;) {
    const { result: step, verdict } = scoped(device, () => work.next());
    await orLost(verdict);
    if (step.done) return;
    await nextTurn();
    throwIfAborted(signal);
  }
}

/** Undefined if the device has no room for what is found between two stages or in all. */
async function searchRange(
  session: Session,
  memory: Memory,
  most: PartRooms,
  request: PartPairsRequest,
  first: number,
  end: number,
  greatestPart: number,
): Promise<PartPairs | 'unplaceable' | undefined> {
  const { pool } = session;
  const placements = packPlacements(request, memory.shelves, first, end);
  if (!placements) return 'unplaceable';
  for (let isPlaced = false; ; isPlaced = true) {
    const outcome = await runStages(session, memory.rooms, request, end - first, isPlaced ? undefined : placements);
    const { needed } = outcome;
    const names = ['items', 'candidates', 'found'] as const;
    if (names.some((name) => needed[name] > most[name])) return undefined;
    const isRoom = names.every((name) => needed[name] <= memory.rooms[name]);
    if (isRoom) return readFound(session, request, outcome, first, greatestPart);
    // A search that ended too early needs more than was counted.
    for (const name of names) {
      if (needed[name] > memory.rooms[name]) memory.rooms[name] = Math.min(2 * needed[name], most[name]);
    }
    pool.ensureOpen();
  }
}

/** How a search ended. */
interface Outcome {
  /** If these are within the rooms, everything was found. */
  needed: PartRooms;
  verdicts: Uint8Array;
  boxTests: number;
  partTests: number;
}

/** Runs stages until nothing is left to search, or there is no room. `placements` are uploaded if they are given. */
async function runStages(
  session: Session,
  rooms: PartRooms,
  { test, signal }: PartPairsRequest,
  pairCount: number,
  placements: Uint32Array<ArrayBuffer> | undefined,
): Promise<Outcome> {
  const { device, kernels, pool } = session;
  for (let isFirst = true; ; isFirst = false) {
    throwIfAborted(signal);
    const { result, verdict } = scoped(device, () => {
      if (isFirst) {
        if (placements) pool.upload('partPairs.placements', placements);
        pool.upload('partPairs.stage', packRecord(partLayouts.PartStage, { ...NO_STAGE, itemCount: pairCount }));
      }
      const input = {
        placements: pool.get('partPairs.placements', 0),
        nodes: pool.get('partPairs.nodes', 0),
        triangles: pool.get('partPairs.triangles', 0),
        stage: pool.get('partPairs.stage', 0),
      };
      const bound = bindPartSearch({ kernels, pool, uniform: pool.uniform }, pairCount, TESTS[test], rooms, input);
      const encoder = device.createCommandEncoder({ label: 'partPairs' });
      if (isFirst) for (const buffer of bound.cleared) encoder.clearBuffer(buffer);
      const stages = Array.from({ length: STAGES_AT_ONCE[test] }, () => bound.stage).flat();
      encodePass(encoder, stages, { label: 'partPairs.stages' });
      const regions: Region[] = [
        { buffer: input.stage, offset: 0, size: partLayouts.PartStage.size },
        { buffer: bound.counters, offset: 0, size: partLayouts.PartCounters.size },
        { buffer: bound.verdicts, offset: 0, size: test === 'any' ? 4 * pairCount : 0 },
      ];
      const staging = encodeCopies(pool, encoder, regions);
      device.queue.submit([encoder.finish()]);
      return { staging, regions };
    });
    await session.orLost(verdict);
    const [stage, counters, verdicts] = await session.orLost(readCopies(result.staging, result.regions));
    const words = new Uint32Array(stage);
    const wordOf = (field: keyof typeof partLayouts.PartStage.fields, more = 0): number =>
      words[partLayouts.PartStage.fields[field].offset / 4 + more];
    if (wordOf('itemCount') > 0) continue;
    const sumOf = (field: 'boxTests' | 'partTests'): number => wordOf(field) + 2 ** 32 * wordOf(field, 1);
    return {
      needed: {
        items: wordOf('neededItems'),
        candidates: wordOf('neededCandidates'),
        found: new Uint32Array(counters)[partLayouts.PartCounters.fields.found.offset / 4],
      },
      verdicts: Uint8Array.from(new Uint32Array(verdicts)),
      boxTests: sumOf('boxTests'),
      partTests: sumOf('partTests'),
    };
  }
}

const NO_STAGE = {
  number: 0,
  itemCount: 0,
  firstItem: 0,
  candidateCount: 0,
  neededItems: 0,
  neededCandidates: 0,
  boxTests: [0, 0],
  partTests: [0, 0],
};

/** Sorts the list and reads it. */
async function readFound(
  session: Session,
  { count: pairCount, signal }: PartPairsRequest,
  { needed: { found: count }, verdicts, boxTests, partTests }: Outcome,
  firstPair: number,
  greatestPart: number,
): Promise<PartPairs> {
  const { device, kernels, pool } = session;
  const words = allocate('the pairs of parts', Uint32Array, 3 * count);
  const bytes = new Uint8Array(words.buffer);
  for (let offset = 0; offset < bytes.length; offset += READ_BYTES) {
    throwIfAborted(signal);
    const { result, verdict } = scoped(device, () => {
      const encoder = device.createCommandEncoder({ label: 'partPairs.read' });
      const context = { device, kernels, pool, uniform: pool.uniform };
      const order = bindPartOrder(context, count, [pairCount - 1, greatestPart, greatestPart]);
      if (offset === 0) encodePass(encoder, order.dispatches, { label: 'partPairs.order' });
      const regions = [{ buffer: order.columns, offset, size: Math.min(READ_BYTES, bytes.length - offset) }];
      const staging = encodeCopies(pool, encoder, regions);
      device.queue.submit([encoder.finish()]);
      return { staging, regions };
    });
    await session.orLost(verdict);
    const [part] = await session.orLost(readCopies(result.staging, result.regions));
    bytes.set(new Uint8Array(part), offset);
  }
  const pairs = words.subarray(0, count);
  if (firstPair > 0) for (let i = 0; i < count; i++) pairs[i] += firstPair;
  return {
    verdicts,
    pairs,
    partsA: words.subarray(count, 2 * count),
    partsB: words.subarray(2 * count),
    boxTests,
    partTests,
  };
}

function partCount({ tree }: PartSource): number {
  return (tree.links.length + 1) / 2;
}

/** Those of consecutive ranges. */
function joined(parts: readonly PartPairs[], pairCount: number): PartPairs {
  const count = parts.reduce((sum, { pairs }) => sum + pairs.length, 0);
  const all: PartPairs = {
    verdicts: new Uint8Array(parts[0].verdicts.length > 0 ? pairCount : 0),
    pairs: allocate('the pairs of parts', Uint32Array, count),
    partsA: allocate('the pairs of parts', Uint32Array, count),
    partsB: allocate('the pairs of parts', Uint32Array, count),
    boxTests: 0,
    partTests: 0,
  };
  let at = 0;
  let pair = 0;
  for (const { verdicts, pairs, partsA, partsB, boxTests, partTests } of parts) {
    all.verdicts.set(verdicts, pair);
    all.pairs.set(pairs, at);
    all.partsA.set(partsA, at);
    all.partsB.set(partsB, at);
    all.boxTests += boxTests;
    all.partTests += partTests;
    at += pairs.length;
    pair += verdicts.length;
  }
  return all;
}
