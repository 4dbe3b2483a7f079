/** Every `ts` block of the README and of docs/ against the built package: type-checked, and the programs run in Node. */

import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPages } from '../../scripts/docs-tables.ts';
import { atNight } from '../helpers/night.ts';
import { run, runTool, temporaryFolder } from '../package/projects.ts';
import { FRAGMENT_NAMES, modulePath, moduleText, parseBlocks, placeOf, readBlocks } from './code-blocks.ts';
import type { CodeBlock } from './code-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const blocks = listPages().flatMap(readBlocks);
/** Kernels of its program compile for a minute and a half. In CI only its TypeScript is checked. */
const LONG = 'docs/guides/debris.md';
const programs = blocks.filter(
  ({ use, isSample, page }) => use === 'program' && !isSample && page !== atNight(LONG, undefined),
);

/** Dawn prints such a line for each limit that it lowers on a driver. */
const NOTE_OF_DAWN = /^Warning: maxDynamic\w+ artificially reduced .*\n/gm;

/** Strict. `names` are declared besides those of the language and the DOM. */
const tsconfig = (include: string[], names: string[] = []) =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'Bundler',
      moduleDetection: 'force',
      lib: ['ES2022', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'],
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      sourceMap: true,
      rootDir: '.',
      outDir: 'out',
    },
    include: [...include, ...names],
  });

let folder: string;
let errors: string[];

beforeAll(async () => {
  folder = await temporaryFolder();
  await makeProject(folder, blocks);
  errors = [...(await compile(folder, 'blocks.json')), ...(await compile(folder, 'fragments.json'))];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the pages have programs', () => {
  expect(blocks.length).toBeGreaterThan(0);
  expect(blocks.map(({ page }) => page)).toContain('README.md');
});

test('every block passes tsc --strict', () => expect(errors).toEqual([]));

describe('programs run to their end in Node, with nothing on stderr', () => {
  test.each(programs.map((block) => ({ place: placeOf(block), block })))('$place', async ({ place, block }) => {
    const program = join('out', `${modulePath(block)}.js`);
    const { stderr } = await run(process.execPath, ['--enable-source-maps', program], folder).catch((error) => {
      throw new Error(`the program at ${place} failed`, { cause: error });
    });
    expect(stderr.replace(NOTE_OF_DAWN, '')).toBe('');
  });
});

describe('blocks of a page', () => {
  const page = 'Text\n\n```ts\nlet a: number = "x";\n```\n\n- item\n\n  ```ts browser\n  b;\n  ```\n\n```sh\nc\n```\n';

  test('have the lines of the page, by which errors name them', async () => {
    const found = parseBlocks('docs/page.md', page);
    expect(found.map(({ line, use, code }) => [line, use, code])).toEqual([
      [4, 'program', 'let a: number = "x";\n'],
      [10, 'browser', 'b;\n'],
    ]);
    const project = await temporaryFolder();
    await makeProject(project, found);
    const wrong = await compile(project, 'blocks.json');
    await rm(project, { recursive: true, force: true });
    expect(wrong.map((error) => error.replace(/: error TS\d+.*/, '')).sort()).toEqual([
      'docs/page.md:10:1',
      'docs/page.md:4:5',
    ]);
  });

  test.each([
    ['```ts bowser\n```\n', /docs\/page\.md:1: first line is "ts bowser", expected/],
    ['\n```js\n```\n', /docs\/page\.md:2: language is "js", expected "ts"/],
  ])('with an unknown first line are an error: %j', (text, message) => {
    expect(() => parseBlocks('docs/page.md', text)).toThrow(message);
  });
});

/** A project with a module per block, the built package, and the packages that blocks import. */
async function makeProject(project: string, modules: CodeBlock[]): Promise<void> {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ private: true, type: 'module' }),
    'blocks.json': tsconfig(['program/**/*.ts', 'browser/**/*.ts']),
    'fragments.json': tsconfig(['fragment/**/*.ts'], ['fragment-names.d.ts']),
    'fragment-names.d.ts': FRAGMENT_NAMES,
  };
  for (const block of modules) files[`${modulePath(block)}.ts`] = moduleText(block);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), text);
  }
  const imported = modules.flatMap(({ code }) =>
    [...code.matchAll(/\bfrom '((?:@[^/']+\/)?[^/.'][^/']*)/g)].map(([, name]) => name),
  );
  for (const name of new Set(['narrowphase', 'typescript', '@types/node', ...imported])) {
    await link(project, name, name === 'narrowphase' ? root : join(root, 'node_modules', name));
    await link(project, `@types/${name}`, join(root, 'node_modules/@types', name));
  }
}

/** What isn't installed is left out: the type check names it. */
async function link(project: string, name: string, target: string): Promise<void> {
  const path = join(project, 'node_modules', name);
  if (!existsSync(target) || existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path, 'junction');
}

/** Compiles the blocks of a configuration; its errors, each with page, line and column. */
async function compile(project: string, config: string): Promise<string[]> {
  const output = await runTool(project, 'typescript', 'bin/tsc', ['-p', config, '--pretty', 'false']).then(
    () => '',
    (error: Error) => error.message,
  );
  const found = output.match(/^.*\berror TS\d+.*(?:\n .*)*/gm) ?? [];
  if (output && found.length === 0) throw new Error(output);
  return found.map((error) => error.replace(/^\w+\/(.*?)-\d+\.ts\((\d+),(\d+)\)/, '$1:$2:$3'));
}
