/** How many pairs only one of two lists has. Rounding decides of pairs on the border of the tolerance. */
export function pairDifference(found: Uint32Array, expected: Uint32Array, bodyCount: number): number {
  const [a, b] = [keysOf(found, bodyCount), keysOf(expected, bodyCount)];
  return [...a].filter((key) => !b.has(key)).length + [...b].filter((key) => !a.has(key)).length;
}

function keysOf(pairs: Uint32Array, bodyCount: number): Set<number> {
  return new Set(Array.from({ length: pairs.length / 2 }, (_, i) => pairs[2 * i] * bodyCount + pairs[2 * i + 1]));
}
