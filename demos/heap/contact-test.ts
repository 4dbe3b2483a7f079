/** The page's subject: a tester with the scene's shapes and bodies, and the contacts of all candidate pairs. */

import { createTester } from 'narrowphase';
import type { Bodies, Contacts, QueryTimings, Tester } from 'narrowphase';
import { addShapes } from '../../verification/engines/add-shapes.ts';
import { scenePairs } from '../../cli/scene/pairs.ts';
import type { Scene } from '../../cli/scene/scene.ts';
import type { BackendChoice } from '../common/choose-backend.ts';

/** A query that takes longer than this is treated as hung: some drivers hang instead of reporting a fault. */
const QUERY_TIMEOUT_MS = 120_000;

/** Milliseconds of one call: the total, and the parts that the tester reports. */
export interface CallTimings extends QueryTimings {
  total: number;
}

export interface ContactTest {
  tester: Tester;
  /** Candidate pairs of body indices, flat. */
  pairs: Uint32Array;
  /** Milliseconds for making the pairs, and for creating the tester with its shapes. */
  preparation: { pairs: number; start: number };
  /** Tests all pairs. */
  run(): Promise<{ contacts: Contacts; timings: CallTimings }>;
}

export async function prepareContactTest(
  scene: Scene,
  backend: BackendChoice,
  onDeviceLost: (info: { message: string }) => void,
): Promise<ContactTest> {
  const pairsStart = performance.now();
  const pairs = scenePairs(scene, scene.margin ?? 0);
  const testerStart = performance.now();
  const tester = await createTester({ backend, onDeviceLost });
  const ids = addShapes(tester, scene.shapes);
  const bodies: Bodies = { ...scene.bodies, shapes: scene.bodies.shapes.map((shape) => ids[shape]) };
  const preparation = { pairs: testerStart - pairsStart, start: performance.now() - testerStart };

  return {
    tester,
    pairs,
    preparation,
    async run() {
      const start = performance.now();
      const contacts = await tester.contacts(bodies, pairs, {
        results: 'hits',
        margin: scene.margin,
        signal: AbortSignal.timeout(QUERY_TIMEOUT_MS),
      });
      const total = performance.now() - start;
      return { contacts, timings: { total, ...tester.timings } };
    },
  };
}
