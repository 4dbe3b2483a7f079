/**
 * Categories and verdicts of clashes. With d the signed distance of two bodies, t the tolerance and c the clearance:
 *
 * - `duplicate`: no point of either body is farther than t from the other body.
 * - `contained`: d < -t, and no point of one body is farther than t from the other.
 * - `overlap`: d < -t otherwise.
 * - `touching`: |d| <= t.
 * - `clearance`: t < d < c.
 *
 * Of a depth that is only a bound, |d| may be more: such a pair is touching if a translation of at most t is found that
 * separates the bodies, or if the bound is no more than the precision. Otherwise d counts as less than -t.
 *
 * The first whose condition holds is the pair's category. A pair for which none holds is not a clash.
 */

export const CATEGORIES = ['overlap', 'contained', 'duplicate', 'touching', 'clearance'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Categories that fail the check unless `--fail-on` says otherwise. `clearance` joins them if a clearance is given. */
export const FAILING: readonly Category[] = ['overlap', 'contained', 'duplicate'];

/**
 * What a clash means for the check.
 *
 * - `fail`: it fails the check.
 * - `known`: the baseline has it, in the same or a worse category and at most the tolerance less deep.
 * - `allowed`: the scene allows the pair.
 * - `pass`: its category is not one of `--fail-on`.
 */
export const VERDICTS = ['fail', 'known', 'allowed', 'pass'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Whether a distance is exact, or bounds the least translation that separates the bodies from below. */
export const SOURCES = ['exact', 'bound'] as const;
export type Source = (typeof SOURCES)[number];

export type Counts<Name extends string> = Record<Name, number>;

export function noCounts<Name extends string>(names: readonly Name[]): Counts<Name> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Counts<Name>;
}
