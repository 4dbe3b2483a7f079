/** Bundles `npm run fuzz` into dist-bench/fuzz.mjs, which runs itself again in processes of its own. */
import { bundleProgram } from '../../../scripts/bundle.ts';

await bundleProgram({ entry: 'bench/campaigns/fuzz/main.ts', file: 'fuzz.mjs', external: ['webgpu'] });
