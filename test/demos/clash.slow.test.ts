/**
 * The clash viewer on the CPU against the command line: the same model and options give the same clashes and files.
 * test/night/demos/ has WebGPU.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer';
import { expect, test } from 'vitest';
import { makeWorkplace } from '../cli/cli.ts';
import { objOf, PARTS } from './clash-models.ts';
import { checkAgain, expectFlight, keepDownloads, listedClashes, saved, upload, type ClashJson } from './clash-page.ts';
import { openDemoPages } from './demo-pages.ts';
import { faults, hideWebGpu, textOf } from './page-tools.ts';

const { folder, narrowphase, read, write } = makeWorkplace();
write('parts.obj', objOf(PARTS));

async function commandReport(file: string, ...options: string[]): Promise<ClashJson> {
  const { code, stderr } = await narrowphase(['clash', file, '--engine', 'cpu', '--out', 'report.json', ...options]);
  expect(code, stderr).toBe(1);
  return JSON.parse(read('report.json')) as ClashJson;
}

/** The page's report on parts.obj is the command line's with these options. */
async function expectReport(page: Page, downloads: string, ...options: string[]): Promise<void> {
  const json = await saved(page, '[data-export=json]', downloads, 'parts-clashes.json');
  const { clashes, scene, categories, clearance } = JSON.parse(json.toString()) as ClashJson;
  const expected = await commandReport('parts.obj', ...options);
  expect({ scene, categories, clearance }).toEqual({
    scene: expected.scene,
    categories: expected.categories,
    clearance: expected.clearance,
  });
  expect(clashes.map(({ a, b, category }) => [a, b, category])).toEqual(
    expected.clashes.map(({ a, b, category }) => [a, b, category]),
  );
  clashes.forEach(({ distance }, i) => expect(Math.abs(distance - expected.clashes[i].distance)).toBeLessThan(1e-4));
}

test('without WebGPU the CSV of the sample is that of the command line, a click flies to a clash, and other options count', async () => {
  const demos = await openDemoPages('webgl');
  const { page, complaints } = await demos.open('clash', { before: hideWebGpu });
  expect(await page.evaluate(() => document.documentElement.dataset.backend)).toBe('cpu');
  expect(await textOf(page, '#notices')).toContain('CPU');
  const downloads = await keepDownloads(page);
  write('plant.glb', await saved(page, '#save-model', downloads, 'plant.glb'));
  const options = ['--clearance', '0.05', '--up', 'y', '--out', 'plant.csv'];
  const { clashes } = await commandReport('plant.glb', ...options);
  const csv = await saved(page, '[data-export=csv]', downloads, 'plant-clashes.csv');
  expect(csv.equals(readFileSync(join(folder, 'plant.csv')))).toBe(true);

  await expectFlight(page, clashes);

  await upload(page, join(folder, 'parts.obj'));
  await checkAgain(page, { clearance: '0.2' });
  expect(await listedClashes(page)).toHaveLength(2);
  await expectReport(page, downloads, '--clearance', '0.2');
  expect(faults(complaints)).toEqual([]);
  await demos.close();
});
