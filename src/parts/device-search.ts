/**
 * Pairs of parts that a device finds, a range of pairs of bodies at a time. The caller's thread begins a search. Once what
 * it has tested so far shows that the rest is long, the device takes over.
 */
import { hasCode } from '../api/errors.ts';
import type { PosedBodies } from '../api/bodies.ts';
import { testsOf, type Walk } from '../bvh/walk.ts';
import { createPairPlaces, placePair, type PairPlaces } from '../cpu/parts/pair-places.ts';
import type { Backend, SearchSizes } from '../request/backend.ts';
import type { PartPairs, PartSource, PartTest } from '../request/part-pairs.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { IS_OPEN } from '../generated/constants.ts';
import { createPace, type Work } from '../util/turns.ts';
import { treeOf } from './part-sources.ts';

/** Tests of boxes that a device gets at a time if its answer is a list. A list has a tenth as many entries. */
const TESTS_AT_ONCE = 2 ** 25;
/** Pairs of bodies that it gets, at least; at most; and if nothing is known of them. */
const FEWEST_PAIRS = 2 ** 8;
const MOST_PAIRS = 2 ** 16;
const FIRST_PAIRS = 2 ** 10;

export interface SearchBackend extends Pick<Backend, 'findPartPairs'> {
  readonly leastOnDevice?: Pick<SearchSizes, 'findPartPairs'>;
}

export interface DeviceSearchOptions {
  bodies: PosedBodies;
  pairs: Uint32Array;
  shapes: readonly (ShapeData | undefined)[];
  test: PartTest;
  margin: number;
  /** Which pairs of bodies a device may search, by their shapes. The others have no trees, or need other answers. */
  takes: (a: ShapeData, b: ShapeData) => boolean;
  /** How far apart triangles may be. Default: `margin`. */
  triangleMargin?: (places: PairPlaces) => number;
  /** Counts what the caller's thread tests. */
  walk: Walk;
  signal?: AbortSignal;
}

export interface DeviceSearch {
  /** Tests of boxes and of parts on the device. */
  readonly boxTests: number;
  readonly partTests: number;
  /** Whether the pairs from this one on are for the device, which has not been asked for them. */
  isDue(pair: number): boolean;
  /** Asks the device for pairs from this one on, if they are for it. */
  lookAhead(pair: number): Promise<void>;
  /** Whether the device has answered for a pair. */
  has(pair: number): boolean;
  /** Whether it found that the bodies of such a pair meet, for the test `'any'`. */
  meets(pair: number): boolean;
  /** The pairs of parts that it has found of such a pair, in ascending order. */
  partsOf(pair: number): FoundParts;
}

/** Parts of A and of B, pair by pair. `IS_OPEN` in a part of A: the parts are not certain to meet. */
export type FoundParts = Pick<PartPairs, 'partsA' | 'partsB'>;

/** Calls `visit` for each of the pairs of parts, until it returns true. Returns whether it did. */
export function* visitFound(
  { partsA, partsB }: FoundParts,
  visit: (partA: number, partB: number) => boolean | void,
): Work<boolean> {
  const isDue = createPace();
  for (let i = 0; i < partsA.length; i++) {
    if (visit(partsA[i] & ~IS_OPEN, partsB[i])) return true;
    if (isDue(VISIT_STEPS)) yield;
  }
  return false;
}

/** Steps of `createPace` per visit. */
const VISIT_STEPS = 128;

/** Answers for pairs from `first` up to `end`. */
interface Answers {
  first: number;
  end: number;
  /** By pair from `first` on: its number among the pairs that the device was asked for, or -1. */
  numbers: Int32Array;
  /** The first pair of parts of each number, and the end of the last one's. */
  starts: Uint32Array;
  found: PartPairs;
}

/** Undefined if the backend has no device that is worth asking. */
export function createDeviceSearch(backend: SearchBackend, options: DeviceSearchOptions): DeviceSearch | undefined {
  const { bodies, pairs, shapes, test, margin, takes, triangleMargin, walk, signal } = options;
  const least = backend.leastOnDevice?.findPartPairs ?? Infinity;
  if (!backend.findPartPairs || least === Infinity) return undefined;
  const pairCount = pairs.length / 2;
  const places = createPairPlaces();
  let answers: Answers | undefined;
  /** What the caller's thread had tested when the device answered last, and what it has tested of pairs with answers. */
  let testsAtAnswers = 0;
  let testsOfAnswered = 0;
  /** Pairs that the device has answered for. */
  let answered = 0;
  let isOff = false;
  let boxTests = 0;
  let partTests = 0;

  const shapeOf = (body: number): ShapeData => shapes[bodies.shapes[body]]!;
  const covers = (pair: number): boolean => answers !== undefined && pair >= answers.first && pair < answers.end;
  const numberOf = (pair: number): number => (covers(pair) ? answers!.numbers[pair - answers!.first] : -1);

  const testsSoFar = (): number => testsOf(walk);

  /** Tests of a pair on the caller's thread so far, on average, without pairs that the device has answered for. */
  function testsPerPair(pair: number): number {
    const searched = pair - answered;
    return searched > 0 ? (testsSoFar() - testsOfAnswered) / searched : 0;
  }

  /** Drops answers for earlier pairs. */
  function dropAnswers(pair: number): void {
    if (!answers || pair < answers.end) return;
    answers = undefined;
    testsOfAnswered += testsSoFar() - testsAtAnswers;
  }

  function isDue(pair: number): boolean {
    dropAnswers(pair);
    return !isOff && !covers(pair) && testsPerPair(pair) * (pairCount - pair) >= least;
  }

  /** How many pairs the device is asked for at a time. */
  function pairsAtOnce(pair: number): number {
    if (test === 'any') return MOST_PAIRS;
    const tests = testsPerPair(pair);
    if (tests === 0) return FIRST_PAIRS;
    return Math.max(FEWEST_PAIRS, Math.min(Math.floor(TESTS_AT_ONCE / tests), MOST_PAIRS));
  }

  async function ask(first: number, end: number): Promise<Answers | undefined> {
    const numbers = new Int32Array(end - first).fill(-1);
    const asked: number[] = [];
    const sources = new Map<ShapeData, PartSource>();
    const sourceOf = (shape: ShapeData): PartSource => {
      const source = sources.get(shape) ?? makeSource(shape);
      sources.set(shape, source);
      return source;
    };
    for (let pair = first; pair < end; pair++) {
      const [a, b] = [shapeOf(pairs[2 * pair]), shapeOf(pairs[2 * pair + 1])];
      if (!takes(a, b)) continue;
      numbers[pair - first] = asked.length;
      asked.push(pair);
      sourceOf(a);
      sourceOf(b);
    }
    if (asked.length === 0) return { first, end, numbers, starts: new Uint32Array(1), found: NOTHING };
    const found = await backend.findPartPairs!({
      sources: [...sources.values()],
      count: asked.length,
      pairAt(index) {
        const pair = asked[index];
        placePair(bodies, shapes, pairs[2 * pair], pairs[2 * pair + 1], places);
        const { a, b, placement } = places;
        return { a: sourceOf(a.shape), b: sourceOf(b.shape), placement };
      },
      test,
      margin,
      triangleMargin: triangleMargin && (() => triangleMargin(places)),
      signal,
    });
    return found && { first, end, numbers, starts: startsOf(found.pairs, asked.length), found };
  }

  return {
    get boxTests() {
      return boxTests;
    },
    get partTests() {
      return partTests;
    },
    isDue,
    async lookAhead(pair) {
      if (!isDue(pair)) return;
      const end = Math.min(pair + pairsAtOnce(pair), pairCount);
      try {
        answers = await ask(pair, end);
      } catch (error) {
        // Without a device the backend is the CPU's from now on. Without memory on it, the rest of this search is.
        if (backend.findPartPairs && !hasCode(error, 'OUT_OF_MEMORY')) throw error;
        answers = undefined;
      }
      if (!answers) {
        isOff = true;
        return;
      }
      answered += end - pair;
      testsAtAnswers = testsSoFar();
      boxTests += answers.found.boxTests;
      partTests += answers.found.partTests;
    },
    has: (pair) => numberOf(pair) >= 0,
    meets: (pair) => answers!.found.verdicts[numberOf(pair)] === 1,
    partsOf(pair) {
      const { starts, found } = answers!;
      const number = numberOf(pair);
      const [start, end] = [starts[number], starts[number + 1]];
      return { partsA: found.partsA.subarray(start, end), partsB: found.partsB.subarray(start, end) };
    },
  };
}

const NOTHING: PartPairs = {
  verdicts: new Uint8Array(0),
  pairs: new Uint32Array(0),
  partsA: new Uint32Array(0),
  partsB: new Uint32Array(0),
  boxTests: 0,
  partTests: 0,
};

function makeSource(shape: ShapeData): PartSource {
  const { parts } = shape;
  return { tree: treeOf(shape), mesh: parts?.type === 'mesh' ? parts : undefined };
}

/** Where each number begins in an ascending list, and the end of the last one. */
function startsOf(sorted: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (const number of sorted) starts[number + 1]++;
  for (let i = 0; i < count; i++) starts[i + 1] += starts[i];
  return starts;
}
