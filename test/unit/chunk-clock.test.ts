/** The time of a submission is the device's: neither the submission before it nor the host's work counts. */

import { expect, test } from 'vitest';
import { createChunkClock } from '../../src/gpu/chunk-clock.ts';

/** A clock whose time the test sets, in milliseconds. */
function clockAt(): { clock: ReturnType<typeof createChunkClock>; at<T>(time: number, use: () => T): T } {
  let time = 0;
  const clock = createChunkClock(() => time);
  return {
    clock,
    at(next, use) {
      time = next;
      return use();
    },
  };
}

test('a submission alone takes from its submission to its end', () => {
  const { clock, at } = clockAt();
  const ended = at(10, () => clock.submitted());
  const { most, least, waited } = at(60, ended);
  expect([most, least, waited(0), waited(30), waited(70)]).toEqual([50, 50, 50, 20, 0]);
});

test('the second of two in flight starts when the first ends', () => {
  const { clock, at } = clockAt();
  const first = at(0, () => clock.submitted());
  const second = at(1, () => clock.submitted());
  expect(at(100, first)).toMatchObject({ most: 100, least: 100 });
  expect(at(140, second)).toMatchObject({ most: 40, least: 40 });
  const third = at(200, () => clock.submitted());
  expect(at(230, third)).toMatchObject({ most: 30, least: 30 });
});

test('only the time that the host waits is certainly the time of the device', () => {
  const { clock, at } = clockAt();
  const first = at(0, () => clock.submitted());
  const second = at(1, () => clock.submitted());
  const third = at(2, () => clock.submitted());
  at(100, first);
  // Encoding and decoding take 80 ms; the device ends the second submission meanwhile, and begins the third. The host
  // is woken 6 ms late.
  at(100, () => clock.work(() => at(120, () => {})));
  clock.work(() => at(180, () => {}));
  const late = at(186, second);
  expect(late.most).toBe(86);
  expect(late.least).toBeCloseTo(6, 9);
  expect(late.waited(0)).toBeCloseTo(6, 9);
  // It may have begun at any time of the host's work.
  expect(at(250, third)).toMatchObject({ most: 144, least: 64 });
});

test('work of the host that is over before the end counts for neither', () => {
  const { clock, at } = clockAt();
  const first = at(0, () => clock.submitted());
  const second = at(1, () => clock.submitted());
  at(100, first);
  at(100, () => clock.work(() => at(130, () => {})));
  const { most, least, waited } = at(170, second);
  expect([most, least]).toEqual([70, 40]);
  // Kernels run beside the host's work.
  expect([waited(0), waited(20), waited(50), waited(90)]).toEqual([40, 40, 20, 0]);
});

test('a copy that a short submission hides behind does not make it long', () => {
  const { clock, at } = clockAt();
  const first = at(0, () => clock.submitted());
  const tail = at(1, () => clock.submitted());
  at(50, first);
  at(50, () => clock.work(() => at(130, () => {})));
  expect(at(133, tail).least).toBe(3);
});
