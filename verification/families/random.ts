/**
 * Seeded random numbers, the same in every JavaScript engine: sfc32 (Chris Doty-Humphrey, PractRand) seeded through
 * splitmix32. Distributions use only + - * / and square roots, since `Math.sin`, `log` and `pow` differ between
 * engines.
 */

/** Uniform in [0, 1), a multiple of 2^-32. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed | 0;
  const splitmix = () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let a = splitmix();
  let b = splitmix();
  let c = splitmix();
  let counter = 1;
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
}

export function uniform(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

/** A whole number from 0 to count - 1. */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

/** A number within (high · 2^-octaves / 2, high), with about as many in each octave. */
export function spread(random: Random, high: number, octaves: number): number {
  let value = high * uniform(random, 0.5, 1);
  for (let halvings = below(random, octaves); halvings > 0; halvings--) value *= 0.5;
  return value;
}

/**
 * Fills `out` (3 or 4 numbers) with a uniformly distributed unit vector: a random point of the unit ball, normalised.
 */
export function unitVector<Out extends Float64Array | number[]>(random: Random, out: Out): Out {
  let squared = 0;
  while (squared < 1e-4 || squared > 1) {
    squared = 0;
    for (let i = 0; i < out.length; i++) {
      out[i] = 2 * random() - 1;
      squared += out[i] * out[i];
    }
  }
  const length = Math.sqrt(squared);
  for (let i = 0; i < out.length; i++) out[i] /= length;
  return out;
}
