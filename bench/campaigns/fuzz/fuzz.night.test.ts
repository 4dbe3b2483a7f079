/**
 * The fuzz itself: a tester that is right gives no finding, and each kind of wrong outcome that is planted is found.
 */

import { describe, expect, test } from 'vitest';
import { runBlock, type BlockReport, type CreateAnyTester } from './block.ts';
import { createTester } from '../../../src/index.ts';
import type { Tester } from '../../../src/api/types.ts';

const CALLS = 300;

type AnyQuery = (...given: unknown[]) => Promise<unknown>;

/** A block in space on the CPU, a method of its second tester changed. */
function runTampered(
  tamper: (query: AnyQuery, call: number) => AnyQuery,
  method: 'contacts' | 'findPairs' = 'contacts',
): Promise<BlockReport> {
  let testers = 0;
  const create = async (): Promise<Tester> => {
    const tester = await createTester({ backend: 'cpu' });
    if (testers++ === 0) return tester;
    let call = 0;
    const query = tester[method] as AnyQuery;
    return { ...tester, [method]: (...given: unknown[]) => tamper(query, call++)(...given) } as unknown as Tester;
  };
  return runBlock({ createTester: create, backends: ['cpu', 'cpu'], seed: 2, calls: CALLS });
}

describe.each([2, 3])('seed %d', (seed) => {
  test('finds nothing on the CPU', async () => {
    const report = await runBlock({
      createTester: createTester as CreateAnyTester,
      backends: ['cpu'],
      seed,
      calls: CALLS,
    });
    expect(report.findings).toEqual([]);
    for (const name of ['answered', 'refused', 'aborted', 'controls'] as const)
      expect(report[name], name).toBeGreaterThan(20);
  });
});

describe('what is planted is found', () => {
  /** Any call later than those of the first controls. */
  const LATER = 10;

  test.each<[what: string, finding: RegExp, tamper: (contacts: AnyQuery, call: number) => AnyQuery]>([
    [
      'a raw error',
      /a raw error: TypeError/,
      (contacts, call) =>
        async (...given) => {
          if (call > LATER) throw new TypeError('no');
          return contacts(...given);
        },
    ],
    [
      'a distance that is off',
      /has distances/,
      (contacts, call) =>
        async (...given) => {
          const result = (await contacts(...given)) as { distance: Float32Array };
          if (call > LATER)
            result.distance.forEach((distance, i) => (result.distance[i] = distance < 0 ? 1.01 * distance : distance));
          return result;
        },
    ],
    [
      'a NaN',
      /distance\[0\] is NaN/,
      (contacts, call) =>
        async (...given) => {
          const result = (await contacts(...given)) as { count: number; distance: Float32Array };
          if (call > LATER && result.count > 0) result.distance[0] = NaN;
          return result;
        },
    ],
    [
      'a tester that is broken by a refusal',
      /control query on cpu/,
      (contacts, call) =>
        async (...given) => {
          if (call > LATER)
            throw Object.assign(new Error('device is broken, expected a device'), {
              name: 'NarrowphaseError',
              code: 'INVALID_INPUT',
            });
          return contacts(...given);
        },
    ],
    [
      'a target that is written by a query that is refused',
      /the target was written/,
      (contacts) =>
        async (...given) => {
          const { target } = (given[2] ?? {}) as { target?: { distance: Float32Array } };
          if (!target) return contacts(...given);
          target.distance[0] += 1;
          throw Object.assign(new Error('options is odd, expected nothing'), {
            name: 'NarrowphaseError',
            code: 'INVALID_INPUT',
          });
        },
    ],
  ])('%s', async (_, finding, tamper) => {
    const { findings } = await runTampered(tamper);
    expect(
      findings.some((text) => finding.test(text)),
      findings.slice(0, 3).join('\n'),
    ).toBe(true);
  });

  test('pairs that the filters exclude', async () => {
    const { findings } = await runTampered(
      (findPairs) =>
        (bodies, ...rest) =>
          findPairs({ ...(bodies as object), groups: undefined, fixed: undefined }, ...rest),
      'findPairs',
    );
    expect(findings.filter((text) => /of bodies \d+ and \d+, has groups that do not meet$/.test(text))).not.toEqual([]);
    expect(findings.filter((text) => /of bodies \d+ and \d+, has two fixed bodies$/.test(text))).not.toEqual([]);
  });
});
