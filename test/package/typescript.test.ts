/**
 * The package's declarations in strict projects of each version of TypeScript, our declarations checked too: the
 * README's recipe, and how many errors a mistake makes.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readmeSample } from '../setup/readme.ts';
import { makeProject, pack, runTool, temporaryFolder } from './projects.ts';

/** Packages of the compilers, and the types that each needs besides the DOM library. */
const compilers = [
  { name: 'TypeScript 5.9', tool: 'typescript-5.9', types: ['@webgpu/types'] },
  { name: 'TypeScript 6', tool: 'typescript-6', types: [] },
  { name: 'TypeScript 7', tool: 'typescript', types: [] },
];

/** What `createTester` gives, by its type. Every line has to compile. */
const right = `
import { createTester, type PlanarTester, type Tester, type TesterOptions } from 'narrowphase';
import { createTester as createNodeTester } from 'narrowphase/node';
export const space: Tester[] = [
  await createTester(),
  await createTester({}),
  await createTester({ backend: 'cpu' }),
  await createTester({ dimension: 3 }),
  await createNodeTester(),
];
export const plane: PlanarTester[] = [await createTester({ dimension: 2 }), await createNodeTester({ dimension: 2, backend: 'cpu' })];
const options: TesterOptions = { backend: 'cpu' };
export const either = await createTester(options);
if (either.dimension === 2) either.addShape({ type: 'circle', radius: 1 });
else either.addShape({ type: 'sphere', radius: 1 });
// @ts-expect-error: its dimension is not known.
export const one: Tester = either;
`;

/** Options with one mistake each, of testers of space and of the plane, and the column of the mistake in its line. */
const mistakes: [options: string, isPlanar: boolean][] = [
  ["{ backend: 'gpu' }", false],
  ["{ bakend: 'cpu' }", false],
  ['{ dimension: 4 }', false],
  ["{ dimension: '2' }", false],
  ['{ device: 5 }', false],
  ["{ powerPreference: 'high' }", false],
  ['{ onDeviceLost: 5 }', false],
  ["{ dimension: 2, backend: 'gpu' }", true],
  ["{ powerPreference: 'high', dimension: 2 }", true],
  ['{ dimension: 2, gpu: 5 }', true],
];

/** Each mistake and a correct use of the tester behind it. */
const wrong = [
  "import { createTester } from 'narrowphase';",
  ...mistakes.map(([options, isPlanar], i) => {
    const shape = isPlanar ? "{ type: 'circle', radius: 1 }" : "{ type: 'sphere', radius: 1 }";
    return `const tester${i} = await createTester(${options}); export const shape${i}: number = tester${i}.addShape(${shape});`;
  }),
].join('\n');

const tsconfig = (types: string[], folder: string): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'Bundler',
      lib: ['ES2022', 'DOM'],
      types,
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    },
    include: [folder],
  });

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  tarball = await pack(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(compilers)('$name', ({ tool, types }) => {
  let project: string;

  beforeAll(async () => {
    project = join(folder, tool);
    await makeProject(project, tarball, [tool, ...types], {
      'right.json': tsconfig(types, 'right'),
      'wrong.json': tsconfig(types, 'wrong'),
      'right/testers.ts': right,
      'right/usage.ts': readmeSample('usage'),
      'right/browser.ts': readmeSample('browser'),
      'wrong/options.ts': wrong,
    });
  });

  test('the README’s recipe and testers of both dimensions compile', () =>
    runTool(project, tool, 'bin/tsc', ['-p', 'right.json']));

  test('a wrong option of createTester is one error, at that option', async () => {
    const { message } = await runTool(project, tool, 'bin/tsc', ['-p', 'wrong.json', '--pretty', 'false']).then(
      () => expect.fail('it compiled'),
      (error: Error) => error,
    );
    const found = [...message.matchAll(/^\S+\((\d+),(\d+)\): error TS\d+/gm)].map(([, line, column]) => [
      Number(line),
      Number(column),
    ]);
    const named = mistakes.map(([options], i) => [
      i + 2,
      `const tester${i} = await createTester(`.length +
        1 +
        options.search(/(?:backend|bakend|device|powerPreference|onDeviceLost|gpu|dimension: [4'])/),
    ]);
    expect(found).toEqual(named);
  });
});
