/** Engine `cpu`: the double-precision reference. */

import { createTester } from '../../src/node.ts';
import type { Engine } from './engine.ts';
import { testerEngine } from './tester-engine.ts';

export async function openCpu(): Promise<Engine> {
  const tester = await createTester({ backend: 'cpu' });
  return testerEngine(tester, { name: 'cpu', runtime: `Node ${process.versions.node}` }, null);
}
