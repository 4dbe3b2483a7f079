/**
 * The demo of the heap in headless Chrome: its figures and contacts are those of the command line on the same scene, a
 * click on a body lists that body's contacts, and it says what is missing where something is.
 *
 * The pictures it leaves in screenshots/ are for looking at.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createShape, intersects } from '../../../src/cpu.ts';
import type { CpuPose, CpuShape } from '../../../src/cpu.ts';
import { parseScene } from '../../../cli/scene/scene.ts';
import type { Scene } from '../../../cli/scene/scene.ts';
import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import { NARROW, openDemoPages } from '../../demos/demo-pages.ts';
import type { DemoOptions, DemoPages, OpenDemo } from '../../demos/demo-pages.ts';
import {
  faults,
  featureText,
  figuresOf,
  hideWebGl,
  hideWebGpu,
  listedContacts,
  shoot,
  textOf,
  vectorText,
} from '../../demos/heap-page.ts';
import type { HeapContact, HeapReport, PageFigures, Row } from '../../demos/heap-page.ts';

const DESKTOP = { width: 1280, height: 800 };

const root = fileURLToPath(new URL('../../..', import.meta.url));
const screenshots = fileURLToPath(new URL('../../demos/screenshots', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'narrowphase-demo-'));
const reports: Partial<Record<'dawn' | 'cpu', HeapReport>> = {};
let scene: Scene;
let demos: DemoPages;

beforeAll(async () => {
  const scenes = join(folder, 'scenes');
  execFileSync(process.execPath, [join(root, 'scripts/build-scenes.mjs'), scenes], { stdio: 'pipe' });
  scene = parseScene(readFileSync(join(scenes, 'heap.json'), 'utf8'));
  demos = await openDemoPages('webgl', scenes);
});

afterAll(async () => {
  await demos?.close();
  rmSync(folder, { recursive: true });
});

/** The command line's report on the same scene. */
function report(engine: 'dawn' | 'cpu'): HeapReport {
  const out = join(folder, `${engine}.json`);
  return (reports[engine] ??= (() => {
    const scenePath = join(folder, 'scenes/heap.json');
    execFileSync(
      process.execPath,
      [resolve(root, 'dist/narrowphase.js'), 'run', scenePath, '--engine', engine, '--out', out],
      { stdio: 'pipe' },
    );
    return JSON.parse(readFileSync(out, 'utf8')) as HeapReport;
  })());
}

function openHeap(options: DemoOptions = {}): Promise<OpenDemo> {
  return demos.open('heap', { viewport: DESKTOP, ...options });
}

/** max(s, |B - A|) of two bodies. */
function sizeOf(a: number, b: number): number {
  const { shapes, positions, scales } = scene.bodies;
  const apart = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * b + axis] - positions[3 * a + axis]));
  const reach = (body: number): number => scene.shapeData[shapes[body]].boundingRadius * scales[body];
  return Math.max(reach(a) + reach(b), apart);
}

function withoutDistance({ pair, a, b, status }: PageFigures['contacts'][number]): object {
  return { pair, a, b, status };
}

function expectSameFigures(figures: PageFigures, expected: HeapReport): void {
  expect(figures.bodies).toBe(scene.bodies.shapes.length);
  expect(figures.shapes).toBe(scene.shapes.length);
  expect(figures.candidatePairs).toBe(expected.candidatePairs);
  expect(figures.hits).toBe(expected.hits);
  expect(figures.statusCounts).toEqual(expected.statusCounts);
  expect(figures.contacts.map(withoutDistance)).toEqual(expected.contacts.map(withoutDistance));
  const off = figures.contacts.filter(
    ({ a, b, distance }, i) =>
      !(Math.abs(distance - expected.contacts[i].distance) <= TOLERANCE.kernels * sizeOf(a, b)),
  );
  expect(off).toEqual([]);
}

/** The list of `body` is the report's: each contact once, the deepest first, with the partner's name and the depth. */
function expectListOf(body: number, rows: Row[], contacts: HeapContact[]): void {
  const expected = contacts.filter(({ a, b }) => a === body || b === body);
  expect(rows.map(({ pair }) => pair).sort((p, q) => p - q)).toEqual(expected.map(({ pair }) => pair));
  for (const row of rows) {
    const contact = expected.find(({ pair }) => pair === row.pair)!;
    const partner = contact.a === body ? contact.b : contact.a;
    expect(row.partner).toBe(partner);
    expect(Math.abs(row.distance - contact.distance)).toBeLessThanOrEqual(
      TOLERANCE.kernels * sizeOf(contact.a, contact.b),
    );
    expect(row.text).toContain(contact.a === body ? contact.nameB : contact.nameA);
    expect(row.text).toContain(`${Math.max(0, -row.distance).toFixed(5)} m`);
    expect(row.text).toMatch(/(vertex|edge|face) \d+ on its (vertex|edge|face) \d+/);
  }
  for (let i = 1; i < rows.length; i++) expect(rows[i].distance).toBeGreaterThanOrEqual(rows[i - 1].distance);
}

/**
 * A hull with at least three contacts whose middle is in full view, and where on the page that is: nothing lies on the
 * line from the camera to it, by the package's own reference.
 */
async function visibleBody(page: Page, contacts: HeapContact[]): Promise<{ body: number; x: number; y: number }> {
  const view = await page.$eval('#view', (canvas) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const { dataset } = canvas as HTMLElement;
    return {
      left,
      top,
      width,
      height,
      matrix: JSON.parse(dataset.viewProjection!) as number[],
      camera: JSON.parse(dataset.camera!) as number[],
    };
  });
  const { shapes, positions } = scene.bodies;
  const counts = new Map<number, number>();
  for (const { a, b } of contacts) for (const body of [a, b]) counts.set(body, (counts.get(body) ?? 0) + 1);
  const place = (body: number): number[] => Array.from(positions.subarray(3 * body, 3 * body + 3));
  const away = (body: number): number => Math.hypot(...place(body).map((x, axis) => x - view.camera[axis]));
  const candidates = [...counts.keys()]
    .filter((body) => counts.get(body)! >= 3 && scene.shapes[shapes[body]].type === 'hull')
    .sort((p, q) => away(p) - away(q));
  const cpuShapes: CpuShape[] = scene.shapes.map((shape) => createShape(shape));
  const poses: CpuPose[] = Array.from(shapes, (_, body) => ({
    position: place(body),
    quaternion: scene.bodies.quaternions.subarray(4 * body, 4 * body + 4),
    scale: scene.bodies.scales[body],
  }));
  for (const body of candidates) {
    const [x, y, , w] = [0, 1, 2, 3].map((row) =>
      [...place(body), 1].reduce((sum, value, column) => sum + view.matrix[4 * column + row] * value, 0),
    );
    if (!(Math.abs(x / w) < 0.9 && Math.abs(y / w) < 0.7)) continue;
    const line = createShape({
      type: 'hull',
      points: [0, 0, 0, ...place(body).map((value, axis) => value - view.camera[axis])],
    });
    const pose: CpuPose = { position: view.camera, quaternion: [0, 0, 0, 1] };
    const isHidden = poses.some((other, i) => i !== body && intersects(line, pose, cpuShapes[shapes[i]], other).hit);
    if (!isHidden)
      return { body, x: view.left + ((x / w + 1) / 2) * view.width, y: view.top + ((1 - y / w) / 2) * view.height };
  }
  throw new Error('no body is in full view');
}

describe('on WebGPU', () => {
  let demo: OpenDemo;
  beforeAll(async () => {
    demo = await openHeap({ query: '?backend=webgpu' });
  });
  afterAll(() => demo?.close());

  test('counts, statuses and every contact are those of the command line', async () => {
    const figures = await figuresOf(demo.page);
    expect(figures.backend).toBe('webgpu');
    expect(figures.fallback).toBe(null);
    expectSameFigures(figures, report('dawn'));
    expect(await textOf(demo.page, '#backend')).toBe('WebGPU');
    expect(await textOf(demo.page, '#hits')).toBe(figures.hits.toLocaleString('en'));
    expect(await textOf(demo.page, '#candidates')).toContain(figures.candidatePairs.toLocaleString('en'));
    const deepest = Math.max(...figures.contacts.map(({ distance }) => -distance));
    expect(await textOf(demo.page, '#deepest li')).toContain(`${deepest.toFixed(5)} m`);
    await shoot(demo.page, `${screenshots}/heap-overview.png`);
  });

  test('a click on a body lists its contacts, Escape clears the list', async () => {
    const { page } = demo;
    const { body, x, y } = await visibleBody(page, report('dawn').contacts);
    await page.mouse.click(x, y);
    await page.waitForSelector('#details:not([hidden])');
    const listed = await listedContacts(page);
    expect(listed.body).toBe(body);
    expectListOf(body, listed.rows, report('dawn').contacts);
    await page.hover('.contact');
    await shoot(page, `${screenshots}/heap-picked.png`);
    await page.keyboard.press('Escape');
    expect(await page.$eval('#details', (card) => (card as HTMLElement).hidden)).toBe(true);
    await shoot(page, `${screenshots}/heap-cleared.png`);
  });

  test('the keyboard alone reaches a contact and comes back', async () => {
    const { page } = demo;
    await page.focus('#deepest button');
    await page.keyboard.press('Enter');
    const { body, rows } = await listedContacts(page);
    expectListOf(body, rows, report('dawn').contacts);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('body-name');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.closest('ol')?.id)).toBe('deepest');
  });

  test('"Run again" gives the same once more', async () => {
    const { page } = demo;
    await page.$eval('#run-again', (button) => (button as HTMLButtonElement).click());
    await page.waitForFunction(() => document.getElementById('latest-call')?.textContent === 'call 3', {
      polling: 100,
    });
    expectSameFigures(await figuresOf(page), report('dawn'));
    await page.$eval('input[value=translucent]', (choice) => (choice as HTMLInputElement).click());
    await shoot(page, `${screenshots}/heap-translucent.png`);
    expect(faults(demo.complaints)).toEqual([]);
  });
});

test('without WebGPU the page says that it runs on the CPU, and why, and finds what the reference finds', async () => {
  const { page, complaints, close } = await openHeap({ before: hideWebGpu });
  expect(await textOf(page, '#backend')).toBe('CPU');
  expect(await textOf(page, '#notices')).toMatch(
    /runs on the CPU\s+There is no WebGPU here: navigator\.gpu is missing/,
  );
  const figures = await figuresOf(page);
  expect(figures.backend).toBe('cpu');
  expectSameFigures(figures, report('cpu'));
  await shoot(page, `${screenshots}/heap-cpu.png`);
  await page.click('#deepest button');
  const { body, rows } = await listedContacts(page);
  const { contacts } = report('cpu');
  expectListOf(body, rows, contacts);
  for (const row of rows) {
    const { a, normal, pointA, pointB, featureA, featureB } = contacts.find(({ pair }) => pair === row.pair)!;
    const text = row.text.replace(/[\u2007 ]+/g, ' ');
    expect(text).toContain(
      a === body
        ? `${featureText(featureA)} on its ${featureText(featureB)}`
        : `${featureText(featureB)} on its ${featureText(featureA)}`,
    );
    expect(text).toContain(vectorText(normal));
    expect(text).toContain(vectorText(a === body ? pointA : pointB));
  }
  expect(faults(complaints)).toEqual([]);
  await close();
});

test('on a software adapter the page takes the CPU, and names the adapter', async () => {
  const { page, complaints, close } = await openHeap();
  expect(await textOf(page, '#backend')).toBe('CPU');
  const notices = await textOf(page, '#notices');
  expect(notices).toMatch(/runs on the CPU\s+WebGPU offers no hardware adapter, only a software one \(.*swiftshader/);
  expectSameFigures(await figuresOf(page), report('cpu'));
  expect(faults(complaints)).toEqual([]);
  await close();
});

test('without WebGL the figures are there, and a word in place of the view', async () => {
  const { page, complaints, close } = await openHeap({ query: '?backend=cpu', before: hideWebGl });
  expectSameFigures(await figuresOf(page), report('cpu'));
  expect(await textOf(page, '#no-view')).toContain('no WebGL');
  expect(await textOf(page, '#notices')).toBe('');
  expect(faults(complaints)).toEqual([]);
  await close();
});

test('a scene that is not there, and WebGPU that was asked for in vain, are said on the page', async () => {
  const missing = await openHeap({ query: '?scene=nothing.json' });
  expect(await textOf(missing.page, '#notices')).toMatch(/nothing\.json could not be fetched: the server answers 404/);
  await missing.close();
  const required = await openHeap({ query: '?backend=webgpu', before: hideWebGpu });
  expect(await textOf(required.page, '#notices')).toMatch(/WebGPU is required, and missing\s+There is no WebGPU here/);
  await required.page.screenshot({ path: `${screenshots}/heap-required.png` });
  await required.close();
});

test('a phone has room for the view, the figures and a body', async () => {
  const { page, complaints, close } = await openHeap({ query: '?backend=webgpu', viewport: NARROW });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
  await shoot(page, `${screenshots}/heap-phone.png`);
  const { body, x, y } = await visibleBody(page, report('dawn').contacts);
  await page.touchscreen.tap(x, y);
  await page.waitForSelector('#details:not([hidden])');
  expect((await listedContacts(page)).body).toBe(body);
  await shoot(page, `${screenshots}/heap-phone-picked.png`);
  expect(faults(complaints)).toEqual([]);
  await close();
});
