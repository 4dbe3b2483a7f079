/**
 * Which kernels a query runs, in order: a ladder from what is decided in one step to what takes long.
 *
 *     pairs by class -> SAT (boxes) -> GJK -> EPA (cores that overlap) -> EPA large (what ran out) -> features
 *
 * Each later rung runs over the list of pairs that the ones before left, sorted by class. A kernel that no pair of these
 * kinds can need is left out, so that nobody waits for its compiling.
 */
import {
  ANY_KIND, CLASS_COUNT, CORE_BOX, CORE_HULL, CORE_POINT, INFO_HIT, INFO_PENDING_EPA, INFO_PENDING_GJK, INFO_PENDING_LARGE, WORKERS,
} from '../generated/constants.ts';
import type { KernelName } from '../generated/kernels.ts';
import type { BatchRequest, QueryRequest } from '../backend.ts';
import { hasCells } from '../pack/bodies.ts';
import type { QueryName } from '../pack/results.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { classOfKinds, kindsOfPairs, kindsOfShapes, type KindPair } from './classes.ts';
import type { KernelVariant } from './kernels.ts';

/**
 * With more classes than this on a rung, one kernel for all kinds serves them all: compiling adds up, and the list is sorted
 * by class all the same.
 */
const SPECIALISED_CLASSES = 2;

interface PlanRequest {
  query: QueryName;
  /** Kinds of the pairs' shapes, each two once. */
  kinds: readonly KindPair[];
  /** Whether box pairs go through SAT first. */
  useSat: boolean;
  /** Whether SAT decides all box pairs: sharp boxes, and nobody asks how far apart they are. */
  isSatEnough: boolean;
  /** Whether positions are 64-bit numbers. */
  isWide: boolean;
  /** Whether searches start from the simplex that the last one of the pair ended with. */
  isWarm: boolean;
}

/** Sorts the pairs whose records have a bit of `mask` (0: all pairs) by class into the list. */
export interface ListStep {
  step: 'list';
  mask: number;
  classCount: number;
}

/** Runs a kernel over all pairs or over classes of the list. */
export interface KernelStep {
  step: 'kernel';
  variant: KernelVariant;
  /** Default: one for each pair that there is room for. */
  invocations?: number;
}

export interface Plan {
  query: QueryName;
  /** Class by class. */
  kinds: readonly KindPair[];
  steps: readonly (ListStep | KernelStep)[];
}

function makePlan({ query, kinds: given, useSat, isSatEnough, isWide, isWarm }: PlanRequest): Plan {
  const steps: (ListStep | KernelStep)[] = [];
  const boxes = given.filter(([a, b]) => useSat && a === CORE_BOX && b === CORE_BOX);
  const others = given.filter((pair) => !boxes.includes(pair));
  const kinds = [...boxes, ...others];
  const classCount = Math.min(kinds.length, CLASS_COUNT);

  const run = (kernel: KernelName, constants: Record<string, number>, invocations?: number): void => {
    steps.push({ step: 'kernel', invocations, variant: { kernel, constants: { ...constants, ...(isWide && { HAS_CELLS: 1 }), ...(isWarm && kernel.endsWith('-gjk') && { IS_WARM: 1 }) } } });
  };
  /** Runs a kernel over the pairs of these kinds in a list of all classes; over all pairs where there is no list. */
  const runClasses = (kernel: KernelName, due: readonly KindPair[], isListed: boolean): void => {
    const isGeneral = due.length > SPECIALISED_CLASSES;
    for (const pair of isGeneral ? [] : due) {
      const first = classOfKinds(kinds, pair);
      run(kernel, { KIND_A: pair[0], KIND_B: pair[1], ...(isListed && { IS_LISTED: 1, FIRST_CLASS: first, END_CLASS: first + 1 }) });
    }
    for (const [first, end] of isGeneral ? runsOf(due.map((pair) => classOfKinds(kinds, pair))) : []) {
      run(kernel, { KIND_A: ANY_KIND, KIND_B: ANY_KIND, IS_LISTED: 1, FIRST_CLASS: first, END_CLASS: end });
    }
  };
  const list = (mask: number, classes: number): void => void steps.push({ step: 'list', mask, classCount: classes });

  const isSorted = kinds.length > 1;
  if (isSorted) list(0, classCount);
  runClasses(`${query}-sat` as KernelName, boxes, isSorted);
  runClasses(`${query}-gjk`, others, isSorted);
  const boxesGoOn = boxes.length > 0 && !isSatEnough;
  if (boxesGoOn) {
    list(INFO_PENDING_GJK, 1);
    run(`${query}-gjk`, { KIND_A: CORE_BOX, KIND_B: CORE_BOX, IS_LISTED: 1, FIRST_CLASS: 0, END_CLASS: 1 });
  }
  if (query === 'contacts') {
    const deep = boxesGoOn ? kinds : others;
    if (deep.length > 0) {
      list(INFO_PENDING_EPA, classCount);
      runClasses('contacts-epa', deep, true);
      const isOneKind = kinds.length === 1;
      const kindConstants = isOneKind ? { KIND_A: kinds[0][0], KIND_B: kinds[0][1] } : { KIND_A: ANY_KIND, KIND_B: ANY_KIND };
      if (deep.some(outgrowsSmall)) {
        list(INFO_PENDING_LARGE, 1);
        run('contacts-epa-large', kindConstants, WORKERS);
      }
      run('contacts-features', kindConstants);
    }
  }
  return { query, kinds, steps };
}

/** Whether a pair's polytope may outgrow the small EPA: it has a hull. Boxes need 19 vertices at most. */
function outgrowsSmall([a, b]: KindPair): boolean {
  return a === CORE_HULL || b === CORE_HULL;
}

/** The plan of a query, for the kinds of its pairs. */
export function planQuery(request: Pick<QueryRequest, 'query' | 'useSat' | 'bodies' | 'pairs' | 'shapes' | 'margin' | 'warmStart'>): Plan {
  const { query, useSat, bodies, shapes, margin } = request;
  const isUsed = new Uint8Array(shapes.shapes.length);
  for (const id of bodies.shapes) isUsed[id] = 1;
  const used = shapes.shapes.filter((_, id) => isUsed[id]);
  return makePlan({ query, kinds: kindsOfPairs(request), useSat, isSatEnough: margin === 0 && areSharp(used), isWide: hasCells(bodies), isWarm: request.warmStart !== undefined });
}

/** Where there is no shape no pair is valid, which the kernel of spheres finds as well as any. */
const NO_KINDS: readonly KindPair[] = [[CORE_POINT, CORE_POINT]];

/** The plan of a batch, for all pairs that these shapes can form. */
export function planBatch({ query, useSat, margin, isWarm }: Pick<BatchRequest, 'query' | 'useSat' | 'margin' | 'isWarm'>, shapes: readonly (ShapeData | undefined)[]): Plan {
  const kinds = kindsOfShapes(shapes);
  return makePlan({ query, kinds: kinds.length > 0 ? kinds : NO_KINDS, useSat, isSatEnough: margin === 0 && areSharp(shapes), isWide: false, isWarm });
}

/** Whether no box is rounded. */
function areSharp(shapes: readonly (ShapeData | undefined)[]): boolean {
  return shapes.every((shape) => shape?.kind !== CORE_BOX || shape.radius === 0);
}

/** Runs of consecutive numbers among ascending ones, as first and end. */
function runsOf(numbers: readonly number[]): [first: number, end: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number <= last[1]) last[1] = number + 1;
    else runs.push([number, number + 1]);
  }
  return runs;
}

/** The list of the hits. */
export const hitList: ListStep = { step: 'list', mask: INFO_HIT, classCount: 1 };
