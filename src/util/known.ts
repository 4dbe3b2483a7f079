/**
 * Names that callers write: of options, of fields, of keys in scene files. A name that does not exist is refused, and
 * the message gives the nearest one that does.
 */
import { NarrowphaseError } from '../api/errors.ts';

export type Names = ReadonlySet<string>;

/** The names of all fields of a type. A list with a name missing, or with one too many, does not compile. */
export function namesOf<Fields>(names: Record<keyof Fields, true>): Names {
  return new Set(Object.keys(names));
}

/**
 * Throws `INVALID_INPUT` unless `known` has the name of every own enumerable field of `value`; whether the field is
 * undefined makes no difference. `field` names the object, '' a whole file. `purpose` says what the names are for, as
 * in "for impacts".
 */
export function expectKnown(value: object, field: string, known: Names, purpose?: string): void {
  for (const name of Object.keys(value)) if (!known.has(name)) refuseName(name, field, known, purpose);
}

/** Most characters of an unknown name that are shown or compared. */
const LONGEST = 60;

function refuseName(name: string, field: string, known: Names, purpose?: string): never {
  const nearest = nearestName(name, known);
  const advice =
    nearest === undefined
      ? `, expected ${known.size > 0 ? alternatives([...known].map(quoted)) : 'no field'}`
      : `; did you mean ${quoted(nearest)}?`;
  const unknown = purpose === undefined ? 'unknown' : `unknown ${purpose}`;
  throw new NarrowphaseError('INVALID_INPUT', `${pathOf(field, name)} is ${unknown}${advice}`);
}

/** `field.name`, or `field["name"]` where the name is no identifier. */
function pathOf(field: string, name: string): string {
  const shown = name.length > LONGEST ? `${name.slice(0, LONGEST - 3)}...` : name;
  if (!/^[A-Za-z_$][\w$]*(?:\.\.\.)?$/.test(shown)) return `${field}[${JSON.stringify(shown)}]`;
  return field === '' ? shown : `${field}.${shown}`;
}

function quoted(name: string): string {
  return `'${name}'`;
}

/** The known name that takes the fewest changes to get to; undefined where it takes more than a third of its letters. */
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
 * How many characters have to be left out, put in, replaced, or swapped with their neighbour: the optimal string
 * alignment distance, row by row.
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
