/** The bench page as tests use it: choosing cases, running them, and the report. */

import type { Page } from 'puppeteer';
import { expect } from 'vitest';

/** Pairs that are compared with the reference, at least. */
export const COMPARED = { still: 1500, moving: 400 };

/** The file that the page offers. */
export interface PageReport {
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

export async function choose(page: Page, cases: readonly string[], pairs: number): Promise<void> {
  await page.evaluate((names) => {
    for (const box of document.querySelectorAll<HTMLInputElement>('#cases input'))
      box.checked = names.includes(box.value);
  }, cases);
  await page.select('#pairs', String(pairs));
}

export async function run(page: Page): Promise<PageReport> {
  await page.click('#run');
  await untilEnded(page);
  return reportOf(page);
}

export async function untilEnded(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.running === 'false', { polling: 100 });
}

export async function untilStep(page: Page, step: string): Promise<void> {
  await page.waitForFunction(
    (text) => document.getElementById('progress-text')!.textContent.includes(text),
    { polling: 20 },
    step,
  );
}

/** Counts the frames that the page draws during each step of a run, by the step's text. */
export function countFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    const frames: Record<string, number> = {};
    const count = (): void => {
      const step = document.getElementById('progress-text')!.textContent;
      frames[step] = (frames[step] ?? 0) + 1;
      requestAnimationFrame(count);
    };
    count();
    Object.assign(window, { frames });
  });
}

export function framesOf(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => (window as unknown as { frames: Record<string, number> }).frames);
}

export function reportOf(page: Page): Promise<PageReport> {
  return page.$eval('#report', (element) => JSON.parse(element.textContent) as PageReport);
}

/** The report has all fields, and the table has its rates. */
export async function expectRates(
  page: Page,
  report: PageReport,
  backend: PageReport['backend'],
  cases: readonly string[],
  pairs: number,
): Promise<void> {
  expect(report.failures).toEqual([]);
  expect(report).toMatchObject({ version: 1, backend, settings: { pairs, seed: 1, hitRate: 0.5 } });
  expect(report.package).toMatch(/^narrowphase \d+\.\d+\.\d+/);
  expect(report.cases.map(({ name }) => name).sort()).toEqual([...cases].sort());
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
    expect(row.cells[3]).toMatch(name.startsWith('boxes/distances') ? /^[\d.,]+ at \d+ k$/ : /^(–|[\d.,]+ at \d+ k)$/);
  }
}
