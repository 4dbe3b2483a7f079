/** What goes to a worker, and what comes back. */
import { allocateShared } from '../../util/arrays.ts';
import type { QueryRequest } from '../../request/backend.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { AnyBodies } from '../../records/bodies.ts';
import type { PairAnswers } from '../answer-pairs.ts';
import type { RequestData } from '../answer-request.ts';

/** Consecutive pairs to be answered. */
export interface Task {
  id: number;
  dimension: 2 | 3;
  /** Its pairs are those of the task. */
  request: RequestData;
  /** The warm start's, of these pairs. */
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

/** What a worker says once it is loaded. */
export const READY = 'ready';

export type FromWorker = typeof READY | TaskAnswer;

type Numbers = Uint32Array | Float32Array | Float64Array | Uint8Array;

/** The request for some of a query's pairs, with their bodies, and the memory that goes with it. */
export type RequestPart = (first: number, count: number) => { request: RequestData; transfer: Transferable[] };

/** Cuts a query's request, whose arrays are shared where they can be, and otherwise copied pair by pair. */
export function requestParts(given: QueryRequest): RequestPart {
  const { space: _space, shapes: _shapes, warmStart: _warmStart, signal: _signal, ...data } = given;
  const isShared = canShare() && data.bodies.shapes.length <= data.pairs.length;
  return isShared ? sharedParts(data) : copiedParts(data);
}

/** Pages share memory only when they are isolated from other origins. */
function canShare(): boolean {
  return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}

function sharedParts(data: RequestData): RequestPart {
  const all = mapArrays(data, share);
  const pairs = share(data.pairs);
  return (first, count) => ({
    request: { ...all, pairs: pairs.subarray(2 * first, 2 * (first + count)) },
    transfer: [],
  });
}

function share<Array extends Numbers>(array: Array): Array {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const Shared = array.constructor as new (memory: SharedArrayBuffer) => Array;
  const copy = new Shared(allocateShared('a copy for the workers', array.byteLength));
  copy.set(array);
  return copy;
}

/** Each pair gets two bodies of its own. */
function copiedParts(data: RequestData): RequestPart {
  const bodyCount = data.bodies.shapes.length;
  return (first, count) => {
    const members = data.pairs.subarray(2 * first, 2 * (first + count));
    const pairs = Uint32Array.from(members, (_, i) => i);
    const transfer: Transferable[] = [pairs.buffer];
    const request = mapArrays(data, (array) => {
      const copy = gather(array, array.length / bodyCount, members);
      transfer.push(copy.buffer as ArrayBuffer);
      return copy;
    });
    return { request: { ...request, pairs }, transfer };
  };
}

/** The numbers of some bodies, `width` for each. */
function gather<Array extends Numbers>(array: Array, width: number, bodies: Uint32Array): Array {
  const copy = new (array.constructor as new (length: number) => Array)(width * bodies.length);
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

/**
 * What turns the shapes that a worker knows into those of a query; `known` becomes those. Undefined: they are the same.
 */
export function shapeChanges(known: Shapes, shapes: Readonly<Shapes>): ShapeChanges | undefined {
  const changed: ShapeChanges['changed'] = [];
  for (let id = 0; id < shapes.length; id++) if (known[id] !== shapes[id]) changed.push([id, (known[id] = shapes[id])]);
  if (changed.length === 0 && known.length === shapes.length) return undefined;
  known.length = shapes.length;
  return { length: shapes.length, changed };
}

/** Brings a worker's shapes up to date. */
export function changeShapes(shapes: Shapes, { length, changed }: ShapeChanges): void {
  for (const [id, shape] of changed) shapes[id] = shape;
  shapes.length = length;
}
