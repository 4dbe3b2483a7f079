/** Logarithmic axes and their labels. */
import { describe, expect, it } from 'vitest';
import { logScale, spreadLabels } from './axes.ts';

describe('axes', () => {
  it('a logarithmic axis begins and ends at powers around the values', () => {
    const scale = logScale(0.03, 40, 0, 400, 10, 7);
    expect(scale.ticks.map((tick) => Number(tick.toPrecision(3)))).toEqual([0.01, 0.1, 1, 10, 100]);
    expect(scale.at(0.01)).toBeCloseTo(0);
    expect(scale.at(1)).toBeCloseTo(200);
    expect(scale.at(100)).toBeCloseTo(400);
  });

  it('labels that would overlap move apart and keep their order, the others stay', () => {
    expect(spreadLabels([50, 10, 50], 10, 0, 100)).toEqual([45, 10, 55]);
    expect(spreadLabels([99, 98], 10, 0, 100)).toEqual([100, 90]);
  });
});
