/** The build of the library (`vite build`) and the test projects (`vitest run`). vite.cli.config.ts builds the command line. */

import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { cpuWorker, cpuWorkerEntry } from './scripts/cpu-worker-plugin.ts';

/**
 * Tests compile hundreds of kernels for few pairs each. lavapipe takes a third of the time if LLVM does not optimise
 * the kernels (https://docs.mesa3d.org/envvars.html). Compiled kernels are cached in node_modules/: if the home folder is
 * read-only, Mesa caches nothing, and every process compiles them again.
 */
const QUICK_TO_COMPILE = {
  GALLIVM_PERF: 'nopt',
  LP_NATIVE_VECTOR_WIDTH: '128',
  MESA_SHADER_CACHE_DIR: fileURLToPath(new URL('node_modules', import.meta.url)),
};

/** On two cores four files run at a time, since some of them wait for a browser, a time limit or a process. */
const WORKERS = availableParallelism() + 2;

/**
 * Each worker that tests kernels makes all pipelines for itself: ten files took 387 s of processor time with two workers,
 * and 470 s with four. A single worker leaves half of a core idle while it waits for the adapter. With these tests in a
 * process of their own beside the others, `.ci/run` took 37 minutes in place of 32.
 */
const KERNEL_WORKERS = availableParallelism();

/** What tests of an adapter have besides. */
const ON_ADAPTER = { globalSetup: 'test/setup/global.ts', setupFiles: ['test/setup/polling.ts'] };

/**
 * The tests in `npm test` that need the build, an adapter or browsers: each kernel once, and one page in each browser.
 */
const FIRST = ['test/kernels/every-*.test.ts', 'test/browser/sample.test.ts'];

/** Too slow for `npm test`. */
const DECLARATIONS = 'test/package/typescript.test.ts';

function testFilesWith(folder: string, text: RegExp): string[] {
  return readdirSync(fileURLToPath(new URL(folder, import.meta.url)), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => text.test(readFileSync(new URL(name, import.meta.url), 'utf8')));
}

/** Test files that take more items at night (test/helpers/night.ts). */
const MORE_AT_NIGHT = testFilesWith('test', /\batNight\b/);

/** Unit tests that replace modules, which files that share modules can't. */
const MOCKING = testFilesWith('test/unit', /\bvi\.mock\(/);

/** Tests of kernels that replace modules, or set variables which drivers read. */
const APART = testFilesWith('test/kernels', /\bvi\.(mock|stubEnv)\(/);

/** Files that run only at night: other files test their subject in CI, with fewer items or in part. */
const AT_NIGHT = '{test,bench}/**/*.night.test.ts';

/**
 * Files that take more than a few seconds are named `*.slow.test.ts`. They start before the others, because a slow file
 * at the end would keep one worker busy while the others wait. Projects whose files share modules come last, in one
 * piece: a worker exits when the next file belongs to another project.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  return (project.config.isolate ? 0 : 2) + (/\.(slow|night)\.test\.ts$/.test(moduleId) ? 0 : 1);
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
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'library/[name].js',
        // `fitBox` is reached from the entries: bundlers drop it, and the hulls that it needs, by the file.
        codeSplitting: {
          groups: [
            { name: 'input', test: /src.(api|util).|generated.constants|shapes.fields\.ts$/, priority: 2 },
            { name: 'robust-predicates', test: /robust-predicates.esm.(util|orient3d)/, priority: 2 },
            { name: 'orient2d', test: /robust-predicates.esm.orient2d/, priority: 2 },
            // Of what is loaded at once and later: each file by itself would be a request more.
            {
              name: 'shape-basics',
              test: /shapes.(kinds|ellipsoid|weld-vertices)\.ts$|request.closed-form/,
              priority: 1,
            },
            { name: 'polygon', test: /shapes.polygon\.ts$/, priority: 1 },
            { name: 'hull', test: /shapes.hull.*\.ts$/, priority: 1 },
            { name: 'fit-box', test: /shapes.fit-box\.ts$/ },
          ],
        },
      },
    },
  },
  test: {
    // Guards against what hangs; kernels compile for a minute on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    maxWorkers: WORKERS,
    setupFiles: ['test/setup/equality.ts'],
    sequence: { sequencer: SlowFirst },
    // `npm test` runs the first three, `npm run test:night` the project night, `npm run test:rest` the others.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Files of a worker share their modules: to load them again takes a second per file.
          isolate: false,
          include: ['{test/unit,bench}/**/*.test.ts', 'test/docs/tables.test.ts'],
          exclude: ['**/*.slow.test.ts', '**/*.kernel.test.ts', AT_NIGHT, ...MOCKING],
        },
      },
      {
        extends: true,
        test: { name: 'first', ...ON_ADAPTER, include: FIRST, env: QUICK_TO_COMPILE },
      },
      {
        extends: true,
        test: {
          name: 'package',
          ...ON_ADAPTER,
          include: ['test/package/**/*.test.ts'],
          exclude: [DECLARATIONS],
          env: QUICK_TO_COMPILE,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          // As in the project unit.
          isolate: false,
          include: ['{test/unit,bench}/**/*.slow.test.ts'],
          exclude: MOCKING,
        },
      },
      {
        extends: true,
        test: {
          name: 'kernels',
          ...ON_ADAPTER,
          setupFiles: [...ON_ADAPTER.setupFiles, 'test/setup/sharing.ts'],
          // As in the project unit.
          isolate: false,
          include: ['test/kernels/**/*.test.ts'],
          exclude: [...FIRST, ...APART, AT_NIGHT],
          maxWorkers: KERNEL_WORKERS,
          // Vitest wants projects with other numbers of workers to run after one another.
          sequence: { groupOrder: 1 },
          env: QUICK_TO_COMPILE,
        },
      },
      {
        extends: true,
        test: {
          name: 'gpu',
          ...ON_ADAPTER,
          include: [
            ...MOCKING,
            ...APART,
            'test/{cli,browser,demos}/**/*.test.ts',
            'test/docs/blocks.test.ts',
            'bench/**/*.kernel.test.ts',
            DECLARATIONS,
          ],
          exclude: [...FIRST, AT_NIGHT],
          env: QUICK_TO_COMPILE,
        },
      },
      {
        extends: true,
        test: {
          name: 'night',
          ...ON_ADAPTER,
          include: ['test/night/**/*.test.ts', AT_NIGHT, ...MORE_AT_NIGHT],
          env: { ...QUICK_TO_COMPILE, NIGHT: '1' },
          testTimeout: 3_600_000,
          hookTimeout: 3_600_000,
        },
      },
    ],
  },
});
