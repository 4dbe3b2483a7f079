/**
 * Checks of the names that callers write: options, fields, keys in scene files. An unknown name is rejected with a
 * message that suggests the nearest known one.
 */
import { NarrowphaseError, invalidInput } from '../api/errors.ts';

export type Names = ReadonlySet<string>;

/** The names of all fields of a type. A list with a missing name or an extra one does not compile. */
export function namesOf<Fields>(names: Record<keyof Fields, true>): Names {
  return new Set(Object.keys(names));
}

/**
 * Throws `INVALID_INPUT` unless `known` contains the name of every own enumerable field of `value`, fields with the
 * value undefined included. `field` is the object's name in the message; '' stands for a whole file. `purpose` says
 * what the names are for, such as "for impacts".
 */
export function expectKnown(value: object, field: string, known: Names, purpose?: string): void {
  for (const name of Object.keys(value)) if (!known.has(name)) refuseName(name, field, known, purpose);
}

/**
 * Throws `INVALID_INPUT` unless `value` is one of the known names. `field` is what the message calls it; `what` says what
 * the names are of, such as "an array of contacts".
 */
export function expectName(field: string, value: unknown, known: Names, what: string): asserts value is string {
  if (typeof value === 'string' && known.has(value)) return;
  const nearest = typeof value === 'string' ? nearestName(value, known) : undefined;
  const expected = nearest === undefined ? namesIn(known) : `the name of ${what}; did you mean ${quoted(nearest)}?`;
  invalidInput(field, value, expected);
}

/** An unknown name is cut to this many characters in messages. Longer names are not compared with known ones. */
const LONGEST = 60;

function refuseName(name: string, field: string, known: Names, purpose?: string): never {
  const nearest = nearestName(name, known);
  const advice =
    nearest === undefined
      ? `, expected ${known.size > 0 ? namesIn(known) : 'no field'}`
      : `; did you mean ${quoted(nearest)}?`;
  const unknown = purpose === undefined ? 'unknown' : `unknown ${purpose}`;
  throw new NarrowphaseError('INVALID_INPUT', `${pathOf(field, name)} is ${unknown}${advice}`);
}

/** `field.name`, or `field["name"]` if the name is not an identifier. */
function pathOf(field: string, name: string): string {
  const shown = name.length > LONGEST ? `${name.slice(0, LONGEST - 3)}...` : name;
  if (!/^[A-Za-z_$][\w$]*(?:\.\.\.)?$/.test(shown)) return `${field}[${JSON.stringify(shown)}]`;
  return field === '' ? shown : `${field}.${shown}`;
}

function namesIn(known: Names): string {
  return alternatives([...known].map(quoted));
}

function quoted(name: string): string {
  return `'${name}'`;
}

/** The known name that takes the fewest edits to reach. Undefined if it would take more than a third of the letters. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const each of known) {
    const changes = changesBetween(name.toLowerCase(), each.toLowerCase());
    const most = Math.max(1, Math.floor(Math.max(name.length, each.length) / 3));
    if (changes >= least || changes > most || changes >= Math.min(name.length, each.length)) continue;
    nearest = each;
    least = changes;
  }
  return nearest;
}

/**
 * The optimal string alignment distance: the least number of characters to delete, insert, replace, or swap with a
 * neighbour. Computed row by row.
 */
function changesBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length];
}

/** `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
