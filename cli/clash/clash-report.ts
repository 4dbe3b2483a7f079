/** The report of a clash check before formatting: its header, and its clashes, which a format can iterate repeatedly. */

import { keepClosest } from '../report/contacts.ts';
import type { Batches } from '../report/report.ts';
import type { ReportEngine, ReportHeader, Shard, StatusName } from '../report/report-header.ts';
import type { LeftOut } from './candidates.ts';
import type { Category, Counts, Source, Verdict } from './categories.ts';
import type { RuleFacts } from './rules.ts';
import type { SolidScene } from './solids/convex-meshes.ts';

/** One clash. */
export interface Clash {
  /** Index into the candidate pairs. */
  pair: number;
  /** Names of the bodies; `body 7` for one without a name. */
  a: string;
  b: string;
  /** Place among the bodies of the same name, from 1; left out for the first. */
  copyA?: number;
  copyB?: number;
  /** Body indices. */
  bodyA: number;
  bodyB: number;
  category: Category;
  /** `contained` only: the body that is inside the other. */
  inside?: 'a' | 'b';
  verdict: Verdict;
  /** Signed distance in the scene's unit: negative is depth, positive a gap. */
  distance: number;
  source: Source;
  /** Midway between the nearest or deepest points of both surfaces, in world space. */
  point: number[];
  /** Unit vector from A to B. Moving B by `-distance · normal` brings the pair to touch. */
  normal: number[];
  /** Bounding radius of the smaller body, for views of the clash. */
  size: number;
  /** Name of the rule, if the check has rules. */
  rule?: string;
}

/** A pair that the engine could not answer. */
export interface Unanswered {
  a: string;
  b: string;
  status: StatusName;
}

export interface ClashHeader {
  /** Version of the report format. */
  version: 1;
  command: 'clash';
  /** Program and version that wrote the report. */
  generator: string;
  scene: ReportHeader['scene'];
  /** Tolerance and clearance of pairs without a rule of their own; a clearance of null: gaps are not clashes. */
  tolerance: number;
  clearance: number | null;
  /** null: all pairs are checked. */
  rules: RuleFacts[] | null;
  /** Categories that fail the check. */
  failOn: Category[];
  baseline: BaselineFacts | null;
  engines: ReportEngine[];
  /** Number of candidate pairs in the whole scene, without those left out. */
  candidatePairs: number;
  /** Candidate pairs that rules left out. */
  leftOut: LeftOut;
  /** The part of the candidate pairs that was checked; null: all of them. */
  shard: Shard | null;
  /** Number of clashes, and how many there are of each category and verdict. */
  count: number;
  categories: Counts<Category>;
  verdicts: Counts<Verdict>;
  unanswered: Unanswered[];
  check: ClashCheck;
}

/** The baseline of a check. */
export interface BaselineFacts {
  file: string;
  sha256: string;
  /** Number of its clashes, and how many of their pairs still clash. */
  clashes: number;
  found: number;
}

export interface ClashCheck {
  passed: boolean;
  failed: number;
  unanswered: number;
}

export interface ClashReport {
  header: ClashHeader;
  /** The deepest clashes that fail, then others, as many as the table has rows. */
  worst: Clash[];
  clashes(): Batches<Clash>;
  /** The scene, for pictures; undefined where a merge was not given it. */
  solids?: SolidScene;
}

export function checkOf(verdicts: Counts<Verdict>, unanswered: number): ClashCheck {
  return { passed: verdicts.fail + unanswered === 0, failed: verdicts.fail, unanswered };
}

/** Keeps the clashes that are listed first: those that fail, and among these and the others the deepest. */
export function keepWorst<Item>(limit: number, clashOf: (item: Item) => Pick<Clash, 'verdict' | 'distance'>) {
  return keepClosest<Item>(
    limit,
    (item) => clashOf(item).distance,
    (item) => clashOf(item).verdict === 'fail',
  );
}
