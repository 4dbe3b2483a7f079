/** Results with `fields`, held against the whole result. */
import { expect } from 'vitest';
import type { Random } from '../../verification/families/random.ts';

export type AnyRecord = Record<string, unknown>;
type Arrays = Record<string, Uint8Array>;

/** Properties of a result that are no choice of `fields`. */
const ALWAYS = ['count', 'statusCounts', 'hits', 'first'];
/** Fields of an item's points. */
const OF_POINT = ['position', 'distance', 'feature'];

/** Names of a result's arrays. */
export function fieldNames(result: object): string[] {
  return Object.keys(result).filter((name) => !ALWAYS.includes(name));
}

/** A random list of some of the names, in any order. */
export function someOf(random: Random, names: readonly string[]): string[] {
  const shuffled = names.map((name) => ({ name, at: random() })).sort((a, b) => a.at - b.at);
  return shuffled.slice(0, Math.floor(random() * (names.length + 1))).map(({ name }) => name);
}

function bytesOf(array: Uint8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Fails unless `found` has exactly these arrays, all bits as in the `whole` result, the same counts, and items alike. */
export function expectSelection(found: object, whole: object, fields: readonly string[]): void {
  const arrays = whole as Arrays;
  expect(fieldNames(found).sort()).toEqual([...fields].sort());
  for (const name of fields) {
    const array = (found as Arrays)[name];
    expect(array.constructor, name).toBe(arrays[name].constructor);
    expect(Buffer.compare(bytesOf(array), bytesOf(arrays[name])), name).toBe(0);
  }
  for (const name of ALWAYS) expect((found as AnyRecord)[name], name).toEqual((whole as AnyRecord)[name]);
  expect([...(found as Iterable<object>)]).toEqual(
    [...(whole as Iterable<AnyRecord>)].map((item) => selectedItem(item, fields)),
  );
}

/** The item that a result with these fields should have in place of that of the whole result. */
function selectedItem(item: AnyRecord, fields: readonly string[]): AnyRecord {
  const picked = (from: AnyRecord, names: readonly string[]): AnyRecord =>
    Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));
  if (!('points' in item)) return picked(item, fields);
  const own = fields.filter((name) => !OF_POINT.includes(name));
  if (!fields.includes('pointCount')) return picked(item, own);
  const ofPoint = fields.filter((name) => OF_POINT.includes(name));
  return { ...picked(item, own), points: (item.points as AnyRecord[]).map((point) => picked(point, ofPoint)) };
}
