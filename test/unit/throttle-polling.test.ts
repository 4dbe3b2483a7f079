import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttleWhile } from '../../src/node/throttle-polling.ts';

/** A clock that only sleeps and turns of the event loop move, in milliseconds. */
const clock = { now: 0, turns: 0, sleeps: [] as number[] };
const TURN = 0.01;

beforeEach(() => {
  Object.assign(clock, { now: 0, turns: 0, sleeps: [] });
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
  vi.spyOn(Atomics, 'wait').mockImplementation((...[, , , milliseconds]) => {
    clock.sleeps.push(milliseconds!);
    clock.now += milliseconds!;
    return 'timed-out';
  });
});
afterEach(() => vi.restoreAllMocks());

/** Ends in the first turn of the event loop from so many milliseconds on. */
async function passed(milliseconds: number): Promise<void> {
  for (const end = clock.now + milliseconds; clock.now < end;) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.now += TURN;
    clock.turns++;
  }
}

test('the event loop turns seldom while something is waited for, and freely again after', async () => {
  await throttleWhile(passed(100));
  expect(clock.turns).toBeLessThan(500);
  expect(Math.max(...clock.sleeps)).toBeLessThanOrEqual(1);
  const { length } = clock.sleeps;
  expect(length).toBeGreaterThan(60);
  clock.turns = 0;
  await passed(100);
  expect(clock.turns).toBeGreaterThan(9000);
  expect(clock.sleeps.length).toBe(length);
});

test('waits that overlap share their rest: at most one in each turn', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([1, 2, 3, 4].map((i) => throttleWhile(passed(10 * i))));
  isOver = true;
  expect(clock.sleeps.length).toBeGreaterThan(0);
  expect(clock.sleeps.length).toBeLessThanOrEqual(turns);
});

test('what is there at once is not slept for', async () => {
  for (let i = 0; i < 10; i++) await throttleWhile(Promise.resolve());
  await passed(1);
  expect(clock.sleeps).toEqual([]);
});

test("outcomes are the promise's own", async () => {
  await expect(throttleWhile(Promise.resolve(7))).resolves.toBe(7);
  await expect(throttleWhile(Promise.reject(new Error('lost')))).rejects.toThrow('lost');
});

test('short waits, one after the other beside a long one, are not slept through', async () => {
  const long = throttleWhile(passed(200));
  await passed(50);
  const start = clock.now;
  for (let i = 0; i < 20; i++) await throttleWhile(passed(1));
  expect(clock.now - start).toBeLessThan(25);
  await long;
});
