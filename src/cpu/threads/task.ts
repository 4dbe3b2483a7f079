/** What goes to a worker, and what comes back. */
import { allocate, type ArrayType, type Numbers } from '../../util/arrays.ts';
import type { QueryRequest } from '../../request/backend.ts';
import type { Part } from '../../request/screen.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { AnyBodies } from '../../records/bodies.ts';
import type { PairAnswers } from '../answer-pairs.ts';
import type { RequestData } from '../answer-request.ts';
import { canShare, type SharedCopies } from './shared-copies.ts';

export interface RequestTask {
  id: number;
  dimension: 2 | 3;
  /** Missing where it is the request of the worker's last task. */
  request?: RequestData;
  shapes?: ShapeChanges;
}

/** Consecutive pairs to be answered. */
export interface PairTask extends RequestTask {
  /** The first of the task's pairs, among the request's, and their number. */
  first: number;
  count: number;
  /** The ids of these pairs in the warm start. */
  ids?: Float64Array;
}

/** A part of the request to be screened. */
export interface ScreenTask extends RequestTask {
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

/** Has a worker let go of its last request, whose arrays may be large. */
export const FORGET = 'forget';

export type ToWorker = PairTask | ScreenTask | typeof FORGET;

/** What a worker says once it is loaded. */
export const READY = 'ready';

export type FromWorker = typeof READY | PairTaskAnswer | ScreenTaskAnswer;

/** A request that has some of a query's pairs and their bodies. */
export interface RequestPart {
  request: RequestData;
  /** Where those pairs begin in it. */
  first: number;
  /** The memory that goes with it. */
  transfer: Transferable[];
}

export type CutRequest = (first: number, count: number) => RequestPart;

/** Whether all parts of a query's request are one request in shared memory. */
export function isShared({ bodies, pairs }: QueryRequest): boolean {
  return canShare() && bodies.shapes.length <= pairs.length;
}

/** Cuts a query's request. Unless it is shared, each part has a copy of its pairs' bodies. */
export function cutRequest(given: QueryRequest, copies: SharedCopies): CutRequest {
  const {
    dimension: _dimension,
    shapes: _shapes,
    warmStart: _warmStart,
    check: _check,
    resident: _resident,
    signal: _signal,
    ensureIntact: _ensureIntact,
    ...data
  } = given;
  return isShared(given) ? sharedParts(data, copies) : copiedParts(data);
}

function sharedParts(data: RequestData, copies: SharedCopies): CutRequest {
  const parts = data.parts && { a: copies.of('partsA', data.parts.a), b: copies.of('partsB', data.parts.b) };
  const request = { ...mapArrays(data, copies.of), pairs: copies.of('pairs', data.pairs), parts };
  return (first) => ({ request, first, transfer: [] });
}

/** Each pair gets two bodies of its own. */
function copiedParts(data: RequestData): CutRequest {
  const bodyCount = data.bodies.shapes.length;
  return (first, count) => {
    const members = data.pairs.subarray(2 * first, 2 * (first + count));
    const pairs = allocate<Uint32Array<ArrayBuffer>>('pairs for a worker', Uint32Array, members.length);
    for (let i = 0; i < pairs.length; i++) pairs[i] = i;
    const transfer: Transferable[] = [pairs.buffer];
    const request = mapArrays(data, (_name, array) => {
      const copy = gather(array, array.length / bodyCount, members);
      transfer.push(copy.buffer as ArrayBuffer);
      return copy;
    });
    const partsOf = (all: Uint32Array): Uint32Array<ArrayBuffer> => {
      const some = all.slice(first, first + count) as Uint32Array<ArrayBuffer>;
      transfer.push(some.buffer);
      return some;
    };
    const parts = data.parts && { a: partsOf(data.parts.a), b: partsOf(data.parts.b) };
    return { request: { ...request, pairs, parts }, first: 0, transfer };
  };
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

/** The request with other arrays for all that it says of bodies. */
function mapArrays(data: RequestData, change: ChangeArray): RequestData {
  const changed = (name: string, value: unknown): unknown =>
    ArrayBuffer.isView(value) ? change(name, value as Numbers) : value;
  const fields = <Fields extends object>(record: Fields): Fields =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, changed(name, value)])) as Fields;
  return { ...data, bodies: fields<AnyBodies>(data.bodies), motion: data.motion && fields(data.motion) };
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
