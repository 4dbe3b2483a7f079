/** The page of the clash viewer, and what tests read from it. */

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer';
import { expect } from 'vitest';
import type { Clash, ClashHeader } from '../../cli/clash/clash-report.ts';
import { textOf } from './page-tools.ts';

export interface ClashJson extends ClashHeader {
  clashes: Clash[];
}

/** Files that the page saves go to a folder of their own, which is returned. */
export async function keepDownloads(page: Page): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowphase-clash-'));
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
  return folder;
}

/** Presses a button that saves a file, and returns the file's bytes. */
export async function saved(page: Page, button: string, folder: string, name: string): Promise<Buffer> {
  const file = join(folder, name);
  rmSync(file, { force: true });
  await page.$eval(button, (element) => (element as HTMLButtonElement).click());
  // Chrome reserves the name with an empty file, which the whole one replaces.
  const isThere = (): boolean => existsSync(file) && statSync(file).size > 0;
  for (let i = 0; i < 3000 && !isThere(); i++) await new Promise((done) => setTimeout(done, 100));
  return readFileSync(file);
}

/** Opens files as with the button of the bar, and waits until the page has finished or says why not. */
export async function upload(page: Page, ...files: string[]): Promise<void> {
  const input = (await page.$('#files')) as ElementHandle<HTMLInputElement>;
  await finished(page, () => input.uploadFile(...files));
}

/** Drops files on the page, and waits as `upload` does. */
export async function dropFiles(page: Page, files: readonly string[]): Promise<void> {
  const contents = files.map((file) => ({ name: basename(file), bytes: [...readFileSync(file)] }));
  await finished(page, () =>
    page.evaluate((list) => {
      const dataTransfer = new DataTransfer();
      for (const { name, bytes } of list) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
      dispatchEvent(new DragEvent('drop', { dataTransfer }));
    }, contents),
  );
}

/** What a user enters into the form of options. */
export interface FormFields {
  tolerance?: string;
  clearance?: string;
  ignore?: string;
  hulls?: boolean;
}

/** Fills in the form of options, submits it, and waits as `upload` does. */
export async function checkAgain(page: Page, fields: FormFields): Promise<void> {
  await finished(page, () =>
    page.evaluate(({ hulls, ...texts }) => {
      const form = document.getElementById('options') as HTMLFormElement;
      const field = (name: string) => form.querySelector<HTMLInputElement>(`#${name}`)!;
      for (const [name, text] of Object.entries(texts)) field(name).value = text;
      if (hulls !== undefined) field('hulls').checked = hulls;
      form.requestSubmit();
    }, fields),
  );
}

/** Acts, and waits until the page has finished a check or says why not. */
async function finished(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => {
    for (const id of ['summary', 'notices']) document.getElementById(id)!.replaceChildren();
  });
  await act();
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.state === 'done' &&
      (document.getElementById('summary')!.textContent !== '' || document.querySelector('#notices .error') !== null),
    { polling: 50 },
  );
}

export interface ListedClash {
  index: number;
  names: string[];
  depth: string;
}

export function listedClashes(page: Page): Promise<ListedClash[]> {
  return page.$$eval('#list .clash', (rows) =>
    rows.map((row) => ({
      index: Number((row as HTMLElement).dataset.index),
      names: Array.from(row.querySelectorAll('.names span'), (name) => name.textContent!),
      depth: row.querySelector('.depth')!.firstChild!.textContent!,
    })),
  );
}

/** Where the camera looks, in the model's coordinates, once it rests. */
export async function cameraTarget(page: Page): Promise<{ target: number[]; distance: number }> {
  await page.waitForFunction(
    async () => {
      const { dataset } = document.getElementById('view')!;
      const { frames } = dataset;
      await new Promise((done) => setTimeout(done, 400));
      return dataset.flying === 'false' && dataset.frames === frames;
    },
    { polling: 50 },
  );
  return page.$eval('#view', (canvas) => {
    const { target, distance } = (canvas as HTMLElement).dataset;
    const { x, y, z } = JSON.parse(target!) as Record<'x' | 'y' | 'z', number>;
    return { target: [x, y, z], distance: Number(distance) };
  });
}

export type Counts = Record<'blue' | 'orange' | 'colours', number>;

/** Counts pixels of a screenshot of the view that have the colours of A and B, and different colours. */
export async function coloursOf(page: Page): Promise<Counts> {
  const view = (await page.$('#view'))!;
  const png = await view.screenshot({ encoding: 'base64' });
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    const colours = new Set<number>();
    let [blue, orange] = [0, 0];
    for (let i = 0; i < pixels.length; i += 4) {
      const [r, g, b] = [pixels[i], pixels[i + 1], pixels[i + 2]];
      colours.add((r << 16) | (g << 8) | b);
      if (b > r + 50 && b > g + 15) blue++;
      if (r > b + 50 && r > g + 40) orange++;
    }
    return { blue, orange, colours: colours.size };
  }, png);
}

/** A click on a clash of the sample flies to its point, and labels it. */
export async function expectFlight(page: Page, clashes: readonly Clash[]): Promise<void> {
  const row = (await listedClashes(page)).find(({ names }) => names.includes('pipe P-103'))!;
  expect(row.depth).toBe('12.4 mm');
  const overview = await cameraTarget(page);
  await page.click(`#clash-${row.index}`);
  const { target, distance } = await cameraTarget(page);
  clashes[row.index].point.forEach((x, axis) => expect(target[axis]).toBeCloseTo(x, 4));
  expect(distance).toBeLessThan(overview.distance / 4);
  expect(await textOf(page, '#label')).toBe('overlap 12.4 mm (exact)');
}
