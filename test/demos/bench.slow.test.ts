/**
 * The bench page in headless Chrome: its rates are pairs over time, its answers were compared first, a run can be
 * cancelled, and without WebGPU it measures the CPU backend.
 */

import type { Page } from 'puppeteer';
import { expect, test } from 'vitest';
import { NARROW, openDemoPages } from './demo-pages.ts';
import { faults, hideWebGpu, textOf } from './heap-page.ts';

/** The file that the page offers. */
interface PageReport {
  version: 1;
  package: string;
  backend: 'webgpu' | 'cpu';
  settings: { pairs: number; seed: number; hitRate: number };
  cases: {
    name: string;
    pairs: number;
    ms: number;
    rate: { median: number; least: number; greatest: number };
    answers: { compared: number; wrongFlags: number; wrongDistances: number; withoutAnswer: number } | null;
  }[];
  failures: { name: string; reason: string }[];
}

const CASES = ['boxes/distances/gjk', 'rectangles/distances'];

async function choose(page: Page, cases: readonly string[], pairs: number): Promise<void> {
  await page.evaluate((names) => {
    for (const box of document.querySelectorAll<HTMLInputElement>('#cases input'))
      box.checked = names.includes(box.value);
  }, cases);
  await page.select('#pairs', String(pairs));
}

async function run(page: Page): Promise<PageReport> {
  await page.click('#run');
  await page.waitForFunction(() => document.documentElement.dataset.running === 'false', {
    timeout: 90_000,
    polling: 100,
  });
  return reportOf(page);
}

function reportOf(page: Page): Promise<PageReport> {
  return page.$eval('#report', (element) => JSON.parse(element.textContent) as PageReport);
}

/** The report has all fields, and the table has its rates. */
async function expectRates(
  page: Page,
  report: PageReport,
  backend: PageReport['backend'],
  pairs: number,
): Promise<void> {
  expect(report.failures).toEqual([]);
  expect(report).toMatchObject({ version: 1, backend, settings: { pairs, seed: 1, hitRate: 0.5 } });
  expect(report.package).toMatch(/^narrowphase \d+\.\d+\.\d+/);
  expect(report.cases.map(({ name }) => name).sort()).toEqual([...CASES].sort());
  for (const result of report.cases) {
    const { name, rate, ms } = result;
    expect(result.pairs).toBe(pairs);
    expect(ms).toBeGreaterThan(0);
    expect(rate.least).toBeGreaterThan(0);
    expect(rate.median).toBeGreaterThanOrEqual(rate.least);
    expect(rate.greatest).toBeGreaterThanOrEqual(rate.median);
    expect(Math.abs((1000 * result.pairs) / ms / rate.median - 1)).toBeLessThan(1e-9);
    const row = await page.$eval(`[data-case="${name}"]`, (element) => ({
      rate: Number((element as HTMLElement).dataset.rate),
      cells: Array.from((element as HTMLTableRowElement).cells, (cell) => cell.innerText),
    }));
    expect(row.rate).toBe(rate.median);
    expect(Number(row.cells[2].replaceAll(',', ''))).toBeCloseTo(rate.median / 1e6, rate.median >= 1e8 ? 0 : 1);
    expect(row.cells[3]).toMatch(name.startsWith('boxes') ? /^[\d.,]+ at \d+ k$/ : /^(–|[\d.,]+ at \d+ k)$/);
  }
}

test('on a software adapter two cases have rates, and a run can be cancelled', async () => {
  const demos = await openDemoPages('webgpu');
  const { page, complaints, close } = await demos.open('bench', { query: '?backend=webgpu' });
  expect(await textOf(page, '#notices')).toMatch(/software adapter/i);
  expect(await textOf(page, '#stored')).toMatch(/nvidia-h200, \d{4}-\d\d-\d\d, narrowphase .*commit [0-9a-f]+/);
  await choose(page, CASES, 1024);
  const report = await run(page);
  await expectRates(page, report, 'webgpu', 1024);
  for (const { answers } of report.cases) {
    expect(answers!.compared).toBeGreaterThan(1500);
    expect(answers).toMatchObject({ wrongFlags: 0, wrongDistances: 0, withoutAnswer: 0 });
  }
  await demos.shoot(page, 'bench-wide');
  await page.click('#run');
  await page.click('#cancel');
  await page.waitForFunction(() => document.documentElement.dataset.running === 'false', {
    timeout: 60_000,
    polling: 100,
  });
  expect(await textOf(page, '#progress-text')).toMatch(/Cancelled after [01] of 2 cases/);
  expect(await page.$eval('#run', (button) => (button as HTMLButtonElement).disabled)).toBe(false);
  expect(complaints).toEqual([]);
  await close();
  await demos.close();
});

test('without WebGPU the CPU backend is measured, and the page says so', async () => {
  const demos = await openDemoPages('webgl');
  for (const options of [{ viewport: NARROW }, { colorScheme: 'dark' as const }]) {
    const { page, complaints, close } = await demos.open('bench', { before: hideWebGpu, ...options });
    expect(await textOf(page, '#notices')).toMatch(/Measured on the CPU, with fewer pairs\s+There is no WebGPU/);
    await choose(page, CASES, 256);
    await expectRates(page, await run(page), 'cpu', 256);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(page.viewport()!.width);
    await demos.shoot(page, 'viewport' in options ? 'bench-narrow' : 'bench-dark');
    expect(faults(complaints)).toEqual([]);
    await close();
  }
  await demos.close();
});
