/**
 * Times of impact of the reference for degenerate pairs against brute force: exact touch, ties, flat shapes, needles,
 * equal poses, sizes far apart, bodies far out.
 */

import { describe, expect, test } from 'vitest';
import { judgeReference, structuredFamilyNames } from '../helpers/impacts.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_301;
const PAIRS = atNight(200, 300);
const TURNING = atNight(50, 200);
const ALGORITHMS = ['auto', 'cast', 'velocity-epa'] as const;

describe.each(structuredFamilyNames)('%s', (name) => {
  test.each(ALGORITHMS)('bodies in straight motion meet when the oracle says, by %s', (algorithm) => {
    const { missed, met, overlapped, open } = judgeReference(name, PAIRS, SEED, false, { algorithm });
    expect(Math.min(missed, met, overlapped)).toBeGreaterThan(PAIRS / 15);
    expect(open).toBe(0);
  });

  test('bodies that turn meet when the oracle says', () => {
    const { missed, met, overlapped, open } = judgeReference(name, TURNING, SEED, true);
    expect(Math.min(missed, met, overlapped)).toBeGreaterThan(TURNING / 20);
    // What is that thin turns past in many steps.
    expect(open).toBeLessThan((name === 'needles' ? 0.15 : 0.05) * TURNING);
  });
});
