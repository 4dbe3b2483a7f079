/** Bundles the benchmark of contacts with a terrain into dist-bench/mesh-terrain.mjs. */

import { bundleProgram } from '../../scripts/bundle.ts';
import { generatorText } from '../revision.ts';

await bundleProgram({
  entry: 'bench/mesh/terrain-contacts.ts',
  file: 'mesh-terrain.mjs',
  external: ['webgpu', '@dimforge/rapier3d-compat'],
  define: { GENERATOR: JSON.stringify(generatorText()) },
});
