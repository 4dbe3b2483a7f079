/** The package as its users get it: packed, installed in empty projects, type-checked, run. */

import { readFile, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { launchBrowser, openPage } from '../setup/launch.ts';
import { readmeSample } from '../setup/readme.ts';
import { serve } from '../../verification/engines/static-server.ts';
import { makeProject, pack, run, runTool, temporaryFolder } from './projects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');

/** Strict, and `skipLibCheck: false` has our declarations checked too. TypeScript's DOM library declares WebGPU. */
const tsconfig = (types: string[]) =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'Bundler',
      lib: ['ES2022', 'DOM'],
      types,
      strict: true,
      skipLibCheck: false,
      rootDir: 'src',
      outDir: 'out',
    },
    include: ['src'],
  });

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  tarball = await pack(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('npm builds what it packs and publishes', () => {
  expect(packageJson.scripts.prepack).toBe('npm run build');
});

test('publint finds nothing to mend', async () => {
  const tarballBytes = await readFile(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarballBytes).buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
});

const examine = (profile: string) =>
  runTool(root, '@arethetypeswrong/cli', 'dist/index.js', [tarball, '--profile', profile]);

describe('are-the-types-wrong', () => {
  test('finds nothing to mend for importers of modules', async () => {
    await examine('esm-only');
  });

  test('knows that nobody else can import the package, so that the check above sees such faults', () =>
    expect(examine('strict')).rejects.toThrow(/Resolution failed/));
});

describe('the browser entries', () => {
  test.each(['index', 'cpu', 'wgsl'])('%s needs no module from outside the package', async (entry) => {
    expect(await foreignImports(entry)).toEqual([]);
  });

  test('node does, so that the check above sees such imports', async () => {
    const foreign = await foreignImports('node');
    expect(foreign).toContain('webgpu');
    expect(foreign.some((name) => name.startsWith('node:'))).toBe(true);
  });
});

describe('in an empty Vite project', () => {
  let project: string;

  beforeAll(async () => {
    project = join(folder, 'vite-project');
    await makeProject(project, tarball, ['vite', 'typescript'], {
      'tsconfig.json': tsconfig([]),
      'vite.config.js': "export default { build: { target: 'esnext' } };\n",
      'index.html':
        '<!doctype html><html lang="en"><title>sample</title><script type="module" src="/src/main.ts"></script></html>\n',
      'src/main.ts': "import './sample.js';\ndocument.title = 'done';\n",
      'src/sample.ts': readmeSample('browser'),
    });
  });

  test('the README sample passes tsc --strict', () =>
    runTool(project, 'typescript', 'bin/tsc', ['-p', '.', '--noEmit']));

  test('the README sample is built by vite', () => runTool(project, 'vite', 'bin/vite.js', ['build']));

  test.each(BROWSERS)('what vite built runs in %s', async (which) => {
    const server = await serve({ '/': join(project, 'dist') });
    const browser = await launchBrowser(which);
    try {
      const { page, complaints } = await openPage(browser, `${server.origin}/`);
      await page.waitForFunction(() => document.title === 'done').catch((error) => complaints.push(String(error)));
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  });
});

describe('in an empty Node project', () => {
  const askBackend = [
    "import { createTester } from 'narrowphase/node';",
    'const tester = await createTester({ backend: process.argv[2] });',
    'console.log(tester.backend, tester.fallback);',
  ].join('\n');
  const files = {
    'tsconfig.json': tsconfig(['node']),
    'src/sample.ts': readmeSample('node'),
    'src/batch.ts': readmeSample('batch'),
    'src/motion.ts': readmeSample('motion'),
    'src/plane.ts': readmeSample('plane'),
    'src/crowd.ts': readmeSample('crowd'),
    'src/shader.ts': readmeSample('shader'),
    'backend.js': askBackend,
  };
  let withDawn: string;
  let without: string;

  beforeAll(async () => {
    withDawn = join(folder, 'node-project');
    await makeProject(withDawn, tarball, ['webgpu', 'typescript', '@types/node'], files);
    without = join(folder, 'node-project-without-webgpu');
    await makeProject(without, tarball, [], {
      ...files,
      'threads.js': await readFile(new URL('threads-program.js', import.meta.url), 'utf8'),
    });
  });

  test('the samples of docs/ pass tsc --strict and run', async () => {
    await runTool(withDawn, 'typescript', 'bin/tsc', ['-p', '.']);
    const { stdout } = await run(process.execPath, ['out/sample.js'], withDawn);
    expect(stdout).not.toBe('');
    const batch = await run(process.execPath, ['out/batch.js'], withDawn);
    expect(
      batch.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ').slice(0, 2).join(' ')),
    ).toEqual(['0 2', '1 1', '2 1']);
    expect(batch.stdout).toMatch(/^0 2 0: -0\.5\d*, 1: -0\.2/);
    const motion = await run(process.execPath, ['out/motion.js'], withDawn);
    expect(motion.stdout).toMatch(/^0\.007994/);
    const plane = await run(process.execPath, ['out/plane.js'], withDawn);
    expect(plane.stdout).toMatch(/^\[ 0, 1 \] \[/);
    const shader = await run(process.execPath, ['out/shader.js'], withDawn);
    expect(shader.stdout.trim()).toBe('500000 500000 250000 0');
    expect(plane.stdout.match(/distance: -0\.0(?:1|09999)/g)).toHaveLength(2);
  });

  test("with the package webgpu 'webgpu' takes the adapter that there is", async () => {
    const { stdout } = await run(process.execPath, ['backend.js', 'webgpu'], withDawn);
    expect(stdout.trim()).toBe('webgpu undefined');
  });

  test("without it 'auto' takes the CPU, and the tester says why", async () => {
    const { stdout } = await run(process.execPath, ['backend.js', 'auto'], without);
    expect(stdout).toMatch(/^cpu the package 'webgpu' .* can't be loaded; npm install webgpu$/m);
  });

  test.each([
    ['a query ends before its workers are ready', 'end before workers are ready', '2 0 ABORTED'],
    ['a query ends while its workers load', 'end while workers load', '2 1 ABORTED'],
    ['workers have answered, and wait for more', 'wait', '2 2 20000'],
    ['a tester is disposed of while its workers answer', 'dispose', '2 2 DISPOSED'],
  ])('a process ends when %s', async (_, what, expected) => {
    const { stdout, stderr } = await run(process.execPath, ['threads.js', what], without);
    expect([stdout, stderr]).toEqual([`${expected} undefined\n`, '']);
  });

  test('workers take no flags from the command line of their process', async () => {
    const program = await readFile(join(without, 'threads.js'), 'utf8');
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', program, 'wait'], without);
    expect([stdout, stderr]).toEqual(['2 2 20000 undefined\n', '']);
  });

  test('the command line starts', async () => {
    const { stdout } = await run(process.execPath, ['node_modules/.bin/narrowphase', '--help'], without);
    expect(stdout).toContain('narrowphase run');
  });
});

/** What an entry of the built package and the files it leads to import from elsewhere, statically or dynamically. */
async function foreignImports(entry: string): Promise<string[]> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      lib: { entry: join(dist, `${entry}.js`), formats: ['es'] },
      rolldownOptions: { treeshake: false, external: (name) => !name.startsWith('.') && !isAbsolute(name) },
    },
  });
  const [{ output }] = result as Extract<typeof result, unknown[]>;
  const chunks = output.filter((file) => file.type === 'chunk');
  const own = new Set(chunks.map((chunk) => chunk.fileName));
  return [...new Set(chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]))].filter(
    (name) => !own.has(name),
  );
}
