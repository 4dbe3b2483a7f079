/** What is measured: sizes, the seed, and the cases that are chosen at first. */

import type { AdapterFacts } from './messages.ts';

/** Pairs of a workload; larger sizes repeat them. */
export const BASE_PAIRS = { webgpu: 8192, cpu: 2048 } as const;
export const SEED = 1;
export const ROUNDS = 5;

/** One of each kind. */
export const FIRST_CASES: readonly string[] = [
  'boxes/intersects/sat',
  'boxes/distances/auto',
  'boxes/contacts/sat',
  'hull32/distances',
  'hull32/contacts',
  'mixed/contacts',
  'hull32/impacts/straight',
];

/** Pairs per run to choose from, and the number at first. */
const SIZES = {
  hardware: { all: [2 ** 14, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22], first: 2 ** 20 },
  software: { all: [2 ** 10, 2 ** 12, 2 ** 14], first: 2 ** 12 },
  cpu: { all: [256, 1024, 2048], first: 1024 },
} as const;

export function sizesFor(adapter: AdapterFacts | null): { all: readonly number[]; first: number } {
  if (!adapter) return SIZES.cpu;
  return adapter.isSoftware ? SIZES.software : SIZES.hardware;
}
