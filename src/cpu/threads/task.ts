/** What goes to a worker, and what comes back. */
import { allocate, type ArrayType, type Numbers } from '../../util/arrays.ts';
import type { BodyPairs, QueryRequest } from '../../request/backend.ts';
import type { Part } from '../../request/screen.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { AnyBodies } from '../../records/bodies.ts';
import type { PairAnswers } from '../answer-pairs.ts';
import type { PairNumbers } from '../asked-pairs.ts';
import { canShare, type SharedCopies } from './shared-copies.ts';

/** What a worker gets of a query. */
export interface PostedQuery extends Pick<QueryRequest, 'what' | 'form'> {
  over: PairNumbers;
}

/** What both kinds of tasks have. */
export interface TaskHead {
  id: number;
  dimension: 2 | 3;
  /** Missing where it is the query of the worker's last task. */
  query?: PostedQuery;
  shapes?: ShapeChanges;
}

/** Consecutive pairs to be answered. */
export interface PairTask extends TaskHead {
  /** The first of the task's pairs, among the query's, and their number. */
  first: number;
  count: number;
  /** The ids of these pairs in the warm start. */
  ids?: Float64Array;
}

/** A part of the query to be screened. */
export interface ScreenTask extends TaskHead {
  part: Part;
  /** As in the shape table. */
  idCount: number | undefined;
  /** Whether only pairs are screened. */
  hasCheckedBodies: boolean;
}

/** How the shapes differ from those of the worker's last task. */
export interface ShapeChanges {
  length: number;
  changed: [id: number, shape: ShapeBase | undefined][];
}

export interface PairTaskAnswer extends PairAnswers {
  id: number;
  ids?: Float64Array;
  /** Milliseconds in the algorithms. */
  ms: number;
}

export interface ScreenTaskAnswer {
  id: number;
  passes: boolean;
}

/** Has a worker let go of its last query, whose arrays may be large. */
export const FORGET = 'forget';

export type ToWorker = PairTask | ScreenTask | typeof FORGET;

/** What a worker says once it is loaded. */
export const READY = 'ready';

export type FromWorker = typeof READY | PairTaskAnswer | ScreenTaskAnswer;

/** A query of some pairs and their bodies. */
export interface QueryPart {
  query: PostedQuery;
  /** Where those pairs begin in it. */
  first: number;
  /** The memory that goes with it. */
  transfer: Transferable[];
}

export type CutQuery = (first: number, count: number) => QueryPart;

/** Whether all parts of a query are one query in shared memory. */
export function isShared({ bodies, pairs }: Pick<BodyPairs, 'bodies' | 'pairs'>): boolean {
  return canShare() && bodies.shapes.length <= pairs.length;
}

/** Cuts a query. Unless it is shared, each part has a copy of its pairs' bodies. */
export function cutQuery({ what, form, over }: QueryRequest, copies: SharedCopies): CutQuery {
  if (isShared(over)) {
    const query = { what, form, over: sharedPairs(over, copies) };
    return (first) => ({ query, first, transfer: [] });
  }
  return (first, count) => {
    const transfer: Transferable[] = [];
    return { query: { what, form, over: copiedPairs(over, first, count, transfer) }, first: 0, transfer };
  };
}

function sharedPairs(over: PairNumbers, copies: SharedCopies): PairNumbers {
  const parts = over.parts && { a: copies.of('partsA', over.parts.a), b: copies.of('partsB', over.parts.b) };
  return { ...mapArrays(over, copies.of), pairs: copies.of('pairs', over.pairs), parts };
}

/** Some of the pairs, each with two bodies of its own. Adds their memory to `transfer`. */
function copiedPairs(over: PairNumbers, first: number, count: number, transfer: Transferable[]): PairNumbers {
  const bodyCount = over.bodies.shapes.length;
  const members = over.pairs.subarray(2 * first, 2 * (first + count));
  const pairs = allocate<Uint32Array<ArrayBuffer>>('pairs for a worker', Uint32Array, members.length);
  for (let i = 0; i < pairs.length; i++) pairs[i] = i;
  transfer.push(pairs.buffer);
  const bodies = mapArrays(over, (_name, array) => {
    const copy = gather(array, array.length / bodyCount, members);
    transfer.push(copy.buffer as ArrayBuffer);
    return copy;
  });
  const partsOf = (all: Uint32Array): Uint32Array<ArrayBuffer> => {
    const some = all.slice(first, first + count) as Uint32Array<ArrayBuffer>;
    transfer.push(some.buffer);
    return some;
  };
  const parts = over.parts && { a: partsOf(over.parts.a), b: partsOf(over.parts.b) };
  return { ...bodies, pairs, parts };
}

/** The numbers of some bodies, `width` for each. */
function gather<Array extends Numbers>(array: Array, width: number, bodies: Uint32Array): Array {
  const copy = allocate('bodies for a worker', array.constructor as ArrayType<Array>, width * bodies.length);
  for (let i = 0; i < bodies.length; i++) {
    for (let k = 0; k < width; k++) copy[width * i + k] = array[width * bodies[i] + k];
  }
  return copy;
}

type ChangeArray = <Values extends Numbers>(name: string, array: Values) => Values;

/** Replaces each array of bodies and motion. */
function mapArrays({ bodies, motion }: PairNumbers, change: ChangeArray): Pick<PairNumbers, 'bodies' | 'motion'> {
  const changed = (name: string, value: unknown): unknown =>
    ArrayBuffer.isView(value) ? change(name, value as Numbers) : value;
  const fields = <Fields extends object>(record: Fields): Fields =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, changed(name, value)])) as Fields;
  return { bodies: fields<AnyBodies>(bodies), motion: motion && fields(motion) };
}

type Shapes = (ShapeBase | undefined)[];

/** What turns the shapes that a worker knows into those of a query. Undefined: they are the same. */
export function shapeChanges(known: Readonly<Shapes>, shapes: Readonly<Shapes>): ShapeChanges | undefined {
  const changed: ShapeChanges['changed'] = [];
  for (let id = 0; id < shapes.length; id++) if (known[id] !== shapes[id]) changed.push([id, shapes[id]]);
  if (changed.length === 0 && known.length === shapes.length) return undefined;
  return { length: shapes.length, changed };
}

/** Brings shapes up to date: a worker's own, and those that it is known to have. */
export function changeShapes(shapes: Shapes, { length, changed }: ShapeChanges): void {
  for (const [id, shape] of changed) shapes[id] = shape;
  shapes.length = length;
}
