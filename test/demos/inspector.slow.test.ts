/**
 * The inspector in headless Chrome: its last step is the query's answer for random captures, and it is driven by keys, by
 * its address, and by captures that are dropped, pasted or broken.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Capture, CaptureOptions, PlanarTester, SpaceCapture, Tester } from '../../src/api/types.ts';
import { traceCapture } from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import differential from '../../verification/fixtures/differential.json' with { type: 'json' };
import { capturePair, PLANAR_REQUESTS, planarPairWith, randomPair } from '../helpers/random-captures.ts';
import { NARROW, openDemoPages, type DemoPages, type OpenDemo } from './demo-pages.ts';

/** What the page offers as `window.inspector`. */
declare const inspector: {
  load(capture: unknown): { result: object; steps: number };
  oracle(): unknown;
  readonly step: number;
  readonly cases: readonly string[];
};

const CAPTURES = 200;
/** Per query and algorithm in 2-D. */
const PLANAR_CAPTURES = 3;

const WHEEL = Array.from({ length: 24 }, (_, i) => [
  0.9 * Math.cos((i * Math.PI) / 12),
  0.7 * Math.sin((i * Math.PI) / 12),
]).flat();

let demos: DemoPages;
let tester: Tester;
let planar: PlanarTester;
let shown: OpenDemo;

beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
  planar = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
  demos = await openDemoPages('webgl');
  shown = await demos.open('inspector', { query: '#case=arcs-hulls&step=8' });
});
afterAll(async () => {
  await demos?.close();
  tester?.dispose();
  planar?.dispose();
});

/** Waits for what the last step has drawn. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

function textOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => element.textContent ?? '');
}

/** How many colours a canvas has, and which share of its pixels is drawn on. */
function paint(page: Page, selector: string): Promise<{ colors: number; share: number }> {
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

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', given);
    dispatchEvent(new ClipboardEvent('paste', { clipboardData }));
  }, text);
  await rest(page);
}

/** Convex pairs in 3-D of every query and algorithm. */
async function randomCaptures(): Promise<SpaceCapture[]> {
  const captures: SpaceCapture[] = [];
  for (let i = 0; captures.length < CAPTURES; i++) {
    const pair = randomPair(4, i, 3);
    if (pair.shapes.slice(1, 3).some(({ type }) => type === 'compound' || type === 'mesh')) continue;
    captures.push((await capturePair(tester, pair)) as SpaceCapture);
  }
  return captures;
}

/** Pairs in 2-D of every query and algorithm. */
async function planarCaptures(): Promise<Capture[]> {
  const captures: Capture[] = [];
  for (const [r, request] of PLANAR_REQUESTS.entries())
    for (let i = 0, found = 0; found < PLANAR_CAPTURES; i++) {
      const pair = planarPairWith(5, 100 * r + i, request);
      if (!pair) continue;
      captures.push(await capturePair(planar, pair));
      found++;
    }
  return captures;
}

test('the last step of 200 random captures is the query’s answer', async () => {
  const captures = await randomCaptures();
  const queries = new Set(captures.map(({ query, algorithm }) => `${query} ${algorithm}`));
  expect(queries.size).toBeGreaterThanOrEqual(12);
  const kinds = new Set(captures.flatMap(({ shapes }) => shapes.map(({ type }) => type)));
  expect(kinds.size).toBeGreaterThanOrEqual(8);
  await expectAnswers(captures, 'seed 4');
});

test('the last step of random captures in 2-D is the query’s answer', async () => {
  const captures = await planarCaptures();
  expect(captures.length).toBe(PLANAR_CAPTURES * PLANAR_REQUESTS.length);
  const kinds = new Set(captures.flatMap(({ shapes }) => shapes.map(({ type }) => type)));
  expect(kinds.size).toBe(5);
  await expectAnswers(captures, 'seed 5');
});

/** Loads each capture in the page. */
async function expectAnswers(captures: readonly Capture[], seed: string): Promise<void> {
  const { page } = await demos.open('inspector');
  const answers = (await page.evaluate(
    (list) =>
      list.map((capture) => {
        const { result, steps } = inspector.load(capture);
        return JSON.parse(
          JSON.stringify({ ...result, steps }, (_, x: unknown) =>
            x === Infinity ? 1e30 : x === -Infinity ? -1e30 : x,
          ),
        ) as object;
      }),
    captures as unknown[],
  )) as Record<string, unknown>[];
  expect(answers.length).toBe(captures.length);
  captures.forEach((capture, i) => {
    const label = `${seed}, capture ${i}: ${capture.query} of ${capture.shapes.map(({ type }) => type).join(' and ')}`;
    const asked = capture.result as unknown as Record<string, unknown>;
    const steps = traceCapture(capture);
    expect(answers[i].steps, label).toBe(steps.length);
    expect(answers[i].status, label).toBe(asked.status);
    if ('hit' in asked) expect(answers[i].hit, label).toBe(asked.hit);
    for (const name of ['distance', 'time']) {
      if (!(name in answers[i])) continue;
      const truth = Number(asked[name] ?? asked.contactDistance);
      // Answers of testers are rounded to f32.
      const bounded = Math.max(-1e30, Math.min(truth, 1e30));
      expect(Math.abs(Number(answers[i][name]) - bounded), label).toBeLessThanOrEqual(
        1e-6 * Math.max(1, Math.abs(bounded)),
      );
    }
    if ('points' in asked)
      expect((answers[i].points as unknown[]).length, label).toBe((asked.points as unknown[]).length);
  });
  await page.close();
}

test('every case of the list opens, and the kept disagreements are among them', async () => {
  const { page, complaints } = await demos.open('inspector');
  const names = await page.evaluate(() => [...inspector.cases]);
  for (const { name } of differential.cases) expect(names).toContain(name);
  expect(new Set(names).size).toBe(names.length);
  await page.evaluate(async (list) => {
    for (const name of list) {
      location.hash = `#case=${name}&step=2`;
      await new Promise((done) => setTimeout(done, 30));
    }
  }, names);
  expect(await textOf(page, '#notices')).toBe('');
  expect(await page.$eval('#case', (list) => (list as HTMLSelectElement).value)).toBe(names.at(-1));
  expect(await page.evaluate(() => inspector.step)).toBe(2);
  expect(complaints).toEqual([]);
  await page.close();
});

test.each(['rapier-box-box-depth', 'jolt-sphere-box-depth', 'rapier-cylinder-box-gap'])(
  'the oracle’s answer for %s is the truth that the campaign kept, and the other engine’s is beside it',
  async (name) => {
    const { page, complaints } = await demos.open('inspector', { query: `#case=${name}` });
    await page.waitForFunction(
      () =>
        document.querySelectorAll('#answers tbody tr').length === 5 &&
        !/Oracle–/.test(document.getElementById('answers')!.textContent!),
    );
    const { distance, other, peer } = differential.cases.find((each) => each.name === name)!;
    const answer = (await page.evaluate(() => inspector.oracle())) as { distance: number };
    expect(Math.abs(answer.distance - distance)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(distance)));
    const rows = await page.$$eval('#answers tbody tr', (list) =>
      list.map((row) => [...row.children].map((cell) => cell.textContent!)),
    );
    expect(rows.map(([title]) => title)).toContain(peer === 'rapier' ? 'Rapier' : 'Jolt');
    const shownNumber = (title: string): number => Number(rows.find((row) => row[0] === title)![1].replace('−', '-'));
    expect(shownNumber('Oracle')).toBeCloseTo(distance, 5);
    expect(shownNumber(peer === 'rapier' ? 'Rapier' : 'Jolt')).toBeCloseTo(other.distance!, 5);
    expect(complaints).toEqual([]);
    await page.close();
  },
);

describe('one pair', () => {
  test('opens at the step of the address, and is drawn', async () => {
    const { page, complaints } = shown;
    expect(await textOf(page, '#step-count')).toBe('8 of 13');
    expect(await textOf(page, '#step-phase')).toBe('Arcs');
    expect(await textOf(page, '#detail-title')).toBe('Gauss sphere');
    await rest(page);
    for (const canvas of ['#scene', '#difference', '#detail']) {
      const { colors, share } = await paint(page, canvas);
      expect(colors, canvas).toBeGreaterThan(40);
      expect(share, canvas).toBeGreaterThan(0.02);
    }
    await demos.shoot(page, 'inspector-wide');
    expect(complaints).toEqual([]);
  });

  test('goes step by step with the arrow keys, plays with space, and the address follows', async () => {
    const { page } = shown;
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => inspector.step)).toBe(9);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(() => inspector.step)).toBe(7);
    expect(await page.evaluate(() => location.hash)).toBe('#case=arcs-hulls&step=7');
    await page.keyboard.press('Home');
    expect(await page.evaluate(() => inspector.step)).toBe(1);
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(() => inspector.step)).toBe(1);
    await page.keyboard.press('End');
    expect(await page.evaluate(() => inspector.step)).toBe(13);
    await page.keyboard.press('Space');
    expect(await textOf(page, '#play')).toBe('Pause');
    await page.waitForFunction(() => inspector.step > 2, { timeout: 20_000 });
    await page.keyboard.press('Space');
    expect(await textOf(page, '#play')).toBe('Play');
  });

  test('a part of the time line leads to its first step', async () => {
    const { page } = shown;
    await page.click('.phase:last-child');
    expect(await textOf(page, '#step-phase')).toBe('Result');
    await page.click('.phase:nth-child(2)');
    expect(await textOf(page, '#step-phase')).toBe('GJK');
    expect(await page.evaluate(() => inspector.step)).toBe(2);
  });

  test('a capture that is pasted goes into the address, from which it opens again', async () => {
    const { page } = shown;
    const capture = await capturePair(tester, randomPair(4, 1, 3));
    await paste(page, JSON.stringify(capture));
    expect(await textOf(page, '#notices')).toBe('');
    expect(await page.$eval('#case', (list) => (list as HTMLSelectElement).value)).toBe('');
    await page.waitForFunction(() => location.hash.startsWith('#capture='));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const hash = await page.evaluate(() => location.hash);
    expect(hash).toMatch(/^#capture=[\w-]+&step=2$/);
    const again = await demos.open('inspector', { query: hash });
    expect(await again.page.evaluate(() => inspector.step)).toBe(2);
    expect(await textOf(again.page, '#step-text')).toBe(await textOf(page, '#step-text'));
    expect(await textOf(again.page, '#step-count')).toBe(`2 of ${traceCapture(capture).length}`);
    await again.close();
  });

  test.each([
    ['{ "version": 1', /JSON/],
    ['{ "version": 7 }', /Version is 7, expected 1/],
    ['[]', /expected/],
    ['no capture', /JSON/],
  ])('%j is refused with the reason, and the page goes on', async (text, reason) => {
    const { page, complaints } = shown;
    const before = await textOf(page, '#step-text');
    await paste(page, text);
    expect(await textOf(page, '#notices')).toMatch(/the clipboard cannot be inspected/i);
    expect(await textOf(page, '#notices')).toMatch(reason);
    expect(await textOf(page, '#step-text')).toBe(before);
    await page.select('#case', 'gjk-hulls');
    expect(await textOf(page, '#notices')).toBe('');
    expect(await textOf(page, '#step-phase')).toBe('Result');
    expect(complaints).toEqual([]);
  });

  test('About shows the text of the README, and a button closes it', async () => {
    const { page } = shown;
    const isOpen = (): Promise<boolean> => page.$eval('#about', (dialog) => (dialog as HTMLDialogElement).open);
    await page.click('#open-about');
    expect(await isOpen()).toBe(true);
    expect(await textOf(page, '#about')).toContain('One pair of bodies, step by step');
    await page.click('#about .close');
    expect(await isOpen()).toBe(false);
  });

  test.each(['#case=nothing', '#capture=%25%25', '#capture=AAAA&step=3'])(
    'the address %s leaves a reason and a pair',
    async (hash) => {
      const { page, complaints } = await demos.open('inspector', { query: hash });
      expect(await page.evaluate(() => document.documentElement.dataset.state)).toBe('done');
      expect(await textOf(page, '#notices')).toMatch(/cannot be opened|cannot be inspected/);
      expect(await textOf(page, '#step-phase')).toBe('Result');
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});

test.each([
  ['epa-cylinder-ellipsoid', 17, 'EPA', 'Bounds of the distance between the cores'],
  ['sat-boxes', 9, 'SAT', 'Projections on the axes'],
  ['mpr-hulls', 6, 'MPR', 'Gauss sphere'],
  ['manifold-boxes', 17, 'Clipping', 'Faces along the normal'],
  ['velocity-epa-hulls', 9, 'Velocity EPA', 'Bound of the exit'],
  ['advancement-turning', 18, 'Advancement', 'Separation by time'],
])('%s is drawn, step %i is of %s', async (name, step, phase, title) => {
  const { page, complaints } = await demos.open('inspector', {
    query: `#case=${name}&step=${step}`,
    colorScheme: 'dark',
  });
  await rest(page);
  expect(await textOf(page, '#step-phase')).toBe(phase);
  expect(await textOf(page, '#detail-title')).toBe(title);
  for (const canvas of ['#scene', '#difference', '#detail'])
    expect((await paint(page, canvas)).colors, canvas).toBeGreaterThan(30);
  await demos.shoot(page, `inspector-${name}`);
  expect(complaints).toEqual([]);
  await page.close();
});

test('of a compound, the parts that decide are shown and named', async () => {
  const parts = [
    { shape: { type: 'sphere', radius: 0.3 }, position: [5, 0, 0] },
    { shape: { type: 'box', halfExtents: [1, 1, 1] } },
  ] as const;
  const ids = [
    tester.addShape({ type: 'compound', parts }),
    tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }),
  ];
  const bodies = {
    shapes: Uint32Array.from(ids),
    positions: Float32Array.of(0, 0, 0, 1.4, 0.2, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const capture = await tester.capture(bodies, Uint32Array.of(0, 1), 0, { query: 'contacts' });
  await paste(shown.page, JSON.stringify(capture));
  expect(await textOf(shown.page, '#note')).toBe('Part 1 of A and B decide the answer. These two are shown.');
  expect(await textOf(shown.page, '#step-text')).toMatch(/distance −0\.1,/);
  expect(shown.complaints).toEqual([]);
});

/** Two polygons, of which B is moved to x, y. */
async function planarCapture(x: number, y: number, options: CaptureOptions, velocities?: object): Promise<Capture> {
  const ids = [
    planar.addShape({ type: 'polygon', points: [-0.9, -0.7, 0.8, -1, 1.1, 0.6, 0, 1.3, -1, 0.7] }),
    planar.addShape({ type: 'polygon', points: WHEEL }),
  ];
  const bodies = {
    shapes: Uint32Array.from(ids),
    positions: Float32Array.of(0, 0, x, y),
    angles: Float32Array.of(0.2, 0.9),
    ...velocities,
  };
  const capture = await planar.capture(bodies, Uint32Array.of(0, 1), 0, options);
  for (const id of ids) planar.removeShape(id);
  return capture;
}

describe('a pair in 2-D', () => {
  const FLIGHT = { linearVelocities: Float32Array.of(0, 0, -2, 0.1) };
  const TURN = { ...FLIGHT, angularVelocities: Float32Array.of(0.5, 1) };
  const MANIFOLD = 'Edges, with the normal upwards';
  const BEYOND = 'How far the difference reaches beyond the edge';
  const BOUNDS = 'Bounds of the distance between the cores';

  test.each([
    ['gjk', 2.4, { query: 'distances', algorithm: 'gjk' }, undefined, 'gjk', 'GJK', BOUNDS],
    ['epa', 1.1, { query: 'contacts', algorithm: 'gjk' }, undefined, 'epa', 'EPA', BOUNDS],
    ['mpr', 1.1, { query: 'contacts', algorithm: 'mpr' }, undefined, 'mpr', 'MPR', 'Normal'],
    ['sat', 1.1, { query: 'contacts', algorithm: 'sat' }, undefined, 'sat', 'SAT', 'Projections on the axes'],
    ['manifold', 1.6, { query: 'manifolds' }, undefined, 'manifold', 'Clipping', MANIFOLD],
    [
      'velocity-epa',
      3,
      { query: 'impacts', duration: 2, algorithm: 'epa' },
      FLIGHT,
      'crossing',
      'Velocity EPA',
      BEYOND,
    ],
    ['advancement', 3, { query: 'impacts', duration: 2 }, TURN, 'advance', 'Advancement', 'Separation by time'],
  ] as const)('%s is drawn step by step', async (name, x, options, velocities, type, phase, title) => {
    const capture = await planarCapture(x, 0.3, options, velocities);
    const steps = traceCapture(capture);
    const at = steps.map((step) => step.type).lastIndexOf(type) + 1;
    expect(at).toBeGreaterThan(1);
    await paste(shown.page, JSON.stringify(capture));
    expect(await textOf(shown.page, '#notices')).toBe('');
    expect(await textOf(shown.page, '#step-count')).toBe(`${steps.length} of ${steps.length}`);
    for (let step = steps.length; step > at; step--) await shown.page.keyboard.press('ArrowLeft');
    await rest(shown.page);
    expect(await textOf(shown.page, '#step-count')).toBe(`${at} of ${steps.length}`);
    expect(await textOf(shown.page, '#step-phase')).toBe(phase);
    expect(await textOf(shown.page, '#detail-title')).toBe(title);
    for (const canvas of ['#scene', '#difference', '#detail'])
      expect((await paint(shown.page, canvas)).colors, canvas).toBeGreaterThan(20);
    await demos.shoot(shown.page, `inspector-planar-${name}`);
    expect(shown.complaints).toEqual([]);
  });
});

test('on a phone nothing is wider than the screen', async () => {
  const { page, complaints } = await demos.open('inspector', { query: '#case=mpr-hulls&step=6', viewport: NARROW });
  await rest(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect((await paint(page, '#scene')).colors).toBeGreaterThan(30);
  await demos.shoot(page, 'inspector-phone');
  expect(complaints).toEqual([]);
  await page.close();
});

test('with WebGPU the kernels answer beside the reference', async () => {
  const onGpu = await openDemoPages('webgpu');
  try {
    const { page, complaints } = await onGpu.open('inspector', { query: '?backend=webgpu#case=sat-boxes' });
    await page.waitForFunction(() => /^(Kernels ran|No kernels)/.test(document.getElementById('gpu')!.textContent!), {
      timeout: 100_000,
      polling: 200,
    });
    expect(await textOf(page, '#gpu')).toMatch(/^Kernels ran on /);
    const [reference, kernels] = await page.$$eval('#answers tbody tr', (rows) =>
      rows.map((row) => Number(row.children[1].textContent!.replace('−', '-'))),
    );
    expect(reference).toBeLessThan(-0.4);
    expect(Math.abs(kernels - reference)).toBeLessThan(1e-5);
    expect(kernels).not.toBe(reference);
    expect(complaints).toEqual([]);
  } finally {
    await onGpu.close();
  }
});
