/** Bundles the experiment into dist-bench/mesh-trees.mjs. */
import { bundleProgram } from '../../../scripts/bundle.ts';

await bundleProgram({
  entry: 'bench/experiments/mesh-trees/mesh-trees.ts',
  file: 'mesh-trees.mjs',
  external: ['three', 'three-mesh-bvh', '@dimforge/rapier3d-compat'],
});
