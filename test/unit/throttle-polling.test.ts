import { expect, test } from 'vitest';
import { throttleWhile } from '../../src/node/throttle-polling.ts';

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Turns of the event loop until the promise is settled. */
async function turnsDuring(promise: Promise<unknown>): Promise<number> {
  const seen = { turns: 0, isOver: false };
  const turn = (): void => {
    seen.turns++;
    if (!seen.isOver) setImmediate(turn);
  };
  turn();
  await promise;
  seen.isOver = true;
  return seen.turns;
}

test('the event loop turns seldom while something is waited for, and freely again after', async () => {
  const busy = await turnsDuring(sleep(100));
  const resting = await turnsDuring(throttleWhile(sleep(100)));
  const after = await turnsDuring(sleep(100));
  expect(resting).toBeLessThan(1000);
  expect(busy).toBeGreaterThan(5 * resting);
  expect(after).toBeGreaterThan(5 * resting);
});

test('waits that overlap or follow at once share their rest', async () => {
  const start = performance.now();
  await Promise.all([1, 2, 3, 4].map((i) => throttleWhile(sleep(10 * i))));
  for (let i = 0; i < 10; i++) await throttleWhile(Promise.resolve());
  expect(performance.now() - start).toBeLessThan(80);
  expect(await turnsDuring(throttleWhile(sleep(100)))).toBeGreaterThan(60);
});

test("outcomes are the promise's own", async () => {
  await expect(throttleWhile(Promise.resolve(7))).resolves.toBe(7);
  await expect(throttleWhile(Promise.reject(new Error('lost')))).rejects.toThrow('lost');
});

test('short waits, one after the other beside a long one, are not slept through', async () => {
  const long = throttleWhile(sleep(200));
  const start = performance.now();
  for (let i = 0; i < 20; i++) await throttleWhile(sleep(1));
  expect(performance.now() - start).toBeLessThan(80);
  await long;
});
