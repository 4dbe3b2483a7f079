/**
 * Classes of pairs: the kinds of their two shapes, in order. Pairs of a class run side by side, so that no invocation
 * waits for another kind of work. If there are few classes, their kernels are compiled for these kinds.
 */
import type { QueryRequest } from '../request/backend.ts';
import { CLASS_COUNT, KIND_COUNT, NO_CLASS } from '../generated/constants.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';

/** Kinds (`CORE_`) of a pair's shapes. */
export type KindPair = readonly [kindA: number, kindB: number];

/** The kinds of all pairs of a query, each once, ascending. */
export function kindsOfPairs({ shapes, bodies, pairs }: Pick<QueryRequest, 'shapes' | 'bodies' | 'pairs'>): KindPair[] {
  const kindOfShape = Uint8Array.from(shapes.shapes, (shape) => shape?.kind ?? 0);
  const kinds = new Set<number>();
  const isUsed = new Uint8Array(kindOfShape.length);
  for (const id of bodies.shapes) isUsed[id] = 1;
  kindOfShape.forEach((kind, id) => isUsed[id] && kinds.add(kind));
  if (kinds.size === 1) return [...kinds].map((kind) => [kind, kind]);
  const found = new Uint8Array(KIND_COUNT * KIND_COUNT);
  for (let i = 0; i < pairs.length; i += 2) {
    found[kindOfShape[bodies.shapes[pairs[i]]] * KIND_COUNT + kindOfShape[bodies.shapes[pairs[i + 1]]]] = 1;
  }
  return [...found.keys()]
    .filter((entry) => found[entry])
    .map((entry) => [Math.floor(entry / KIND_COUNT), entry % KIND_COUNT]);
}

/** The kinds of all pairs that these shapes can form, ascending. */
export function kindsOfShapes(shapes: readonly (ShapeBase | undefined)[]): KindPair[] {
  const kinds = [...new Set(shapes.flatMap((shape) => (shape ? [shape.kind] : [])))].sort((a, b) => a - b);
  return kinds.flatMap((a) => kinds.map((b): KindPair => [a, b]));
}

/**
 * The kinds of each class. Kinds with closed forms share the first class, which one kernel takes. The others have one
 * class each, up to the number of classes that a list can tell apart; the rest share the last class.
 */
export function classesOf(closed: readonly KindPair[], others: readonly KindPair[]): KindPair[][] {
  const classes = closed.length > 0 ? [[...closed]] : [];
  for (const pair of others) {
    if (classes.length < CLASS_COUNT) classes.push([pair]);
    else classes[CLASS_COUNT - 1].push(pair);
  }
  return classes;
}

export function classOfKinds(classes: readonly (readonly KindPair[])[], [a, b]: KindPair): number {
  return classes.findIndex((kinds) => kinds.some(([kindA, kindB]) => kindA === a && kindB === b));
}

/** The table that list kernels find classes by: a byte for each two kinds, as words. */
export function classTable(classes: readonly (readonly KindPair[])[]): Uint32Array {
  const bytes = new Uint8Array(KIND_COUNT * KIND_COUNT).fill(NO_CLASS);
  classes.forEach((kinds, number) => kinds.forEach(([a, b]) => (bytes[a * KIND_COUNT + b] = number)));
  return new Uint32Array(bytes.buffer);
}
