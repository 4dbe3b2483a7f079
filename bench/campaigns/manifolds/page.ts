/** What runs in the page of a browser: a tester on its WebGPU, asked piece by piece. */

import { createTester } from '../../../src/index.ts';
import { measurePiece, type Piece } from './chunks.ts';

const tester = await createTester({ backend: 'webgpu' });

Object.assign(window, { manifolds: { measure: (piece: Piece) => measurePiece(tester, piece) } });
