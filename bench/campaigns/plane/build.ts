/** Bundles `npm run accuracy:plane` into dist-bench/accuracy-plane.mjs. */
import { bundleProgram } from '../../../scripts/bundle.ts';

await bundleProgram({
  entry: 'bench/campaigns/plane/main.ts',
  file: 'accuracy-plane.mjs',
  external: ['puppeteer', 'webgpu', 'vite'],
});
