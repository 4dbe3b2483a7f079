/**
 * The inspector's answers in headless Chrome: its last step is the query's answer for random captures, and the oracle's
 * answer is the truth that the campaign kept.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlanarTester, Tester } from '../../../src/api/types.ts';
import { createTester } from '../../../src/index.ts';
import differential from '../../../verification/fixtures/differential.json' with { type: 'json' };
import { PLANAR_REQUESTS } from '../../helpers/random-captures.ts';
import { expectAnswers, planarCaptures, randomCaptures } from '../../demos/inspector-captures.ts';
import { openDemoPages, type DemoPages } from '../../demos/demo-pages.ts';
import { textOf, type InspectorPage } from '../../demos/inspector-page.ts';

declare const inspector: InspectorPage;

const CAPTURES = 200;
/** Per query and algorithm in 2-D. */
const PLANAR_CAPTURES = 3;

let demos: DemoPages;
let tester: Tester;
let planar: PlanarTester;

beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
  planar = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
  demos = await openDemoPages('webgl');
});
afterAll(async () => {
  await demos?.close();
  tester?.dispose();
  planar?.dispose();
});

test('the last step of 200 random captures is the query’s answer', async () => {
  const captures = await randomCaptures(tester, CAPTURES);
  const queries = new Set(captures.map(({ query, algorithm }) => `${query} ${algorithm}`));
  expect(queries.size).toBeGreaterThanOrEqual(12);
  const kinds = new Set(captures.flatMap(({ shapes }) => shapes.map(({ type }) => type)));
  expect(kinds.size).toBeGreaterThanOrEqual(8);
  await expectAnswers(demos, captures, 'seed 4');
});

test('the last step of random captures in 2-D is the query’s answer', async () => {
  const captures = await planarCaptures(planar, PLANAR_CAPTURES);
  expect(captures.length).toBe(PLANAR_CAPTURES * PLANAR_REQUESTS.length);
  const kinds = new Set(captures.flatMap(({ shapes }) => shapes.map(({ type }) => type)));
  expect(kinds.size).toBe(5);
  await expectAnswers(demos, captures, 'seed 5');
});

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
