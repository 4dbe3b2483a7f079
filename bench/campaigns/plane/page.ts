/** What runs in the page of a browser: a tester on its WebGPU, asked family by family. */

import { createTester } from '../../../src/index.ts';
import { measure } from './measure.ts';

const tester = await createTester({ dimension: 2, backend: 'webgpu' });

Object.assign(window, {
  plane: {
    adapter: tester.adapter,
    measure: (name: string, count: number, seed: number, judged: number) => measure(tester, name, count, seed, judged),
  },
});
