/** The page of the inspector, and what tests read from it. */

import type { Page } from 'puppeteer';

/** What the page offers as `window.inspector`. */
export interface InspectorPage {
  load(capture: unknown): { result: object; steps: number };
  oracle(): unknown;
  readonly step: number;
  readonly cases: readonly string[];
}

/** Waits for what the last step has drawn. */
export async function rest(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export function textOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => element.textContent ?? '');
}

/** How many colours a canvas has, and which share of its pixels is drawn on. */
export function paint(page: Page, selector: string): Promise<{ colors: number; share: number }> {
  return page.$eval(selector, (element) => {
    const canvas = element as HTMLCanvasElement;
    // Read from a copy: Chrome would warn of canvases that are read often.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set<number>();
    let drawn = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 0) drawn++;
      colors.add((data[i] << 24) | (data[i + 1] << 16) | (data[i + 2] << 8) | data[i + 3]);
    }
    return { colors: colors.size, share: (4 * drawn) / data.length };
  });
}

/** Pastes a text into the page, and waits for what it has drawn. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', given);
    dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
  }, text);
  await rest(page);
}
