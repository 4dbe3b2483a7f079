/**
 * Classes of pairs: the kinds of their two shapes, in order. Pairs of a class run side by side, so that no invocation
 * waits for another kind of work. If a stage has one class, without hulls or curved shapes, its kernels are compiled for
 * these kinds (variants.ts).
 */
import type { BodyPairs } from '../request/backend.ts';
import { CLASS_COUNT, CORE_PARTS, KIND_COUNT, NO_CLASS } from '../generated/constants.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';

/** Kinds (`CORE_`) of a pair's shapes. */
export type KindPair = readonly [kindA: number, kindB: number];

/** What the plan of a query depends on. */
export interface PairFacts {
  /** Kinds of the pairs' shapes, each combination once, ascending. */
  kinds: readonly KindPair[];
  /** The shapes that bodies have. */
  shapes: readonly ShapeBase[];
}

/** The function that says whether a body has a shape, by the shape's id. */
export function shapesOfBodies({ shapes, bodies }: Pick<BodyPairs, 'shapes' | 'bodies'>): (id: number) => boolean {
  const isUsed = new Uint8Array(shapes.shapes.length);
  for (const id of bodies.shapes) isUsed[id] = 1;
  return (id) => isUsed[id] === 1;
}

/** The shapes whose ids are in use. */
export function usedShapes(
  shapes: readonly (ShapeBase | undefined)[],
  isUsed: (id: number) => boolean,
): readonly ShapeBase[] {
  return shapes.filter((shape, id): shape is ShapeBase => shape !== undefined && isUsed(id));
}

/** The pairs of kinds a and b whose entry a * KIND_COUNT + b is found. */
export function kindPairsWhere(isFound: (entry: number) => boolean): KindPair[] {
  const entries = Array.from({ length: KIND_COUNT * KIND_COUNT }, (_, entry) => entry);
  return entries.filter(isFound).map((entry) => [Math.floor(entry / KIND_COUNT), entry % KIND_COUNT]);
}

/** The most pairs that the host looks at. */
const MOST_LOOKS = 2 ** 16;

/** The kinds of the pairs; of many pairs, those of an even sample. Numbers that are out of range are passed over. */
export function sampleFacts({ shapes, bodies, pairs }: Pick<BodyPairs, 'shapes' | 'bodies' | 'pairs'>): PairFacts {
  const kindOf = (body: number): number => shapes.shapes[bodies.shapes[body]]?.kind ?? NaN;
  const found = new Uint8Array(KIND_COUNT ** 2);
  const step = 2 * Math.ceil(pairs.length / 2 / MOST_LOOKS);
  for (let i = 0; i < pairs.length; i += step) found[kindOf(pairs[i]) * KIND_COUNT + kindOf(pairs[i + 1])] = 1;
  return {
    kinds: kindPairsWhere((entry) => found[entry] === 1),
    shapes: usedShapes(shapes.shapes, shapesOfBodies({ shapes, bodies })),
  };
}

/** The kinds of all pairs that these shapes can form, ascending. Kernels take compounds and meshes part by part. */
export function kindsOfShapes(shapes: readonly (ShapeBase | undefined)[]): KindPair[] {
  const found = shapes.flatMap((shape) => (shape && shape.kind !== CORE_PARTS ? [shape.kind] : []));
  const kinds = [...new Set(found)].sort((a, b) => a - b);
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

export function classOfKinds(classes: readonly (readonly KindPair[])[], pair: KindPair): number {
  return classes.findIndex((kinds) => includesKinds(kinds, pair));
}

export function includesKinds(kinds: readonly KindPair[], [a, b]: KindPair): boolean {
  return kinds.some(([kindA, kindB]) => kindA === a && kindB === b);
}

/**
 * The table that list kernels find classes by: a byte for each two kinds, as words. Pairs with compounds or meshes are in
 * the first class, whose kernel finds them invalid.
 */
export function classTable(classes: readonly (readonly KindPair[])[]): Uint32Array {
  const bytes = new Uint8Array(KIND_COUNT * KIND_COUNT).fill(NO_CLASS);
  for (let kind = 0; kind < KIND_COUNT; kind++)
    bytes[CORE_PARTS * KIND_COUNT + kind] = bytes[kind * KIND_COUNT + CORE_PARTS] = 0;
  classes.forEach((kinds, number) => kinds.forEach(([a, b]) => (bytes[a * KIND_COUNT + b] = number)));
  return new Uint32Array(bytes.buffer);
}
