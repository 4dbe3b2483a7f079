/**
 * The package's declarations in strict projects of each version of TypeScript, our declarations checked too: the
 * recipe of docs/getting-started.md, which libraries of types a project needs, and how many errors a mistake makes.
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

/** A consumer of all entries that names nothing of the DOM but devices and signals. */
const consumer = `
import { createTester, NarrowphaseError, type Batch, type Contacts, type Tester } from 'narrowphase';
import { createTester as createNodeTester } from 'narrowphase/node';
import { contact, createShape, planar, type CpuContact } from 'narrowphase/cpu';
import { layouts, resultsWgsl } from 'narrowphase/wgsl';
const tester: Tester = await createTester({ backend: 'cpu' });
const plane = await createNodeTester({ dimension: 2, backend: 'cpu' });
const box = tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
const quaternions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1);
const bodies = { shapes: Uint32Array.of(box, box), positions: new Float32Array(6), quaternions };
const { signal } = new AbortController();
const contacts: Contacts = await tester.contacts(bodies, await tester.findPairs(bodies), { bounds: true, signal });
export const heights: number[] = [...contacts].map(({ distance, normal }) => distance * normal[1]);
// @ts-expect-error: there may be no such element.
export const first: number = contacts.distance[0];
// @ts-expect-error: an option that is left out is not one that is undefined.
await tester.contacts(bodies, Uint32Array.of(0, 1), { margin: undefined });
// @ts-expect-error: the types of WebGPU are there.
await createTester({ device: 5 });
const heightsAlone = await tester.contacts(bodies, Uint32Array.of(0, 1), { fields: ['distance', 'normal'] });
export const [{ distance, normal }] = [...heightsAlone] as [{ distance: number; normal: [number, number, number] }];
// @ts-expect-error: it is not in the list.
export const missing = heightsAlone.pair;
const sphere = createShape({ type: 'sphere', radius: 1 });
const pose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };
export const found: CpuContact = contact(sphere, pose, sphere, pose);
export const batch: Batch<Contacts> = await tester.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1 });
const circle = planar.createShape({ type: 'circle', radius: 1 });
export const others = [plane.dimension, circle, layouts.Contact.size, resultsWgsl, NarrowphaseError] as const;
`;

type Resolution = 'Bundler' | 'NodeNext';

/** The strictest projects. */
const strictest = (resolution: Resolution, lib: string[], types: string[], skipLibCheck = false): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: resolution === 'Bundler' ? 'ESNext' : resolution,
      moduleResolution: resolution,
      lib: ['ES2022', ...lib],
      types,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck,
      noEmit: true,
    },
    include: ['strict'],
  });

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

/** Lists of fields with one mistake each, which stands at the given place. */
const lists: [query: string, list: string, mistake: string][] = [
  ['contacts', "['distance', 'normla']", "'normla'"],
  ['distances', "['featureA']", "'featureA'"],
  ['manifolds', "['pair', 'count', 'normal']", "'count'"],
  ['intersects', "'hit'", 'fields'],
];

/** Each mistake and a correct use of the tester behind it. */
const wrong = [
  "import { createTester } from 'narrowphase';",
  ...mistakes.map(([options, isPlanar], i) => {
    const shape = isPlanar ? "{ type: 'circle', radius: 1 }" : "{ type: 'sphere', radius: 1 }";
    return `const tester${i} = await createTester(${options}); export const shape${i}: number = tester${i}.addShape(${shape});`;
  }),
].join('\n');

const withList = (i: number, query: string): string =>
  `const result${i} = await tester.${query}(bodies, new Uint32Array(2), { fields: `;

/** The same with lists of fields. Each result is used as if it had all arrays. */
const wrongLists = [
  "import { createTester } from 'narrowphase';",
  'const tester = await createTester();',
  'const bodies = { shapes: new Uint32Array(1), positions: new Float32Array(3), quaternions: new Float32Array(4) };',
  ...lists.map(
    ([query, list], i) => `${withList(i, query)}${list} }); export const pair${i}: number = result${i}.pair[0];`,
  ),
].join('\n');

/** The lines and columns of the errors in what a compiler says. */
function placesOf(message: string): number[][] {
  return [...message.matchAll(/^\S+\((\d+),(\d+)\): error TS\d+/gm)].map(([, line, column]) => [
    Number(line),
    Number(column),
  ]);
}

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
  tarball = await pack(folder, { built: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(compilers)('$name', ({ tool, types }) => {
  let project: string;

  beforeAll(async () => {
    project = join(folder, tool);
    await makeProject(project, tarball, [tool, '@webgpu/types', '@types/node'], {
      'strict/consumer.ts': consumer,
      'dom-bundler.json': strictest('Bundler', ['DOM'], types),
      'dom-nodenext.json': strictest('NodeNext', ['DOM'], types),
      'dom-node.json': strictest('NodeNext', ['DOM'], [...types, 'node']),
      'worker.json': strictest('Bundler', ['WebWorker'], types),
      'neither.json': strictest('NodeNext', [], ['node']),
      'neither-unchecked.json': strictest('NodeNext', [], ['node', '@webgpu/types'], true),
      'right.json': tsconfig(types, 'right'),
      'wrong.json': tsconfig(types, 'wrong'),
      'wrong-lists.json': tsconfig(types, 'wrong-lists'),
      'right/testers.ts': right,
      'right/usage.ts': readmeSample('usage'),
      'right/browser.ts': readmeSample('browser'),
      'wrong/options.ts': wrong,
      'wrong-lists/lists.ts': wrongLists,
    });
  });

  /** What the compiler says of a project that does not compile. */
  const messageOf = (config: string): Promise<string> =>
    runTool(project, tool, 'bin/tsc', ['-p', config, '--pretty', 'false']).then(
      () => expect.fail('it compiled'),
      (error: Error) => error.message,
    );

  test('the recipe of docs/ and testers of both dimensions compile', () =>
    runTool(project, tool, 'bin/tsc', ['-p', 'right.json']));

  test.each(['dom-bundler', 'dom-nodenext', 'dom-node', 'neither-unchecked'])(
    '%s: the strictest project compiles',
    async (name) => {
      await runTool(project, tool, 'bin/tsc', ['-p', `${name}.json`]);
    },
  );

  test('the library of workers will do where it declares WebGPU', async () => {
    const compiled = runTool(project, tool, 'bin/tsc', ['-p', 'worker.json', '--pretty', 'false']);
    if (types.length === 0) await compiled;
    // `@webgpu/types` names elements of pages.
    else await expect(compiled).rejects.toThrow(/@webgpu\/types.*TS2552: Cannot find name 'HTMLImageElement'/);
  });

  test('a project with neither library has to skip the check of libraries', () =>
    expect(runTool(project, tool, 'bin/tsc', ['-p', 'neither.json', '--pretty', 'false'])).rejects.toThrow(
      /narrowphase.*Cannot find name 'GPUBuffer'/,
    ));

  test('a wrong option of createTester is one error, at that option', async () => {
    const message = await messageOf('wrong.json');
    const named = mistakes.map(([options], i) => [
      i + 2,
      `const tester${i} = await createTester(`.length +
        1 +
        options.search(/(?:backend|bakend|device|powerPreference|onDeviceLost|gpu|dimension: [4'])/),
    ]);
    expect(placesOf(message)).toEqual(named);
  });

  test('a wrong list of fields is one error, at the wrong element', async () => {
    const message = await messageOf('wrong-lists.json');
    const named = lists.map(([query, list, mistake], i) => {
      const line = `${withList(i, query)}${list}`;
      return [i + 4, 1 + line.lastIndexOf(mistake)];
    });
    expect(placesOf(message)).toEqual(named);
    expect(message).toContain(`Did you mean '"normal"'?`);
  });
});
