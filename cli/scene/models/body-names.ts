/**
 * Names of the bodies of a model. A body keeps the name of its node, group or solid if no other body has it. Otherwise
 * its name is the path of names from the root, and a number is appended to a path that occurs again.
 */

/** Most characters of a body's name; scenes accept no longer ones. */
const LONGEST = 256;

export interface BodyName {
  /** Undefined or empty: none. */
  own?: string;
  /** Names from the root, the body's own included, with slashes between them. */
  path: () => string;
}

/** A name per body, no two of them equal. */
export function uniqueNames(names: readonly BodyName[]): string[] {
  const counts = new Map<string, number>();
  for (const { own } of names) if (own) counts.set(own, (counts.get(own) ?? 0) + 1);
  const keptName = ({ own = '' }: BodyName): string => (counts.get(own) === 1 && own.length <= LONGEST ? own : '');
  const taken = new Set(names.map(keptName).filter(Boolean));
  const repeats = new Map<string, number>();
  return names.map((name) => {
    const kept = keptName(name);
    if (kept !== '') return kept;
    const path = lastCharacters(name.path(), LONGEST);
    let unique = path;
    for (let repeat = repeats.get(path) ?? 1; taken.has(unique); repeat++) {
      const mark = ` #${repeat + 1}`;
      unique = lastCharacters(path, LONGEST - mark.length) + mark;
      repeats.set(path, repeat + 1);
    }
    taken.add(unique);
    return unique;
  });
}

/** The end of a text, with an ellipsis in front if something is left out. */
export function lastCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(1 - most);
  // The second half of a surrogate pair would be no character.
  return `…${/^[\udc00-\udfff]/.test(end) ? end.slice(1) : end}`;
}
