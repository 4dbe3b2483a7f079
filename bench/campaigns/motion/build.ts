/** Bundles `npm run motion` into dist-bench/motion.mjs. */
import { bundleProgram } from '../../../scripts/bundle.ts';

await bundleProgram({ entry: 'bench/campaigns/motion/main.ts', file: 'motion.mjs', external: ['puppeteer', 'webgpu'] });
