/** The clash viewer with the user's own files, options and keys: its report is that of the command line. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorkplace } from '../../cli/cli.ts';
import { gltfOf, objOf, PARTS, stlOf } from '../../demos/clash-models.ts';
import {
  cameraTarget,
  checkAgain,
  dropFiles,
  keepDownloads,
  listedClashes,
  saved,
  upload,
  type ClashJson,
  type FormFields,
} from '../../demos/clash-page.ts';
import { openDemoPages, type DemoPages, type OpenDemo } from '../../demos/demo-pages.ts';
import { faults, hideWebGpu, textOf } from '../../demos/page-tools.ts';

const { folder, narrowphase, read, write } = makeWorkplace();
const { document: gltf, binary } = gltfOf(PARTS, 'parts.bin');
write('parts.stl', stlOf(PARTS));
write('parts.obj', objOf(PARTS));
write('parts.gltf', gltf);
write('parts.bin', binary);
write('ignore.json', { ignore: [['l*', 'right']] });

let pages: DemoPages;
let shown: OpenDemo;
let downloads: string;

beforeAll(async () => {
  pages = await openDemoPages('webgl');
  shown = await pages.open('clash', { before: hideWebGpu });
  downloads = await keepDownloads(shown.page);
});
afterAll(() => pages?.close());

async function commandReport(file: string, ...options: string[]): Promise<ClashJson> {
  const { code, stderr } = await narrowphase(['clash', file, '--engine', 'cpu', '--out', 'report.json', ...options]);
  expect(code, stderr).toBeLessThan(2);
  return JSON.parse(read('report.json')) as ClashJson;
}

async function expectReport({ scene, clashes, categories, tolerance, clearance }: ClashJson): Promise<void> {
  const json = await saved(shown.page, '[data-export=json]', downloads, 'parts-clashes.json');
  expect(JSON.parse(json.toString())).toMatchObject({ scene, clashes, categories, tolerance, clearance });
  expect(faults(shown.complaints)).toEqual([]);
}

const paths = (files: readonly string[]): string[] => files.map((file) => join(folder, file));

test.each([['parts.stl'], ['parts.gltf', 'parts.bin'], ['parts.obj']])('%s is checked', async (...files) => {
  await upload(shown.page, ...paths(files));
  const expected = await commandReport(files[0]);
  expect(expected.clashes).toMatchObject([{ category: 'overlap', a: 'left', b: 'right', distance: -0.25 }]);
  await expectReport(expected);
});

test('a .gltf without its .bin says which file is missing', async () => {
  await upload(shown.page, join(folder, 'parts.obj'));
  await upload(shown.page, join(folder, 'parts.gltf'));
  expect(await textOf(shown.page, '#summary')).toMatch(/^1 clash among 5 parts/);
  expect(await textOf(shown.page, '#notices')).toContain('its uri names "parts.bin", which is not among the files');
});

test.each<[FormFields, string[], object[]]>([
  [
    { tolerance: '0.3' },
    ['--tolerance', '0.3'],
    [
      { category: 'touching', distance: -0.25 },
      { category: 'touching', distance: 0.125 },
    ],
  ],
  [
    { clearance: '0.2' },
    ['--clearance', '0.2'],
    [{ category: 'overlap' }, { category: 'clearance', a: 'right', b: 'far', distance: 0.125 }],
  ],
  [{ hulls: true }, ['--hulls'], [{ category: 'overlap' }, { category: 'contained', a: 'frame', b: 'inside' }]],
  [{ ignore: 'l*:right' }, ['--rules', 'ignore.json'], []],
])('the options %j are those of the command line', async (fields, options, clashes) => {
  await upload(shown.page, join(folder, 'parts.obj'));
  await checkAgain(shown.page, fields);
  const expected = await commandReport('parts.obj', ...options);
  expect(expected.clashes).toMatchObject(clashes);
  await expectReport(expected);
});

test.each<[FormFields, string]>([
  [{ tolerance: '-1' }, 'Tolerance is "-1", expected a number of at least 0'],
  [{ clearance: 'much' }, 'Clearance is "much", expected a number of at least 0'],
  [{ ignore: 'left' }, 'The ignored pair is "left", expected A:B'],
])('the options %j are refused with the reason', async (fields, reason) => {
  await upload(shown.page, join(folder, 'parts.obj'));
  await checkAgain(shown.page, fields);
  expect(await textOf(shown.page, '#notices')).toContain(reason);
  expect(await listedClashes(shown.page)).toHaveLength(1);
});

test('a report that is dropped with its model is shown on it, without a check', async () => {
  const expected = await commandReport('parts.stl', '--clearance', '0.2');
  await dropFiles(shown.page, paths(['report.json', 'parts.stl']));
  expect(await textOf(shown.page, '#summary')).toContain('from report.json');
  await expectReport(expected);
  await shown.page.click('#list .clash');
  expect(await shown.page.$eval('#card-missing', (line) => (line as HTMLElement).hidden)).toBe(true);
});

test('arrow keys, Home and End move through the list, Enter flies to a clash, Escape shows the whole model', async () => {
  const { page } = shown;
  const { clashes } = await commandReport('parts.stl', '--clearance', '0.2');
  const active = (): Promise<string | null> =>
    page.$eval('#list', (list) => list.getAttribute('aria-activedescendant'));
  await dropFiles(page, paths(['report.json', 'parts.stl']));
  const [first, second] = (await listedClashes(page)).map(({ index }) => `clash-${index}`);
  await page.focus('#list');
  for (const [key, expected] of [
    ['ArrowDown', first],
    ['ArrowDown', second],
    ['ArrowDown', first],
    ['ArrowUp', second],
    ['Home', first],
    ['End', second],
  ] as const) {
    await page.keyboard.press(key);
    expect(await active(), key).toBe(expected);
  }
  const overview = await cameraTarget(page);
  await page.keyboard.press('Enter');
  expect(await page.$eval(`#${second}`, (row) => row.getAttribute('aria-selected'))).toBe('true');
  expect(await textOf(page, '#card-place')).toBe('2 of 2');
  const { target, distance } = await cameraTarget(page);
  const { point } = clashes[Number(second.replace('clash-', ''))];
  point.forEach((x, axis) => expect(target[axis]).toBeCloseTo(x, 4));
  expect(distance).toBeLessThan(overview.distance);
  await page.keyboard.press('n');
  expect(await textOf(page, '#card-place')).toBe('1 of 2');
  await page.keyboard.press('Escape');
  expect(await page.$eval('#card', (card) => (card as HTMLElement).hidden)).toBe(true);
  expect(await page.$$eval('#list [aria-selected=true]', (rows) => rows.length)).toBe(0);
});
