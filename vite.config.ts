/** The build of the library (`vite build`) and the test projects (`vitest run`). vite.cli.config.ts builds the command line. */

import { builtinModules } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { cpuWorker, cpuWorkerEntry } from './scripts/cpu-worker-plugin.ts';

/**
 * Tests compile hundreds of kernels for few pairs each: lavapipe is done in a third of the time where LLVM leaves them
 * as they are (https://docs.mesa3d.org/envvars.html).
 */
const QUICK_TO_COMPILE = { GALLIVM_PERF: 'nopt', LP_NATIVE_VECTOR_WIDTH: '128' };

/**
 * Files that run for long, the longest first: what is left when the others are done would keep one worker busy and the
 * other waiting. Vitest knows of how long files take only where it has run before.
 */
const LONG = [
  'browser/kernels',
  'cli/conformance',
  'cli/browser-engine',
  'unit/reference',
  'kernels/accuracy',
  'kernels/manifold',
  'unit/mpr',
  'kernels/planar-floor',
  'kernels/planar-stack',
  'kernels/planar-rays',
  'kernels/planar-tester',
  'kernels/planar-impacts',
  'cli/verify',
  'cli/merge',
  'browser/demo-heap',
  'kernels/mpr',
  'kernels/halfspace',
  'kernels/warm-start',
  'kernels/impacts-floor',
  'unit/properties',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return place < 0 ? LONG.length : place;
}

export default defineConfig({
  plugins: [cpuWorker()],
  build: {
    target: 'es2022',
    minify: false,
    lib: {
      entry: { index: 'src/index.ts', node: 'src/node.ts', cpu: 'src/cpu.ts', wgsl: 'src/wgsl.ts', ...cpuWorkerEntry },
      formats: ['es'],
    },
    rolldownOptions: {
      external: [/^node:/, ...builtinModules, 'webgpu'],
      output: { entryFileNames: '[name].js', chunkFileNames: 'library/[name].js' },
    },
  },
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    // Those of the same order run side by side, three files at a time: on two cores one often waits, for a browser or a
    // time limit. Alone: the package is packed, which builds it again, when nobody else uses the build, and a million
    // pairs have the machine for their minute.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/docs/tables.test.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          globalSetup: 'test/setup/global.ts',
          include: ['test/{kernels,cli,browser}/**/*.test.ts', 'test/docs/{blocks,site}.test.ts'],
          exclude: ['test/cli/million.test.ts'],
          maxWorkers: 3,
          env: QUICK_TO_COMPILE,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          globalSetup: 'test/setup/global.ts',
          include: ['test/package/**/*.test.ts', 'test/cli/million.test.ts'],
          env: QUICK_TO_COMPILE,
          testTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
