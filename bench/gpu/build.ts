/**
 * Bundles the benchmark into dist-bench/bench-gpu.mjs, which needs nothing but Node and the package `webgpu` where it
 * runs.
 */

import { bundleProgram } from '../../scripts/bundle.ts';
import { generatorText } from '../revision.ts';

await bundleProgram({
  entry: 'bench/gpu/main.ts',
  file: 'bench-gpu.mjs',
  external: ['webgpu'],
  define: { GENERATOR: JSON.stringify(generatorText()) },
});
