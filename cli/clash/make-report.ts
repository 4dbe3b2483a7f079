/** Makes the report of the clashes that were found in a scene. */

import { pairMatcher } from '../scene/allowed.ts';
import { CORE_HALFSPACE } from '../../src/generated/constants.ts';
import type { Scene } from '../scene/scene.ts';
import { shortestOfF32 } from '../report/decimal.ts';
import { inBatches } from '../report/report.ts';
import type { ReportEngine, Shard } from '../report/report-header.ts';
import { sceneFacts } from '../report/scene-facts.ts';
import type { SceneFile } from '../scene-file.ts';
import type { Baseline } from './baseline.ts';
import type { Candidates } from './candidates.ts';
import { CATEGORIES, noCounts, SOURCES, VERDICTS, type Category, type Verdict } from './categories.ts';
import { checkOf, keepWorst, type Clash, type ClashHeader, type ClashReport } from './clash-report.ts';
import type { SearchResult } from './find-clashes.ts';
import { createLabels, pairKey, type Label } from './labels.ts';
import type { Limits, Rules } from './rules.ts';
import type { SolidScene } from './solids/convex-meshes.ts';
import { verdictOf } from './verdicts.ts';

export interface Found {
  sceneFile: SceneFile;
  solids: SolidScene;
  /** Names program and version. */
  generator: string;
  engine: ReportEngine;
  rules: Rules;
  /** Of pairs without a rule of their own, and of each rule. */
  defaults: Limits;
  limits: readonly Limits[];
  failOn: readonly Category[];
  baseline: Baseline | undefined;
  candidates: Candidates;
  shard: Shard | null;
  result: SearchResult;
}

/** `rows`: of the table. */
export function makeReport(found: Found, rows: number): ClashReport {
  const { sceneFile, solids, generator, engine, rules, defaults, failOn, baseline, candidates, shard, result } = found;
  const { clashes } = result;
  const count = clashes.pair.length;
  const labelOf = createLabels(solids.scene);
  const { verdicts, matched } = judge(found, labelOf);
  const at = (slot: number): Clash => clashAt(found, labelOf, verdicts, slot);
  const worst = keepWorst<number>(rows, (slot) => ({
    verdict: VERDICTS[verdicts[slot]],
    distance: clashes.distance[slot],
  }));
  const categoryCounts = noCounts(CATEGORIES);
  const verdictCounts = noCounts(VERDICTS);
  for (let slot = 0; slot < count; slot++) {
    categoryCounts[CATEGORIES[clashes.category[slot]]]++;
    verdictCounts[VERDICTS[verdicts[slot]]]++;
    worst.add(slot);
  }
  const unanswered = result.unanswered.map(({ pair, status }) => ({
    a: labelOf(candidates.pairs[2 * pair]).label,
    b: labelOf(candidates.pairs[2 * pair + 1]).label,
    status,
  }));
  const header: ClashHeader = {
    version: 1,
    command: 'clash',
    generator,
    scene: sceneFacts(sceneFile),
    ...defaults,
    rules:
      rules.rules?.map(({ name, between, tolerance, clearance }) => ({ name, between, tolerance, clearance })) ?? null,
    failOn: CATEGORIES.filter((category) => failOn.includes(category)),
    baseline: baseline ? { ...baseline.facts, found: matched } : null,
    engines: [engine],
    candidatePairs: candidates.pairs.length / 2,
    leftOut: candidates.leftOut,
    shard,
    count,
    categories: categoryCounts,
    verdicts: verdictCounts,
    unanswered,
    check: checkOf(verdictCounts, unanswered.length),
  };
  return { header, worst: worst.items().map(at), clashes: () => inBatches(count, at), solids };
}

/** The verdict of each clash, as an index into `VERDICTS`, and how many clashes have a known pair. */
function judge(
  { solids: { scene }, candidates, limits, failOn, baseline, result: { clashes } }: Found,
  labelOf: (body: number) => Label,
): { verdicts: Uint8Array; matched: number } {
  const isAllowedPair = pairMatcher(scene.allowed, scene.bodyNames);
  const failing = new Set(failOn);
  let matched = 0;
  const verdicts = Uint8Array.from(clashes.pair, (pair, slot) => {
    const [a, b] = [candidates.pairs[2 * pair], candidates.pairs[2 * pair + 1]];
    const known = baseline?.known.get(keyOf(labelOf(a), labelOf(b)));
    if (known) matched++;
    const verdict = verdictOf({
      category: CATEGORIES[clashes.category[slot]],
      distance: shortestOfF32(clashes.distance[slot]),
      tolerance: limits[candidates.rules[pair]].tolerance,
      isAllowed: isAllowedPair(a, b),
      failOn: failing,
      known,
    });
    return VERDICTS.indexOf(verdict);
  });
  return { verdicts, matched };
}

function keyOf(a: Label, b: Label): string {
  return pairKey(a.label, a.copy, b.label, b.copy);
}

function clashAt(
  { solids: { scene }, candidates, rules, result: { clashes } }: Found,
  labelOf: (body: number) => Label,
  verdicts: Uint8Array,
  slot: number,
): Clash {
  const pair = clashes.pair[slot];
  const [bodyA, bodyB] = [candidates.pairs[2 * pair], candidates.pairs[2 * pair + 1]];
  const { label: a, copy: copyA } = labelOf(bodyA);
  const { label: b, copy: copyB } = labelOf(bodyB);
  const inside = (['a', 'b'] as const)[clashes.inside[slot] - 1];
  return {
    pair,
    a,
    b,
    ...(copyA !== undefined && { copyA }),
    ...(copyB !== undefined && { copyB }),
    bodyA,
    bodyB,
    category: CATEGORIES[clashes.category[slot]],
    ...(inside && { inside }),
    verdict: VERDICTS[verdicts[slot]] satisfies Verdict,
    distance: shortestOfF32(clashes.distance[slot]),
    source: SOURCES[clashes.source[slot]],
    point: Array.from(clashes.point.subarray(3 * slot, 3 * slot + 3)),
    normal: Array.from(clashes.normal.subarray(3 * slot, 3 * slot + 3), shortestOfF32),
    size: sizeOf(scene, bodyA, bodyB),
    ...(rules.rules && { rule: rules.rules[candidates.rules[pair]].name }),
  };
}

/** Bounding radius of the smaller body, to six digits. */
function sizeOf({ bodies, shapeData }: Scene, a: number, b: number): number {
  const radii = [a, b].map((body) => {
    const { kind, boundingRadius } = shapeData[bodies.shapes[body]];
    return kind === CORE_HALFSPACE ? Infinity : boundingRadius * bodies.scales[body];
  });
  return Number(Math.min(...radii).toPrecision(6));
}
