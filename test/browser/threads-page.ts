/**
 * A page that asks the CPU backend with and without workers. threads.test.ts bundles it as a user's program would be.
 */

import { createTester, type Tester } from 'narrowphase';
import { makeFamily } from '../../verification/families/families.ts';
import { withFewShapes } from '../helpers/few-shapes.ts';

export interface ThreadsReport {
  isIsolated: boolean;
  /** Workers that were made, and messages with answers that came from them. */
  workers: number;
  answers: number;
  isSame: boolean;
  fallback: string | undefined;
}

declare global {
  interface Window {
    askThreads(threads: number, workerUrl?: string): Promise<ThreadsReport>;
  }
}

const family = withFewShapes(makeFamily('hull32-hull32', 4000, 20_261_122), 8);
const seen = { workers: 0, answers: 0 };

window.Worker = class extends Worker {
  constructor(address: string | URL, options?: WorkerOptions) {
    super(address, options);
    seen.workers++;
    this.addEventListener('message', ({ data }) => (seen.answers += Number(typeof data === 'object')));
  }
};

async function open(threads: number, workerUrl?: string): Promise<Tester> {
  const tester = await createTester({ backend: 'cpu', threads, ...(workerUrl && { workerUrl }) });
  for (const shape of family.shapes) tester.addShape(shape);
  return tester;
}

/** Asks until workers have answered, or the tester has given up on them. */
window.askThreads = async (threads, workerUrl) => {
  const [one, many] = [await open(1), await open(threads, workerUrl)];
  const expected = await one.contacts(family.bodies, family.pairs);
  let isSame = true;
  for (let calls = 0; calls < 2 || (seen.answers === 0 && many.fallback === undefined && calls < 200); calls++) {
    const found = await many.contacts(family.bodies, family.pairs);
    isSame &&=
      found.distance.every((value, i) => value === expected.distance[i]) &&
      found.pointA.every((value, i) => value === expected.pointA[i]);
  }
  const { fallback } = many;
  one.dispose();
  many.dispose();
  return { isIsolated: crossOriginIsolated, ...seen, isSame, fallback };
};
