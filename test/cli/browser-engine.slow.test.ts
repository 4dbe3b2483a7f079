/** Engines in browsers: that they answer as Dawn does, and what becomes of a browser that hangs or dies. */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../verification/engines/browser.ts';
import { openBestDawn } from '../../verification/engines/dawn.ts';
import type { Engine, Question, Reply } from '../../verification/engines/engine.ts';
import { findBrowser } from '../../verification/engines/find-browser.ts';
import type { BrowserName } from '../../verification/engines/find-browser.ts';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { makeFamily, type Family } from '../../verification/families/families.ts';
import { pairsOf } from '../../verification/families/test-pairs.ts';
import { atNight } from '../helpers/night.ts';

type Browser = [name: BrowserName, variable: string];
const CHROME: Browser = ['chrome', 'CHROME_PATH'];
/** In CI, conformance.slow.test.ts runs the engine in Firefox. */
const browsers = atNight<Browser[]>([CHROME], [CHROME, ['firefox', 'FIREFOX_PATH']]);
const PAIRS = atNight(100, 500);

interface FamilyAnswer {
  family: Family;
  question: Question;
  expected: Reply['answer'];
}

let folder: string;
let dawn: Engine;
/** Pairs that a single kernel answers; at night, of `deep`, some that go through all kernels of contacts. */
let quick: FamilyAnswer;
let deep: FamilyAnswer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'narrowphase-'));
  dawn = await openBestDawn();
  quick = await askDawn('sphere-box');
  deep = atNight(false, true) ? await askDawn('rounded-box-hull') : quick;
});

async function askDawn(name: 'rounded-box-hull' | 'sphere-box'): Promise<FamilyAnswer> {
  const family = makeFamily(name, PAIRS, 7);
  const question: Question = { query: 'contacts', pairs: family.pairs, margin: Infinity, results: 'all' };
  await dawn.load(family.shapes, family.bodies);
  return { family, question, expected: (await dawn.ask(question)).answer };
}

afterAll(async () => {
  await dawn.close();
  rmSync(folder, { recursive: true });
});

describe.each(browsers)('%s', (name, variable) => {
  const before = process.env[variable];
  let engine: Engine | undefined;
  const notices: string[] = [];

  afterEach(async () => {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
    await engine?.close();
    engine = undefined;
    notices.length = 0;
  });

  async function open(timeout = 60_000): Promise<Engine> {
    engine = await openBrowser(name, 'software', { timeout, notice: (text) => notices.push(text) });
    return engine;
  }

  /** Has the engine start a shell script in the browser's place. `$real` is the browser. */
  async function replaceBrowser(script: string): Promise<void> {
    delete process.env[variable];
    const real = await findBrowser(name);
    const file = join(folder, `${name}-${script.length}.sh`);
    writeFileSync(file, `#!/bin/sh\nreal=${real}\n${script}\n`);
    chmodSync(file, 0o755);
    process.env[variable] = file;
  }

  const pidFile = (): string => join(folder, `${name}.pid`);
  /** The browser leads a group of processes. */
  const signal = (which: NodeJS.Signals): boolean => process.kill(-Number(readFileSync(pidFile(), 'utf8')), which);
  const announcing = (): string => `echo $$ > ${pidFile()}\nexec $real "$@"`;

  describe('one that stays', () => {
    let staying: Engine;
    const noted: string[] = [];
    beforeAll(async () => {
      staying = await openBrowser(name, 'software', { timeout: 60_000, notice: (text) => noted.push(text) });
    });
    afterAll(() => staying?.close());

    test('answers as Dawn does, and says what it is', async () => {
      const { facts, adapter, load, ask } = staying;
      const { family, question } = deep;
      expect(facts.name).toBe(name);
      expect(facts.backend).toBe('webgpu');
      expect(facts.runtime).toMatch(new RegExp(`^${name} \\d+\\.\\d`, 'i'));
      expect(adapter!.limits.maxStorageBuffersPerShaderStage).toBeGreaterThanOrEqual(8);
      await load(family.shapes, family.bodies);
      const { answer, timings } = await ask(question);
      expect(timings.total).toBeGreaterThan(0);
      expectSame(answer, deep);
      const overlapping = answer.statusCounts[1];
      const hits = await ask({ ...question, margin: undefined, results: 'hits' });
      expect(hits.answer.count).toBe(overlapping);
      const touching = await ask({ query: 'intersects', pairs: family.pairs, results: 'all' });
      expect([...touching.answer.hit!].filter(Boolean)).toHaveLength(overlapping);
      const bounded = await ask({ ...question, bounds: true });
      expect(bounded.answer.lower).toHaveLength(PAIRS);
      expect((await ask({ ...question, pairs: new Uint32Array(0) })).answer.count).toBe(0);
    });

    test('takes other bodies in place of the first', async () => {
      const { load, ask } = staying;
      const { family, question } = deep;
      await load([{ type: 'sphere', radius: 1 }], {
        shapes: new Uint32Array(2),
        positions: new Float64Array([0, 0, 0, 3, 0, 0]),
        quaternions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1]),
      });
      const { answer } = await ask({ ...question, pairs: new Uint32Array([0, 1]) });
      expect([...answer.distance!]).toEqual([1]);
      expect(answer.pointA).toBeInstanceOf(Float64Array);
      await load(family.shapes, family.bodies);
      expectSame((await ask(question)).answer, deep);
    });

    test('an error of the query is the error here', async () => {
      const { load, ask } = staying;
      const { family, question } = deep;
      await load(family.shapes, family.bodies);
      const failed = ask({ ...question, algorithm: 'sat' });
      await expect(failed).rejects.toMatchObject({
        name: 'NarrowphaseError',
        code: 'INVALID_INPUT',
        message: expect.stringContaining('sat') as string,
      });
      expectSame((await ask(question)).answer, deep);
      expect(noted).toEqual([]);
    });
  });

  test('killed between two questions, it is started again and answers', async () => {
    await replaceBrowser(announcing());
    const { load, ask } = await open();
    await load(quick.family.shapes, quick.family.bodies);
    signal('SIGKILL');
    expectSame((await ask(quick.question)).answer, quick);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/; starting it again$/);
    signal('SIGKILL');
    await expect(ask(quick.question)).rejects.toMatchObject({
      code: 'DEVICE_LOST',
      message: expect.stringContaining('started again once') as string,
    });
  });

  test('hanging, it is ended after the time limit, started again, and answers', async () => {
    await replaceBrowser(announcing());
    const { load, ask } = await open(30_000);
    await load(quick.family.shapes, quick.family.bodies);
    const hanging = Number(readFileSync(pidFile(), 'utf8'));
    signal('SIGSTOP');
    expectSame((await ask(quick.question)).answer, quick);
    expect(notices).toEqual([`${name} gave no answer within 30 s; starting it again`]);
    expect(existsSync(`/proc/${hanging}`)).toBe(false);
  });

  if (atNight(false, true)) {
    test('dying at the start once, it is started again', async () => {
      const mark = join(folder, `${name}.started`);
      await replaceBrowser(`[ -e ${mark} ] || { touch ${mark}; exit 7; }\nexec $real "$@"`);
      const { load, ask } = await open();
      await load(quick.family.shapes, quick.family.bodies);
      expectSame((await ask(quick.question)).answer, quick);
      expect(notices).toHaveLength(1);
    });
  }

  test('dying at every start, or never coming up, it is an error', async () => {
    for (const script of ['exit 7', 'sleep 600']) {
      notices.length = 0;
      await replaceBrowser(script);
      const error: unknown = await open(1000).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NarrowphaseError);
      expect(error).toMatchObject({
        code: 'WEBGPU_UNAVAILABLE',
        message: expect.stringMatching(
          new RegExp(`^${name} did not start: [^\\n]+; it had been started again once$`),
        ) as string,
      });
      expect(notices).toHaveLength(1);
    }
  });

  test('an executable that is not there is named', async () => {
    process.env[variable] = join(folder, 'none');
    await expect(open()).rejects.toMatchObject({
      code: 'WEBGPU_UNAVAILABLE',
      message: `${variable} is ${join(folder, 'none')}, which does not exist`,
    });
  });
});

/**
 * Two implementations of WGSL may round differently: each by the contract's tolerance at most, which may decide whether
 * bodies that touch overlap.
 */
function expectSame(answer: Reply['answer'], { family, expected }: FamilyAnswer): void {
  expect(answer.count).toBe(PAIRS);
  expect(expected.count).toBe(PAIRS);
  expect([...answer.pair]).toEqual([...expected.pair]);
  for (const { index, size } of pairsOf(family)) {
    const most = 2 * TOLERANCE.kernels * size;
    const distance = expected.distance![index];
    expect(Math.abs(answer.distance![index] - distance)).toBeLessThanOrEqual(most);
    if (Math.abs(distance) > most) expect(answer.status[index]).toBe(expected.status[index]);
  }
}
