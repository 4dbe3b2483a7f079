/** Bundles `npm run manifolds` into dist-bench/manifolds.mjs. */
import { bundleProgram } from '../../../scripts/bundle.ts';

await bundleProgram({
  entry: 'bench/campaigns/manifolds/main.ts',
  file: 'manifolds.mjs',
  external: ['puppeteer', 'webgpu', 'vite'],
});
