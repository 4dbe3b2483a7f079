/** The bench page as tests use it: choosing cases, running them, and the report. */

import type { Page } from 'puppeteer';

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
  await page.waitForFunction(() => document.documentElement.dataset.running === 'false', {
    timeout: 90_000,
    polling: 100,
  });
}

export async function untilStep(page: Page, step: string): Promise<void> {
  await page.waitForFunction(
    (text) => document.getElementById('progress-text')!.textContent.includes(text),
    {
      timeout: 60_000,
      polling: 20,
    },
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
