/** Bundles the experiment into dist-bench/mesh-rays.mjs. */
import { bundleProgram } from '../../../scripts/bundle.ts';

await bundleProgram({
  entry: 'bench/experiments/mesh-rays/mesh-rays.ts',
  file: 'mesh-rays.mjs',
  external: ['three', 'three-mesh-bvh'],
});
