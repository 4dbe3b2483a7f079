import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startProgress } from '../../cli/progress.ts';

/** What is written to a terminal of so many columns, or to a pipe. */
function fakeStream(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
  return { written, stream };
}

const CLEAR = '\r\u001b[2K';

describe('a line of progress', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  test('says share, speed and time left, in place of the line before, and goes away at the end', () => {
    const { written, stream } = fakeStream(true);
    const progress = startProgress('contacts', 10_000, 'pairs', stream);
    vi.advanceTimersByTime(1000);
    progress.update(2500);
    vi.advanceTimersByTime(1000);
    progress.update(5000);
    progress.end();
    expect(written).toEqual([
      `${CLEAR}contacts: 25 % of 10,000 pairs, 2,500 a second, 3 s left`,
      `${CLEAR}contacts: 50 % of 10,000 pairs, 2,500 a second, 2 s left`,
      CLEAR,
    ]);
  });

  test('is not there for work of half a second, nor more than ten times a second', () => {
    const { written, stream } = fakeStream(true);
    const progress = startProgress('contacts', 100, 'pairs', stream);
    vi.advanceTimersByTime(499);
    progress.update(10);
    expect(written).toEqual([]);
    for (let done = 10; done < 40; done++) {
      vi.advanceTimersByTime(10);
      progress.update(done);
    }
    expect(written).toHaveLength(3);
  });

  test('leaves nothing to take away where it never was', () => {
    const { written, stream } = fakeStream(true);
    const progress = startProgress('contacts', 100, 'pairs', stream);
    progress.update(100);
    progress.end();
    expect(written).toEqual([]);
  });

  test('fits the terminal; where that has no width, 80 columns', () => {
    for (const [columns, length] of [
      [30, 29],
      [0, 79],
    ]) {
      const { written, stream } = fakeStream(true, columns);
      const progress = startProgress('contacts of a long name, of all that there are', 1_000_000, 'pairs', stream);
      vi.advanceTimersByTime(1000);
      progress.update(1);
      expect(written[0].slice(CLEAR.length)).toHaveLength(length);
    }
  });

  test('has slow work with two digits', () => {
    const { written, stream } = fakeStream(true);
    const progress = startProgress('families', 27, 'families', stream);
    vi.advanceTimersByTime(4000);
    progress.update(3);
    expect(written).toEqual([`${CLEAR}families: 11 % of 27 families, 0.75 a second, 32 s left`]);
  });

  test('is not written where there is no terminal, or no work', () => {
    for (const [isTTY, total] of [
      [false, 100],
      [true, 0],
    ] as const) {
      const { written, stream } = fakeStream(isTTY);
      const progress = startProgress('contacts', total, 'pairs', stream);
      vi.advanceTimersByTime(5000);
      progress.update(total);
      progress.end();
      expect(written).toEqual([]);
    }
  });
});
