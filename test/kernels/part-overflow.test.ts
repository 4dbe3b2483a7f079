/**
 * Batches with less room than there are pairs of parts: which pairs of bodies they keep, and what they say and count of the
 * others. Random scenes of convex bodies, compounds, meshes and chains, in every query that takes parts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Batch } from '../../src/api/batch.ts';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import { Status, type Slots, type Tester } from '../../src/api/types.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { createTester } from '../../src/node.ts';
import { makePartsScene, type PartsScene } from '../../verification/families/parts-scene.ts';
import { makePlanarPartsScene } from '../../verification/families/planar-parts-scene.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';
import { readBuffer, storageBuffer, submit } from '../helpers/batch.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { useShapesOf } from '../helpers/part-batches.ts';

const MOST_BODIES = 20;
/** More than 64, as a workgroup of the search takes that many on software adapters. */
const MOST_PAIRS = 80;
/** Room for all pairs of parts of any scene. */
const PLENTY = 20_000;

/** What batches are asked; scenes take turns. */
const QUESTIONS = [
  { query: 'intersects', margin: 0.1 },
  { query: 'distances' },
  { query: 'contacts', margin: 0.1 },
  { query: 'impacts', duration: 0.3 },
  { query: 'contacts', margin: 0.1, results: 'hits', parts: 'all' },
  { query: 'manifolds', margin: 0.1, results: 'hits', parts: 'all' },
  { query: 'intersects', results: 'hits' },
  { query: 'distances', margin: 0.5, results: 'hits' },
  { query: 'contacts', results: 'hits' },
  { query: 'impacts', duration: 0.3, stopAtPenetration: false, results: 'hits' },
  { query: 'impacts', duration: 0.3, results: 'earliest' },
] as const;
type Question = (typeof QUESTIONS)[number];

const isEarliest = (question: Question): boolean => 'results' in question && question.results === 'earliest';

type AnyResult = Slots<unknown> & { pair: Uint32Array; first?: Uint32Array };
type AnyBatch = Batch<AnyResult>;

/** What is counted of a pair of bodies, or of several. */
interface Totals {
  partPairs: number;
  hits: number;
  statusCounts: readonly number[];
}

const STATUSES = Object.values(Status);

function sumOf(totals: readonly Totals[]): Totals {
  const sum = (of: (each: Totals) => number): number => totals.reduce((before, each) => before + of(each), 0);
  return {
    partPairs: sum(({ partPairs }) => partPairs),
    hits: sum(({ hits }) => hits),
    statusCounts: STATUSES.map((status) => sum(({ statusCounts }) => statusCounts[status])),
  };
}

/** What is counted of each pair of bodies alone. One submission has a frame for each. */
async function countEach(batch: AnyBatch, pairs: Uint32Array<ArrayBuffer>): Promise<Totals[]> {
  const { device } = batch;
  const count = pairs.length / 2;
  const { size, fields } = layouts.Counts;
  const list = storageBuffer(device, 'test.pairs', pairs);
  const counts = storageBuffer(device, 'test.counts', new Uint8Array(size * count));
  batch.write({ pairs: pairs.subarray(0, 2) });
  const encoder = device.createCommandEncoder();
  for (let pair = 0; pair < count; pair++) {
    encoder.copyBufferToBuffer(list, 8 * pair, batch.input.pairs, 0, 8);
    batch.encode(encoder);
    encoder.copyBufferToBuffer(batch.output.counts, 0, counts, size * pair, size);
  }
  device.queue.submit([encoder.finish()]);
  const bytes = await readBuffer(device, counts);
  for (const buffer of [list, counts]) buffer.destroy();
  return Array.from({ length: count }, (_, pair) => {
    const words = new Uint32Array(bytes, size * pair, size / 4);
    const first = fields.separated.offset / 4;
    return {
      partPairs: words[fields.partPairs.offset / 4],
      hits: words[fields.hits.offset / 4],
      statusCounts: [...words.subarray(first, first + STATUSES.length)],
    };
  });
}

/** A slot in words. `columns`: their bytes in hexadecimal digits; those that are 0 are left out. */
function slotInWords(pair: number, status: number, columns: readonly (readonly [string, string])[]): string {
  const others = columns.filter(([, digits]) => !/^0*$/.test(digits)).map(([name, digits]) => ` ${name} ${digits}`);
  return `pair ${pair} status ${status}${others.join('')}`;
}

const pairOf = (slot: string): number => Number(slot.split(' ')[1]);

/** All columns of a result, slot by slot. */
function slotsOf(result: AnyResult): string[] {
  const columns = Object.entries(result).filter(
    ([name, values]) => ArrayBuffer.isView(values) && !['pair', 'status', 'first'].includes(name),
  ) as [string, Uint8Array][];
  return Array.from({ length: result.count }, (_, slot) => {
    const digits = columns.map(([name, { buffer, byteOffset, byteLength }]) => {
      const size = byteLength / result.count;
      return [name, Buffer.from(buffer, byteOffset + size * slot, size).toString('hex')] as const;
    });
    return slotInWords(result.pair[slot], result.status[slot], digits);
  });
}

/** All that a frame says. */
interface Answer {
  slots: string[];
  /** Slots of the first impacts, if they are asked for. */
  first: number[];
  counts: Totals & { pairs: number; pairOverflow: number; hitOverflow: number; partPairOverflow: number };
}

async function readAll(batch: AnyBatch, { query }: Question): Promise<Answer> {
  const result: AnyResult = await batch.read(query === 'contacts' ? { bounds: true } : {});
  const { first = [] } = result;
  return { slots: slotsOf(result), first: [...first], counts: (await batch.readCounts()) as Answer['counts'] };
}

/** A frame with these pairs. */
async function answer(batch: AnyBatch, question: Question, pairs: Uint32Array): Promise<Answer> {
  batch.write({ pairs });
  submit(batch);
  return readAll(batch, question);
}

async function createBatch(tester: Tester, question: Question, maxPartPairs: number): Promise<AnyBatch> {
  const options = {
    ...question,
    maxBodies: MOST_BODIES,
    maxPairs: MOST_PAIRS,
    maxPartPairs,
  } as BatchOptions<'contacts'>;
  return (await tester.createBatch(options)) as unknown as AnyBatch;
}

/** The bodies of a scene as a query takes them. */
function bodiesFor({ query }: Question, { bodies }: PartsScene) {
  const { angularVelocities: _, linearVelocities, ...placed } = bodies;
  return query === 'impacts' ? { ...placed, linearVelocities } : placed;
}

/**
 * Room for 1 pair of parts up to all of them: for any number, or for those up to the end of a pair of bodies, one fewer or one
 * more.
 */
function drawRoom(random: Random, ends: readonly number[]): number {
  const all = ends.at(-1)!;
  const others = [...new Set(ends)].slice(0, -1);
  if (others.length === 0 || below(random, 2) === 0) return 1 + below(random, all);
  return Math.max(others[below(random, others.length)] + below(random, 3) - 1, 1);
}

/** What has been compared. */
interface Comparison {
  scenes: number;
  /** Scenes with more pairs of parts than room. */
  overflows: number;
  partPairs: number;
  slots: number;
  /** Pairs of bodies that were kept; that had no room; and after the first of these, that needed none. */
  kept: number;
  lost: number;
  without: number;
  faults: string[];
}

interface Case {
  question: Question;
  scene: PartsScene;
  random: Random;
  seed: number;
}

/** Comparisons for a case, which say what differs. */
function checksOf({ question, seed }: Case, to: Comparison) {
  const check = (what: string, found: unknown, expected: unknown): void => {
    const [a, b] = [found, expected].map((each) => JSON.stringify(each));
    if (a !== b) to.faults.push(`seed ${seed}, ${JSON.stringify(question)}, ${what}: ${a}, expected ${b}`);
  };
  const checkSlots = (what: string, found: readonly string[], expected: readonly string[]): void => {
    to.slots += expected.length;
    check(`number of slots ${what}`, found.length, expected.length);
    const at = expected.findIndex((slot, i) => slot !== found[i]);
    if (at >= 0) check(`slot ${at} ${what}`, found[at], expected[at]);
  };
  return {
    check,
    checkSlots,
    checkAnswer(what: string, found: Answer, expected: Answer): void {
      checkSlots(what, found.slots, expected.slots);
      check(`first impacts ${what}`, found.first, expected.first);
      check(`counts ${what}`, found.counts, expected.counts);
    },
    checkCounts(what: string, counts: Answer['counts'], pairs: number, totals: Totals, partPairOverflow = 0): void {
      const { partPairs, hits, statusCounts } = totals;
      const expected = { pairs, pairOverflow: 0, hitOverflow: 0, partPairs, partPairOverflow, statusCounts };
      const found = Object.fromEntries(
        Object.keys(expected).map((name) => [name, counts[name as keyof typeof counts]]),
      );
      check(`counts ${what}`, found, expected);
      // Of the hits, only first impacts remain.
      if (!isEarliest(question)) check(`hits ${what}`, counts.hits, hits);
    },
  };
}

async function compareRooms(tester: Tester, roomy: AnyBatch, of: Case, to: Comparison): Promise<void> {
  const { question, scene, random } = of;
  const { check, checkSlots, checkAnswer, checkCounts } = checksOf(of, to);
  const pairs = scene.pairs as Uint32Array<ArrayBuffer>;
  const bodies = bodiesFor(question, scene);
  const pairCount = pairs.length / 2;

  roomy.write({ bodies });
  const each = await countEach(roomy, pairs);
  const all = sumOf(each);
  const full = await answer(roomy, question, pairs);
  checkCounts('with room for all', full.counts, pairCount, all);

  // The pairs of parts up to the end of each pair of bodies.
  const ends = each.map((_, pair) => sumOf(each.slice(0, pair + 1)).partPairs);
  const maxPartPairs = drawRoom(random, ends);
  const kept = ends.filter((end) => end <= maxPartPairs).length;
  const isAnswered = (pair: number): boolean => pair < kept || each[pair].partPairs === 0;
  const answered = each.filter((_, pair) => isAnswered(pair));
  const lost = pairCount - answered.length;
  const keptPairs = pairs.subarray(0, 2 * kept);
  const keptAlone = await answer(roomy, question, keptPairs);

  using tight = await createBatch(tester, question, maxPartPairs);
  tight.write({ bodies });
  const found = await answer(tight, question, pairs);
  const expected =
    'results' in question
      ? full.slots.filter((slot) => isAnswered(pairOf(slot)))
      : full.slots.map((slot, pair) => (isAnswered(pair) ? slot : slotInWords(pair, Status.CapacityExceeded, [])));
  // Without the pairs that have no room, a body may have another first impact.
  checkSlots('with less room', found.slots, isEarliest(question) ? keptAlone.slots : expected);
  check('first impacts with less room', found.first, keptAlone.first);
  const { hits, statusCounts } = sumOf(answered);
  // Lists of parts have no records of the others, and so no statuses.
  const exceeded = 'parts' in question ? 0 : lost;
  const totals = {
    partPairs: all.partPairs,
    hits,
    statusCounts: statusCounts.map((count, status) => count + (status === Status.CapacityExceeded ? exceeded : 0)),
  };
  checkCounts('with less room', found.counts, pairCount, totals, all.partPairs - (ends[kept - 1] ?? 0));

  submit(tight);
  checkAnswer('on a second run', await readAll(tight, question), found);

  // Only those with room, on the memory of these frames.
  const after = await answer(tight, question, keptPairs);
  checkAnswer('of fewer pairs', after, keptAlone);
  const firstSlots = full.slots.filter((slot) => pairOf(slot) < kept);
  if (!isEarliest(question)) checkSlots('of fewer pairs', after.slots, firstSlots);
  checkCounts('of fewer pairs', after.counts, kept, sumOf(each.slice(0, kept)));

  to.scenes++;
  to.overflows += Number(found.counts.partPairOverflow > 0);
  to.partPairs += all.partPairs;
  to.kept += kept;
  to.lost += lost;
  to.without += answered.length - kept;
}

const SOFTWARE = atNight(11, 900);

/** The scenes of each, by their seeds. */
const ADAPTERS = [
  ['software', undefined, 1, SOFTWARE],
  ['hardware', HARDWARE.info, 1 + SOFTWARE, 100],
] as const;

const DIMENSIONS = [
  [3, makePartsScene],
  // What has other types in 2-D only goes from the scene to the tester.
  [2, makePlanarPartsScene as unknown as typeof makePartsScene],
] as const;

const CASES = DIMENSIONS.flatMap(([dimension, makeScene]) =>
  ADAPTERS.slice(0, atNight(1, 2)).map(([name, info, firstSeed, scenes]) => ({
    name,
    dimension,
    info,
    makeScene,
    firstSeed,
    scenes,
  })),
);

describe.each(CASES)(
  'in $dimension-D, with the numbers of $name',
  ({ dimension, info, makeScene, firstSeed, scenes }) => {
    let tester: Tester;
    beforeAll(async () => {
      const options = { backend: 'webgpu', gpu: info && keepDevices({ info }).gpu, dimension } as const;
      tester = (await createTester(options as never)) as Tester;
    });
    afterAll(() => tester?.dispose());

    test('batches keep whole pairs of bodies, the lowest ones, and count the pairs of parts of the others', async () => {
      const to: Comparison = {
        scenes: 0,
        overflows: 0,
        partPairs: 0,
        slots: 0,
        kept: 0,
        lost: 0,
        without: 0,
        faults: [],
      };
      const batches = new Map<Question, AnyBatch>();
      let before: PartsScene | undefined;
      for (let seed = firstSeed; seed < firstSeed + scenes && to.faults.length < 10; seed++) {
        const random = createRandom(seed);
        const scene = makeScene(seed, 8 + below(random, MOST_BODIES - 7), 20 + below(random, MOST_PAIRS - 19));
        useShapesOf(scene, [tester], before);
        before = scene;
        const question = QUESTIONS[seed % QUESTIONS.length];
        const roomy = batches.get(question) ?? (await createBatch(tester, question, PLENTY));
        batches.set(question, roomy);
        await roomy.prepare();
        await compareRooms(tester, roomy, { question, scene, random, seed }, to);
      }
      const { faults, overflows, kept, lost, without, ...others } = to;
      console.log(JSON.stringify({ ...others, overflows, kept, lost, without }));
      expect(faults).toEqual([]);
      expect(overflows).toBeGreaterThan(0.8 * scenes);
      for (const pairsOfBodies of [kept, lost, without]) expect(pairsOfBodies).toBeGreaterThan(2 * scenes);
    });
  },
);
