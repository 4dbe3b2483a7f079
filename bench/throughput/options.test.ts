/** The command line of the benchmark. */
import { describe, expect, it } from 'vitest';
import { CASES, chooseCases } from './cases.ts';
import { UsageError } from '../options.ts';
import { parseOptions } from './options.ts';

describe('the command line of the benchmark', () => {
  it('measures everything at 262,144 pairs in seven rounds by default, and a few cases with --quick', () => {
    expect(parseOptions([])).toMatchObject({
      pairs: 262_144,
      rounds: 7,
      out: 'bench/results',
      curves: true,
      engines: null,
      cases: CASES,
    });
    const quick = parseOptions(['--quick'])!;
    expect(quick.pairs).toBeLessThan(262_144);
    expect(quick.out).not.toBe('bench/results');
    expect(quick.cases.length).toBeLessThan(5);
  });

  it('takes cases by name or by their first parts', () => {
    expect(parseOptions(['--cases', 'boxes/contacts/50'])).toMatchObject({
      cases: [{ name: 'boxes/contacts/50' }],
      curves: false,
    });
    expect(chooseCases(['hull32/contacts']).cases.map(({ name }) => name)).toEqual([
      'hull32/contacts/5',
      'hull32/contacts/50',
      'hull32/contacts/85',
    ]);
    expect(parseOptions(['--cases', 'curves'])).toMatchObject({ cases: [], curves: true });
  });

  it.each([
    [['--pairs', '12'], '--pairs is "12", expected a whole number from 64'],
    [['--rounds', 'many'], '--rounds is "many"'],
    [['--engines', 'dawn,vulkan'], '--engines has "vulkan", expected some of dawn'],
    [['--peers', 'bullet'], '--peers has "bullet"'],
    [['--cases', 'boxes/overlap'], '--cases has "boxes/overlap", which is no case'],
    [['--cases', 'box'], '--cases has "box"'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuses %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(UsageError);
    expect(() => parseOptions(args)).toThrow(message);
  });
});
