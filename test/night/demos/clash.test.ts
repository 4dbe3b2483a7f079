/** The clash viewer against the command line: the same model and options give the same clashes and files. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Clash } from '../../../cli/clash/clash-report.ts';
import { makeWorkplace } from '../../cli/cli.ts';
import { objOf } from '../../demos/clash-models.ts';
import {
  coloursOf,
  expectFlight,
  keepDownloads,
  listedClashes,
  saved,
  upload,
  type ClashJson,
} from '../../demos/clash-page.ts';
import { NARROW, openDemoPages, type DemoPages } from '../../demos/demo-pages.ts';
import { faults, hideWebGpu, textOf } from '../../demos/page-tools.ts';

const workplace = makeWorkplace();
const opened: DemoPages[] = [];
afterAll(async () => {
  for (const pages of opened) await pages.close();
});

async function pagesOf(drawing: 'webgpu' | 'webgl'): Promise<DemoPages> {
  const pages = await openDemoPages(drawing);
  opened.push(pages);
  return pages;
}

/** The command line's report of the plant, and the files in the other formats. */
async function plantReport(bytes: Buffer): Promise<ClashJson> {
  workplace.write('plant.glb', bytes);
  const formats = ['json', 'csv', 'bcf'].flatMap((format) => ['--out', `plant.${format}`]);
  const options = ['--engine', 'cpu', '--clearance', '0.05', '--up', 'y'];
  const { code } = await workplace.narrowphase(['clash', 'plant.glb', ...options, ...formats]);
  expect(code).toBe(1);
  return JSON.parse(workplace.read('plant.json')) as ClashJson;
}

const identityOf = ({ a, b, category, source, inside }: Clash): unknown => ({ a, b, category, source, inside });

test('on WebGPU: the clashes of the sample are those of the command line, and a click flies to one', async () => {
  const pages = await pagesOf('webgpu');
  const { page, complaints } = await pages.open('clash', { query: '?backend=webgpu' });
  expect(await page.evaluate(() => document.documentElement.dataset.backend)).toBe('webgpu');
  const folder = await keepDownloads(page);
  const expected = await plantReport(await saved(page, '#save-model', folder, 'plant.glb'));
  for (const category of ['overlap', 'contained', 'duplicate', 'touching', 'clearance'] as const) {
    expect(expected.categories[category], category).toBeGreaterThan(0);
  }
  const json = await saved(page, '[data-export=json]', folder, 'plant-clashes.json');
  const { clashes, scene } = JSON.parse(json.toString()) as ClashJson;
  expect(scene).toEqual(expected.scene);
  expect(clashes.map(identityOf)).toEqual(expected.clashes.map(identityOf));
  clashes.forEach(({ distance }, i) => expect(Math.abs(distance - expected.clashes[i].distance)).toBeLessThan(1e-4));
  await pages.shoot(page, 'clash-wide');

  await expectFlight(page, clashes);
  const { blue, orange, colours } = await coloursOf(page);
  expect(Math.min(blue, orange)).toBeGreaterThan(2000);
  expect(colours).toBeGreaterThan(50);
  await pages.shoot(page, 'clash-selected');
  expect(faults(complaints)).toEqual([]);
});

test('without WebGPU: CSV and BCF are byte for byte those of the command line; other files, good and bad', async () => {
  const pages = await pagesOf('webgl');
  const { page, complaints } = await pages.open('clash', { before: hideWebGpu, viewport: NARROW, colorScheme: 'dark' });
  expect(await page.evaluate(() => document.documentElement.dataset.backend)).toBe('cpu');
  expect(await textOf(page, '#notices')).toContain('CPU');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
  const folder = await keepDownloads(page);
  await plantReport(await saved(page, '#save-model', folder, 'plant.glb'));
  for (const format of ['csv', 'bcf']) {
    const bytes = await saved(page, `[data-export=${format}]`, folder, `plant-clashes.${format}`);
    expect(bytes.equals(readFileSync(join(workplace.folder, `plant.${format}`))), format).toBe(true);
  }
  await pages.shoot(page, 'clash-narrow-dark');

  await page.focus('[data-category=touching]');
  await page.keyboard.press('Enter');
  expect(await page.$eval(':focus', (head) => head.getAttribute('aria-expanded'))).toBe('true');

  workplace.write('broken.glb', 'glTF, but no more of it');
  await upload(page, join(workplace.folder, 'broken.glb'));
  expect(await textOf(page, '#notices')).toContain('This model cannot be read');
  expect(await textOf(page, '#model-name')).toBe('plant');
  expect((await listedClashes(page)).length).toBeGreaterThan(10);

  const odd = '<img/src=x/onerror=alert(1)>&"';
  workplace.write(
    'odd.obj',
    objOf([
      { name: odd, boxes: [0] },
      { name: 'other', boxes: [0.75] },
    ]),
  );
  await upload(page, join(workplace.folder, 'odd.obj'));
  expect(await listedClashes(page)).toEqual([{ index: 0, names: [odd, 'other'], depth: '0.25' }]);
  expect(await page.$$eval('#list img, #card img', (images) => images.length)).toBe(0);

  await upload(page, join(workplace.folder, 'plant.json'));
  expect(await textOf(page, '#summary')).toContain('no model: only the points are drawn');
  await page.$eval('#list .clash', (row) => (row as HTMLElement).click());
  expect(await textOf(page, '#card-missing')).toContain('beam B1');
  expect(faults(complaints)).toEqual([]);

  const wrong = await pages.open('clash', { query: '?backend=gpu' });
  expect(await textOf(wrong.page, '#notices')).toContain('?backend=gpu is unknown');
  expect(faults(wrong.complaints)).toEqual([]);
});
