/** What goes to a worker, and what comes back. */
import { allocate, allocateShared, type ArrayType } from '../../util/arrays.ts';
import type { QueryRequest } from '../../request/backend.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { AnyBodies } from '../../records/bodies.ts';
import type { PairAnswers } from '../answer-pairs.ts';
import type { RequestData } from '../answer-request.ts';

/** Consecutive pairs to be answered. */
export interface Task {
  id: number;
  dimension: 2 | 3;
  /** Missing where it is the request of the worker's last task. */
  request?: RequestData;
  /** The first of the task's pairs, among the request's, and their number. */
  first: number;
  count: number;
  /** The ids of these pairs in the warm start. */
  ids?: Float64Array;
  shapes?: ShapeChanges;
}

/** How the shapes differ from those of the worker's last task. */
export interface ShapeChanges {
  length: number;
  changed: [id: number, shape: ShapeBase | undefined][];
}

export interface TaskAnswer extends PairAnswers {
  id: number;
  ids?: Float64Array;
  /** Milliseconds in the algorithms. */
  ms: number;
}

/** Has a worker let go of its last request, whose arrays may be large. */
export const FORGET = 'forget';

export type ToWorker = Task | typeof FORGET;

/** What a worker says once it is loaded. */
export const READY = 'ready';

export type FromWorker = typeof READY | TaskAnswer;

type Numbers = Uint32Array | Float32Array | Float64Array | Uint8Array;

/** A request that has some of a query's pairs and their bodies. */
export interface RequestPart {
  request: RequestData;
  /** Where those pairs begin in it. */
  first: number;
  /** The memory that goes with it. */
  transfer: Transferable[];
}

export type RequestParts = (first: number, count: number) => RequestPart;

/**
 * Cuts a query's request. Where its arrays can be shared all parts are one request; otherwise each has a copy of its
 * pairs' bodies.
 */
export function requestParts(given: QueryRequest): RequestParts {
  const {
    dimension: _dimension,
    shapes: _shapes,
    warmStart: _warmStart,
    check: _check,
    resident: _resident,
    signal: _signal,
    ...data
  } = given;
  const isShared = canShare() && data.bodies.shapes.length <= data.pairs.length;
  return isShared ? sharedParts(data) : copiedParts(data);
}

/** Pages share memory only when they are isolated from other origins. */
function canShare(): boolean {
  return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}

function sharedParts(data: RequestData): RequestParts {
  const request = { ...mapArrays(data, share), pairs: share(data.pairs) };
  return (first) => ({ request, first, transfer: [] });
}

function share<Array extends Numbers>(array: Array): Array {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const Shared = array.constructor as new (memory: SharedArrayBuffer) => Array;
  const copy = new Shared(allocateShared('a copy for the workers', array.byteLength));
  copy.set(array);
  return copy;
}

/** Each pair gets two bodies of its own. */
function copiedParts(data: RequestData): RequestParts {
  const bodyCount = data.bodies.shapes.length;
  return (first, count) => {
    const members = data.pairs.subarray(2 * first, 2 * (first + count));
    const pairs = allocate<Uint32Array<ArrayBuffer>>('pairs for a worker', Uint32Array, members.length);
    for (let i = 0; i < pairs.length; i++) pairs[i] = i;
    const transfer: Transferable[] = [pairs.buffer];
    const request = mapArrays(data, (array) => {
      const copy = gather(array, array.length / bodyCount, members);
      transfer.push(copy.buffer as ArrayBuffer);
      return copy;
    });
    return { request: { ...request, pairs }, first: 0, transfer };
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

/** The request with other arrays for all that it says of bodies. */
function mapArrays(data: RequestData, change: <Array extends Numbers>(array: Array) => Array): RequestData {
  const changed = (value: unknown): unknown => (ArrayBuffer.isView(value) ? change(value as Numbers) : value);
  const fields = <Fields extends object>(record: Fields): Fields =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, changed(value)])) as Fields;
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
