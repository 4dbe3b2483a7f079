/**
 * The playground in headless Chrome: its numbers are those of the reference in 3-D and in 2-D, the address keeps the
 * scene, pasted points and dragging change the answers, and broken input is named while the page goes on.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as cpu from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import type { Random } from '../../verification/families/random.ts';
import { NARROW, openDemoPages } from './demo-pages.ts';
import type { DemoPages, OpenDemo } from './demo-pages.ts';
import { faults, hideWebGpu, textOf } from './heap-page.ts';
import { pixelsAt } from './pixels.ts';

type PlaygroundScene = ReturnType<Window['playground']['scene']>;
type BodyState = PlaygroundScene['bodies'][number];
type AnyShape = BodyState['shape'];
type Answer = NonNullable<Awaited<ReturnType<Window['playground']['settled']>>>;

let demos: DemoPages;
beforeAll(async () => {
  demos = await openDemoPages('webgl');
});
afterAll(() => demos?.close());

function load(page: Page, scene: PlaygroundScene): Promise<Answer | null> {
  return page.evaluate((next) => {
    window.playground.load(next);
    return window.playground.settled();
  }, scene);
}

function settled(page: Page): Promise<Answer | null> {
  return page.evaluate(() => window.playground.settled());
}

const SHAPES: Record<2 | 3, AnyShape[]> = {
  3: [
    { type: 'sphere', radius: 0.5 },
    { type: 'box', halfExtents: [0.6, 0.4, 0.5], radius: 0.125 },
    { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
    { type: 'cylinder', halfHeight: 0.5, radius: 0.375 },
    { type: 'cone', halfHeight: 0.5, radius: 0.5 },
    { type: 'ellipsoid', radii: [0.75, 0.375, 0.5] },
    { type: 'triangle', points: [-0.7, -0.4, 0, 0.7, -0.4, 0, 0, 0.8, 0] },
    { type: 'hull', points: [0.5, 0, 0, -0.5, 0, 0.25, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5] },
  ],
  2: [
    { type: 'circle', radius: 0.5 },
    { type: 'segment', points: [-0.5, 0, 0.5, 0.25], radius: 0.125 },
    { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
    { type: 'rectangle', halfExtents: [0.75, 0.5] },
    { type: 'polygon', points: [0.75, 0, 0.25, 0.75, -0.5, 0.5, -0.75, -0.25, 0, -0.75] },
  ],
};

function randomBody(random: Random, dimension: 2 | 3, shape: AnyShape): BodyState {
  const numbers = (count: number, most: number): number[] =>
    Array.from({ length: count }, () => Math.round(1e4 * uniform(random, -most, most)) / 1e4);
  return {
    shape,
    position: numbers(dimension, 0.9),
    rotation: dimension === 2 ? numbers(1, 3) : unitVector(random, [0, 0, 0, 0]).map((x) => Math.round(1e4 * x) / 1e4),
    linear: numbers(dimension, 1),
    angular: numbers(dimension === 2 ? 1 : 3, 1),
  };
}

/** A dozen scenes of all shapes. */
function randomScenes(): PlaygroundScene[] {
  const random = createRandom(26);
  return Array.from({ length: 12 }, (_, i) => {
    const dimension = i < 8 ? 3 : 2;
    const shapes = SHAPES[dimension];
    const bodies = [shapes[i % shapes.length], shapes[(3 * i + 1) % shapes.length]].map((shape) =>
      randomBody(random, dimension, shape),
    ) as [BodyState, BodyState];
    return { dimension, bodies, algorithm: 'auto', margin: 0, duration: 2 };
  });
}

function list(values: ArrayLike<number>): number[] {
  return Array.from(values, Math.fround);
}

function roundedShape(shape: AnyShape): never {
  return Object.fromEntries(
    Object.entries(shape).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.fround(value) : typeof value === 'object' ? list(value as number[]) : value,
    ]),
  ) as never;
}

/** The reference's answers to the scene as the package takes it: rounded to f32. */
function referenceOf({ dimension, bodies, duration }: PlaygroundScene) {
  const poses = bodies.map(({ position, rotation, linear, angular }) => ({
    position: list(position),
    ...(dimension === 2 ? { angle: Math.fround(rotation[0]) } : { quaternion: list(rotation) }),
    linearVelocity: list(linear),
    angularVelocity: dimension === 2 ? Math.fround(angular[0]) : list(angular),
  })) as never[];
  const of = dimension === 2 ? (cpu.planar as unknown as typeof cpu) : cpu;
  const [a, b] = bodies.map(({ shape }) => of.createShape(roundedShape(shape)));
  return {
    contact: of.contact(a, poses[0], b, poses[1], { margin: Infinity }),
    manifold: of.manifold(a, poses[0], b, poses[1]),
    impact: of.impact(a, poses[0], b, poses[1], { duration }),
    size: a.boundingRadius + b.boundingRadius + 2,
  };
}

function expectReference(answer: Answer | null, scene: PlaygroundScene, tolerance: number): void {
  const { contact, manifold, impact, size } = referenceOf(scene);
  const near = (value: number, to: number): void => expect(Math.abs(value - to)).toBeLessThanOrEqual(tolerance * size);
  expect(answer!.contact.status).toBe(contact.status);
  near(answer!.contact.distance, contact.distance);
  answer!.contact.normal.forEach((x, k) => near(x, contact.normal[k]));
  answer!.contact.pointA.forEach((x, k) => near(x, contact.pointA[k]));
  answer!.contact.pointB.forEach((x, k) => near(x, contact.pointB[k]));
  expect(answer!.manifolds[0].points).toHaveLength(manifold.points.length);
  manifold.points.forEach(({ distance }, i) => near(answer!.manifolds[0].points[i].distance, distance));
  // Infinity arrives from the page as null.
  const time = answer!.impact!.time ?? Infinity;
  expect(time < Infinity).toBe(impact.time < Infinity);
  if (time < Infinity) near(time, impact.time);
}

describe('the playground', () => {
  let demo: OpenDemo;
  beforeAll(async () => {
    demo = await demos.open('playground', { query: '?backend=cpu' });
  });
  afterAll(() => demo?.close());

  test('answers what the reference answers, over all shapes, and shows it', async () => {
    let overlapping = 0;
    let impacts = 0;
    for (const scene of randomScenes()) {
      const answer = await load(demo.page, scene);
      expectReference(answer, scene, 1e-6);
      const { distance } = answer!.contact;
      if (distance < 0) overlapping++;
      if (answer!.impact!.time > 0) impacts++;
      expect(await textOf(demo.page, '#contact-rows')).toContain(distance.toFixed(6).replace('-', '−'));
      expect(await textOf(demo.page, '#status')).toBe(distance <= 0 ? 'Overlapping' : 'Separated');
      expect(await textOf(demo.page, '#time')).toMatch(/auto on the CPU: [\d.e+]+ [µm]s per pair/);
    }
    expect(overlapping).toBeGreaterThan(2);
    expect(impacts).toBeGreaterThan(1);
  });

  test('the address keeps the scene', async () => {
    const { page } = demo;
    const scene = randomScenes()[1];
    await load(page, scene);
    const address = page.url();
    await load(page, randomScenes()[9]);
    expect(page.url()).not.toBe(address);
    await page.evaluate((hash) => (location.hash = hash), new URL(address).hash);
    await page.waitForFunction((text) => JSON.stringify(window.playground.scene()) === text, {}, JSON.stringify(scene));
    const answer = await settled(page);
    expectReference(answer, scene, 1e-6);
    expect(page.url()).toBe(address);
  });

  test('the code gives the same answers', async () => {
    const scene = randomScenes()[10];
    const answer = await load(demo.page, scene);
    const code = await demo.page.$eval('#code', (element) => element.textContent);
    const [head, ...body] = code.split('\n');
    expect(head).toBe("import { createTester } from 'narrowphase';");
    const printed: unknown[] = [];
    const run = new Function('createTester', 'console', `return (async () => {${body.join('\n')}})()`) as (
      create: typeof createTester,
      console: { log(...values: unknown[]): void },
    ) => Promise<void>;
    await run(createTester, { log: (...values) => printed.push(...values) });
    // The answer comes through JSON, which has null for infinity.
    const plain = JSON.parse(JSON.stringify(printed)) as unknown;
    expect(plain).toEqual([answer!.contact, answer!.manifolds, answer!.impact]);
  });

  test('the link opens the inspector with the pair and the same answer', async () => {
    const answer = await load(demo.page, randomScenes()[1]);
    const { page, complaints, close } = await demos.open('playground', {
      query: `?backend=cpu${new URL(demo.page.url()).hash}`,
    });
    await Promise.all([page.waitForNavigation(), page.click('#inspect')]);
    expect(page.url()).toMatch(/\/inspector\/#capture=[\w-]+/);
    await page.waitForFunction(() => document.documentElement.dataset.state === 'done', { polling: 100 });
    expect(await textOf(page, '#notices')).toBe('');
    const shapes = await page.$$eval('#facts dd', (cells) => cells.map((cell) => cell.textContent));
    expect(shapes).toEqual(expect.arrayContaining(randomScenes()[1].bodies.map(({ shape }) => shape.type)));
    const oracle = (await page.evaluate(() => window.inspector.oracle())) as { distance: number };
    expect(oracle.distance).toBeCloseTo(answer!.contact.distance, 4);
    expect(faults(complaints)).toEqual([]);
    await close();
  });

  test('a refused pair has no link to the inspector', async () => {
    await load(demo.page, { ...randomScenes()[0], algorithm: 'sat' });
    expect(await demo.page.$eval('#inspect', (element) => (element as HTMLElement).hidden)).toBe(true);
  });

  test('pasted points make the hull, and wrong ones are named', async () => {
    const { page } = demo;
    const scene = randomScenes()[0];
    scene.bodies[0].shape = { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] };
    await load(page, scene);
    await page.click('#tab-0');
    const paste = (text: string): Promise<void> =>
      page.$eval(
        '#body-0 textarea',
        (area, value) => {
          (area as HTMLTextAreaElement).value = value;
          area.dispatchEvent(new Event('input', { bubbles: true }));
        },
        text,
      );
    for (const text of [
      '0 0 0\n2 0 0\n0 2 0\n0 0 2',
      '0,0,0; 2,0,0; 0,2,0; 0,0,2',
      '[[0,0,0],[2,0,0],[0,2,0],[0,0,2]]',
      '{"points": [0,0,0,2,0,0,0,2,0,0,0,2]}',
    ]) {
      await paste(text);
      const answer = await settled(page);
      const shape = { type: 'hull' as const, points: [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2] };
      expectReference(answer, { ...scene, bodies: [{ ...scene.bodies[0], shape }, scene.bodies[1]] }, 1e-6);
    }
    const before = await page.evaluate(() => JSON.stringify(window.playground.scene()));
    for (const [text, reason] of [
      ['0 0 0\n1 zero 0', /Line 2 has "zero", which is not a number/],
      ['0 0 0 1', /4 numbers are not a whole number of points of 3/],
      ['[[0,0,0],[1,2]]', /Point 1 is \[1,2\], expected 3 numbers/],
      ['[[0,0,0],', /begins like JSON, but cannot be read/],
      ['', /There are no points/],
    ] as const) {
      await paste(text);
      expect(await textOf(page, '#body-0 .field-error')).toMatch(reason);
      expect(await page.evaluate(() => JSON.stringify(window.playground.scene()))).toBe(before);
    }
  });

  test('a dropped model becomes a mesh or a hull', async () => {
    const { page } = demo;
    const scene = randomScenes()[0];
    await load(page, scene);
    await page.click('#tab-0');
    const cube = [
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${i & 1} ${(i >> 1) & 1} ${i >> 2}`),
      ...['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'].map((corners) => `f ${corners}`),
    ].join('\n');
    for (const [shiftKey, type] of [
      [false, 'mesh'],
      [true, 'hull'],
    ] as const) {
      await drop(page, 'cube.obj', cube, shiftKey);
      await page.waitForFunction((wanted) => window.playground.scene().bodies[0].shape.type === wanted, {}, type);
      const answer = await settled(page);
      expect(answer!.contact.status).toBeLessThanOrEqual(1);
    }
    const hull = await page.evaluate(
      () => (window.playground.scene().bodies[0].shape as unknown as { points: number[] }).points,
    );
    expect(hull).toHaveLength(24);
    expect(hull.every((x) => Math.abs(x) === 0.5)).toBe(true);
    await drop(page, 'broken.obj', 'v 0 0 zero', false);
    await page.waitForSelector('#notices .notice');
    expect(await textOf(page, '#notices')).toMatch(/broken\.obj could not be used\s+.*line 1/i);
  });

  test('an algorithm that does not take the shapes says so, and the next answer is there again', async () => {
    const { page } = demo;
    await load(page, randomScenes()[0]);
    await page.select('#algorithm', 'sat');
    expect(await settled(page)).toBe(null);
    expect(await textOf(page, '#refusal')).toMatch(/sat/);
    await page.select('#algorithm', 'gjk');
    const answer = await settled(page);
    expectReference(answer, randomScenes()[0], 1e-6);
    expect(faults(demo.complaints)).toEqual([]);
  });
});

function drop(page: Page, name: string, text: string, shiftKey: boolean): Promise<void> {
  return page.evaluate(
    (fileName, content, shift) => {
      const files = new DataTransfer();
      files.items.add(new File([content], fileName));
      dispatchEvent(new DragEvent('drop', { dataTransfer: files, shiftKey: shift }));
    },
    name,
    text,
    shiftKey,
  );
}

test('dragging a body changes the distance, Shift moves it in depth, keys move it too', async () => {
  const { page, complaints, close } = await demos.open('playground', { query: '?backend=cpu' });
  const before = await askAgain(page);
  const { x, y } = await page.evaluate(() => window.playground.pageOf(1));
  const drag = async (dx: number, dy: number): Promise<PlaygroundScene> => {
    const from = await page.evaluate(() => window.playground.pageOf(1));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + dx, from.y + dy, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    return page.evaluate(() => window.playground.scene());
  };
  const moved = await drag(80, -30);
  const after = await page.evaluate(() => window.playground.pageOf(1));
  // The point that was grabbed follows the pointer; the origin is behind it, and moves a little less on the page.
  expect(Math.hypot(after.x - x - 80, after.y - y + 30)).toBeLessThan(15);
  const answer = await askAgain(page);
  expect(answer!.contact.distance).toBeGreaterThan(before!.contact.distance + 0.1);
  expectReference(answer, moved, 1e-6);
  await page.keyboard.down('Shift');
  const deeper = await drag(0, -60);
  await page.keyboard.up('Shift');
  expect(deeper.bodies[1].position[2]).toBeLessThan(moved.bodies[1].position[2] - 0.1);
  await page.focus('#view');
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowRight');
  await settled(page);
  const pushed = await page.evaluate(() => window.playground.scene());
  expect(pushed.bodies[1].position[0]).toBeGreaterThan(deeper.bodies[1].position[0]);
  expect(faults(complaints)).toEqual([]);
  await close();
});

/** The answer after a change that leaves the scene as it is. */
function askAgain(page: Page): Promise<Answer | null> {
  return page.evaluate(() => {
    window.playground.load(window.playground.scene());
    return window.playground.settled();
  });
}

test('a broken address is named, and an example is there', async () => {
  for (const [hash, reason] of [
    ['#scene=%%%', /can.t be decoded/],
    ['#scene=bm8gSlNPTg', /can.t be decoded/],
    [`#scene=${Buffer.from('{"dimension":4}').toString('base64url')}`, /imension is 4, expected 2 or 3/],
    [
      `#scene=${Buffer.from(JSON.stringify({ ...randomScenes()[0], duration: 1e9 })).toString('base64url')}`,
      /uration is 1000000000, expected a number from 0 to 1000/,
    ],
  ] as const) {
    const { page, complaints, close } = await demos.open('playground', { query: `?backend=cpu${hash}` });
    expect(await textOf(page, '#notices')).toMatch(reason);
    expect((await askAgain(page))!.contact.status).toBe(0);
    expect(faults(complaints)).toEqual([]);
    await close();
  }
});

test('an open page names a broken address, and takes the next good one', async () => {
  const { page, complaints, close } = await demos.open('playground', { query: '?backend=cpu' });
  const good = await page.evaluate(() => location.hash);
  const setHash = async (hash: string): Promise<Answer | null> => {
    await page.evaluate((text) => {
      const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));
      location.hash = text;
      return changed;
    }, hash);
    return settled(page);
  };
  for (const hash of ['#scene=%%%', '#scene=bm8gSlNPTg']) {
    expect((await setHash(hash))!.contact.status).toBe(0);
    expect(await textOf(page, '#notices')).toMatch(/can.t be decoded/);
  }
  expect((await setHash(`${good}&again`))!.contact.status).toBe(0);
  expect(await textOf(page, '#notices')).toBe('');
  expect(faults(complaints)).toEqual([]);
  await close();
});

/** Body A is blue, body B is orange. */
async function expectBodies(page: Page, picture: Uint8Array): Promise<void> {
  const places = await page.evaluate(() => [0, 1].map((body) => window.playground.pageOf(body)));
  const [a, b] = await pixelsAt(
    page,
    picture,
    places.map(({ x, y }) => ({ x, y: y + 14 })),
  );
  expect(a.blue - a.red).toBeGreaterThan(30);
  expect(b.red - b.blue).toBeGreaterThan(30);
}

test('without WebGPU it answers and draws, wide and narrow, in light and in dark', async () => {
  for (const [name, options] of [
    ['playground-wide', {}],
    ['playground-dark', { colorScheme: 'dark' }],
    ['playground-narrow', { viewport: NARROW }],
    ['playground-2d', { flat: true }],
  ] as const) {
    const { page, complaints, close } = await demos.open('playground', { before: hideWebGpu, ...options });
    expect(await page.$eval('#backend option[value=webgpu]', (option) => (option as HTMLOptionElement).disabled)).toBe(
      true,
    );
    if ('flat' in options)
      await page.$eval('[name=dimension][value="2"]', (input) => (input as HTMLInputElement).click());
    await askAgain(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(page.viewport()!.width);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const picture = await demos.shoot(page, name);
    await expectBodies(page, picture);
    expect(faults(complaints)).toEqual([]);
    await close();
  }
});

test('on WebGPU it answers the same to the tolerance of the kernels, and draws on the same device', async () => {
  const pages = await openDemoPages('webgpu');
  const { page, complaints, close } = await pages.open('playground', {
    query: '?backend=webgpu',
    viewport: { width: 900, height: 600 },
  });
  const first = await page.evaluate(() => window.playground.scene());
  for (const scene of [randomScenes()[0], randomScenes()[9]]) {
    const answer = await load(page, scene);
    expect(answer!.backend).toBe('webgpu');
    expect(Math.abs(answer!.contact.distance - referenceOf(scene).contact.distance)).toBeLessThan(
      20 * TOLERANCE.kernels * referenceOf(scene).size,
    );
  }
  await load(page, first);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const picture = await pages.shoot(page, 'playground-webgpu');
  await expectBodies(page, picture);
  expect(complaints).toEqual([]);
  await close();
  await pages.close();
});
