/** Runs in the page, on the built package: what the test asks for by name through `window.harness`. */

import type * as Narrowphase from '../../src/index.ts';
import type { Contacts } from '../../src/types.ts';
import { makeFamily } from '../families.ts';
import type { FamilyName } from '../families.ts';
import { shapeCores } from '../family.ts';
import type { Family } from '../family.ts';

// In a variable, so that the bundler leaves it to the page's import map.
const packageName = 'narrowphase';
const { createTester, Status }: typeof Narrowphase = await import(/* @vite-ignore */ packageName);

export interface Comparison {
  backend: string;
  adapter: string;
  pairs: number;
  /** Pairs whose reference distance is 0 or less. */
  overlapping: number;
  /** Faults in all, and the first few in words. */
  faultCount: number;
  faults: string[];
  /** Largest |distance - reference| as a share of max(s, |B - A|). */
  worst: number;
  /** Whole call, and of that what WebGPU spent on compiling. */
  seconds: { webgpu: number; compile: number; cpu: number };
}

/**
 * Contacts of a seeded family on WebGPU against the double-precision CPU backend. `k` is the tolerance of a WebGPU
 * distance as a share of max(s, |B - A|), the reference's own error included.
 */
async function compareFamily(name: FamilyName, count: number, seed: number, k: number): Promise<Comparison> {
  const family = makeFamily(name, count, seed);
  const { shapes, bodies, pairs } = family;
  const run = async (backend: 'webgpu' | 'cpu') => {
    const tester = await createTester({ backend });
    try {
      const ids = shapes.map((shape) => tester.addShape(shape));
      const start = performance.now();
      const contacts = await tester.contacts({ ...bodies, shapes: bodies.shapes.map((i) => ids[i]) }, pairs, { margin: Infinity });
      const seconds = (performance.now() - start) / 1000;
      return { contacts, backend: tester.backend, adapter: tester.adapter, seconds, compile: tester.timings.compile / 1000 };
    } finally {
      tester.dispose();
    }
  };
  const subject = await run('webgpu');
  const reference = await run('cpu');
  const { extents } = shapeCores(shapes);
  const faults: string[] = [];
  let faultCount = 0;
  let overlapping = 0;
  let worst = 0;
  for (let pair = 0; pair < pairs.length / 2; pair++) {
    const truth = reference.contacts.distance[pair];
    const size = pairSize(family, extents, pair);
    if (truth <= 0) overlapping++;
    worst = Math.max(worst, Math.abs(subject.contacts.distance[pair] - truth) / size);
    const found = faultsOf(subject.contacts, pair, truth, k * size);
    faultCount += found.length;
    if (faults.length < 5) faults.push(...found.map((fault) => `${name}, seed ${seed}, pair ${pair}: ${fault}`));
  }
  return {
    backend: subject.backend,
    adapter: `${subject.adapter.vendor} ${subject.adapter.architecture}`,
    pairs: subject.contacts.count,
    overlapping,
    faultCount,
    faults,
    worst,
    seconds: { webgpu: subject.seconds, compile: subject.compile, cpu: reference.seconds },
  };
}

/** max(s, |B - A|) of a pair; `extents` holds each shape's bounding radius. */
function pairSize({ bodies: { shapes, positions }, pairs }: Family, extents: number[], pair: number): number {
  const [a, b] = pairs.subarray(2 * pair);
  const apart = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * b + axis] - positions[3 * a + axis]));
  return Math.max(extents[shapes[a]] + extents[shapes[b]], apart);
}

/** What is wrong with a slot, `truth` being the true distance and `t` the tolerance. */
function faultsOf({ pair, status, distance, normal, pointA, pointB }: Contacts, slot: number, truth: number, t: number): string[] {
  const faults: string[] = [];
  const expected = truth > 0 ? Status.Separated : Status.Overlapping;
  const n = normal.subarray(3 * slot, 3 * slot + 3);
  const leap = Math.hypot(...[0, 1, 2].map((axis) => pointB[3 * slot + axis] - pointA[3 * slot + axis] - distance[slot] * n[axis]));
  const rounding = 2 ** -22 * Math.hypot(...pointA.subarray(3 * slot, 3 * slot + 3));
  if (pair[slot] !== slot) faults.push(`slot ${slot} is of pair ${pair[slot]}`);
  if (!(Math.abs(distance[slot] - truth) <= t)) faults.push(`distance ${distance[slot]}, reference ${truth}, tolerance ${t}`);
  if (Math.abs(truth) > t && status[slot] !== expected) faults.push(`status ${status[slot]} at distance ${truth}, tolerance ${t}`);
  if (!(Math.abs(Math.hypot(...n) - 1) <= 1e-5)) faults.push(`normal ${n.join(' ')}`);
  if (!(leap <= t + rounding)) faults.push(`pointB is ${leap} from pointA + distance · normal, tolerance ${t}`);
  return faults;
}

/** Imports the module at `url` and gives what it printed. */
async function runSample(url: string): Promise<string[]> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (...values) => lines.push(values.map(String).join(' '));
  try {
    await import(/* @vite-ignore */ url);
  } finally {
    console.log = log;
  }
  return lines;
}

export const harness = { compareFamily, runSample };
Object.assign(window, { harness });
