/** Answers held against the reference, and the verdicts on them. */
import { describe, expect, it } from 'vitest';
import { compareAnswers, judgedPairs, verdictOf } from '../../verification/judges/compare-answers.ts';

describe('answers against the reference', () => {
  const truth = { distance: Float64Array.of(-0.5, 0.5, 1e-7, -0.2, NaN), size: new Float64Array(5).fill(1) };

  it('agree within the tolerance; pairs near touch and without truth are left out', () => {
    const agreement = compareAnswers('intersects', { hit: Uint8Array.of(1, 0, 1, 1, 0), distance: null }, truth, 1e-5);
    expect(agreement).toMatchObject({ compared: 3, wrongFlags: 0, wrongDistances: 0, largestError: null });
    expect(verdictOf(agreement)).toBe('agrees');
  });

  it('a wrong flag counts once, and its distance not at all', () => {
    const found = compareAnswers(
      'contacts',
      { hit: Uint8Array.of(0, 0, 0, 1, 0), distance: Float64Array.of(NaN, NaN, NaN, -0.2, NaN) },
      truth,
      1e-5,
    );
    expect(found).toMatchObject({ wrongFlags: 1, wrongDistances: 0, farOff: 1, largestError: 0 });
    expect(verdictOf(found)).toBe('differs');
  });

  it('nothing to compare is no agreement', () => {
    const unknown = { distance: new Float64Array(2).fill(NaN), size: new Float64Array(2).fill(1) };
    expect(verdictOf(compareAnswers('intersects', { hit: Uint8Array.of(1, 0), distance: null }, unknown, 1e-5))).toBe(
      'differs',
    );
  });

  it('contacts are judged by depths, distances by gaps', () => {
    const hit = Uint8Array.of(1, 0, 0, 1, 0);
    const distance = Float64Array.of(-0.5, 0.4, 0, 0, 0);
    expect(compareAnswers('contacts', { hit, distance }, truth, 1e-5)).toMatchObject({
      wrongDistances: 1,
      largestError: 0.2,
    });
    const gaps = compareAnswers('distances', { hit, distance }, truth, 1e-5);
    expect(gaps.wrongDistances).toBe(1);
    expect(gaps.largestError).toBeCloseTo(0.1, 12);
  });

  it('an answer that is no number is wrong', () => {
    const found = compareAnswers(
      'contacts',
      { hit: Uint8Array.of(1, 0, 0, 1, 0), distance: Float64Array.of(NaN, 0, 0, -0.2, 0) },
      truth,
      1e-5,
    );
    expect(found).toMatchObject({ wrongDistances: 1, farOff: 1, largestError: NaN });
  });

  it('are compared for the first pairs and for some of all others', () => {
    expect(Array.from(judgedPairs(3))).toEqual([0, 1, 2]);
    const indices = judgedPairs(262_144);
    expect(new Set(indices).size).toBe(indices.length);
    expect(indices[4095]).toBe(4095);
    expect(indices.at(-1)).toBeLessThan(262_144);
    expect(indices.at(-1)).toBeGreaterThan(262_000);
  });
});
