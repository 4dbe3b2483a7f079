/** What runs in the page of a browser: a tester on its WebGPU, which measures one chunk per call. */

import { createTester } from '../../../src/index.ts';
import { measureChunk, type Chunk } from './chunks.ts';

const tester = await createTester({ backend: 'webgpu' });

Object.assign(window, { manifolds: { measure: (chunk: Chunk) => measureChunk(tester, chunk) } });
