/**
 * The demo of the heap in headless Chrome, with a small scene: its figures and contacts are those of the command line, and
 * the keyboard reaches a contact. test/night/demos/ has the rest, on the scene that the page has.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { makeWorkplace } from '../cli/cli.ts';
import { openDemoPages, type DemoPages } from './demo-pages.ts';
import { faults, figuresOf, hideWebGpu, listedContacts, textOf, type HeapReport } from './heap-page.ts';

/** Boxes on a floor, each of which overlaps its neighbours by about 0.01, and one that touches nothing. */
const SCENE = {
  version: 1,
  pairs: 'broad-phase',
  shapes: [
    { id: 'floor', type: 'box', halfExtents: [4, 0.5, 4] },
    { id: 'crate', type: 'box', halfExtents: [0.25, 0.25, 0.25] },
  ],
  bodies: [
    { shape: 'floor', position: [0, -0.5, 0], name: 'floor' },
    ...Array.from({ length: 27 }, (_, i) => ({
      shape: 'crate',
      position: [0.49 * (i % 3), 0.24 + 0.49 * Math.floor(i / 9), 0.485 * (Math.floor(i / 3) % 3)],
      quaternion: [0.01 * Math.sin(i), 0.01 * Math.sin(2 * i), 0.01 * Math.sin(3 * i), 1],
      name: `crate ${i + 1}`,
    })),
    { shape: 'crate', position: [3, 2, 3], name: 'crate in the air' },
  ],
};

const { folder, narrowphase, read, write } = makeWorkplace();
let demos: DemoPages;
let expected: HeapReport;
beforeAll(async () => {
  mkdirSync(join(folder, 'scenes'));
  write('scenes/heap.json', SCENE);
  demos = await openDemoPages('webgl', join(folder, 'scenes'));
  const { code, stderr } = await narrowphase(['run', 'scenes/heap.json', '--engine', 'cpu', '--out', 'report.json']);
  expect(code, stderr).toBe(0);
  expected = JSON.parse(read('report.json')) as HeapReport;
  expect(expected.hits).toBeGreaterThan(50);
});
afterAll(() => demos?.close());

/** The page's figures and contacts are those of the report. */
async function expectSameFigures(page: Page, backend: string): Promise<void> {
  const figures = await figuresOf(page);
  const { candidatePairs, hits, statusCounts } = expected;
  expect(figures).toMatchObject({ backend, bodies: SCENE.bodies.length, candidatePairs, hits, statusCounts });
  expect(figures.contacts.map(({ pair, a, b, status }) => ({ pair, a, b, status }))).toEqual(
    expected.contacts.map(({ pair, a, b, status }) => ({ pair, a, b, status })),
  );
  // Bodies are at most 6 apart, and a floor and a box are as large as that.
  figures.contacts.forEach(({ distance }, i) =>
    expect(Math.abs(distance - expected.contacts[i].distance)).toBeLessThanOrEqual(6 * TOLERANCE.kernels),
  );
}

test('on WebGPU the figures are those of the command line, and the keyboard lists the contacts of a body', async () => {
  const { page, complaints, close } = await demos.open('heap', { query: '?backend=webgpu' });
  await expectSameFigures(page, 'webgpu');
  expect(await textOf(page, '#backend')).toBe('WebGPU');
  expect(await textOf(page, '#hits')).toBe(expected.hits.toLocaleString('en'));
  await page.focus('#deepest button');
  await page.keyboard.press('Enter');
  const { body, rows } = await listedContacts(page);
  const own = expected.contacts.filter(({ a, b }) => a === body || b === body);
  expect(rows.map(({ pair }) => pair).sort((p, q) => p - q)).toEqual(own.map(({ pair }) => pair));
  for (const { pair, text } of rows) {
    const { a, nameA, nameB } = own.find((contact) => contact.pair === pair)!;
    expect(text).toContain(a === body ? nameB : nameA);
  }
  await page.keyboard.press('Escape');
  expect(await page.$eval('#details', (card) => (card as HTMLElement).hidden)).toBe(true);
  expect(faults(complaints)).toEqual([]);
  await close();
});

test('without WebGPU the page says that it runs on the CPU, and why, and finds the same', async () => {
  const { page, complaints, close } = await demos.open('heap', { before: hideWebGpu });
  expect(await textOf(page, '#notices')).toMatch(
    /runs on the CPU\s+There is no WebGPU here: navigator\.gpu is missing/,
  );
  await expectSameFigures(page, 'cpu');
  expect(faults(complaints)).toEqual([]);
  await close();
});
