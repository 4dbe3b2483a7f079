/** The library build (`vite build`) and the test projects (`vitest run`). */

import { builtinModules } from 'node:module';
import { defineConfig } from 'vitest/config';

/**
 * Tests compile hundreds of kernels for few pairs each: lavapipe is done in a third of the time where LLVM leaves them as they are
 * (https://docs.mesa3d.org/envvars.html).
 */
const QUICK_TO_COMPILE = { GALLIVM_PERF: 'nopt', LP_NATIVE_VECTOR_WIDTH: '128' };

export default defineConfig({
  build: {
    target: 'es2022',
    sourcemap: true,
    minify: false,
    lib: {
      entry: {
        index: 'src/index.ts',
        node: 'src/node.ts',
        cpu: 'src/cpu/index.ts',
        wgsl: 'src/wgsl.ts',
        narrowphase: 'src/cli/main.ts',
        page: 'src/cli/engines/page.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [/^node:/, ...builtinModules, 'webgpu', 'puppeteer'],
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
    },
  },
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The groups run one after another, and what uses a GPU, a software one as a rule, runs a file at a time.
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          globalSetup: 'test/setup/global.ts',
          include: ['test/{kernels,cli,browser}/**/*.test.ts'],
          maxWorkers: 2,
          env: QUICK_TO_COMPILE,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          globalSetup: 'test/setup/global.ts',
          include: ['test/package/**/*.test.ts'],
          testTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
