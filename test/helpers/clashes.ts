/** Clash checks in this process, on the CPU engine. */

import { expect } from 'vitest';
import { findCandidates } from '../../cli/clash/candidates.ts';
import { FAILING, type Category } from '../../cli/clash/categories.ts';
import type { Clash, ClashReport } from '../../cli/clash/clash-report.ts';
import { findClashes, marginOf } from '../../cli/clash/find-clashes.ts';
import { makeReport } from '../../cli/clash/make-report.ts';
import { createRuleMatcher } from '../../cli/clash/match-rules.ts';
import { NO_RULES, type Limits, type Rules } from '../../cli/clash/rules.ts';
import { withHulls } from '../../cli/clash/solids/convex-meshes.ts';
import { sceneOfJson, type Scene } from '../../cli/scene/scene.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { createTester } from '../../src/node.ts';
import { openCpu } from '../../verification/engines/cpu.ts';
import type { Engine } from '../../verification/engines/engine.ts';

export interface BodyGiven {
  shape: ShapeDescription;
  position?: readonly number[];
  quaternion?: readonly number[];
  scale?: number;
  name?: string;
}

/** A scene whose bodies have a shape each. */
export function sceneOf(bodies: readonly BodyGiven[], pairs: unknown = 'broad-phase'): Scene {
  const content = {
    version: 1,
    name: 'test',
    shapes: bodies.map(({ shape }) => shape),
    bodies: bodies.map(({ position = [0, 0, 0], quaternion = [0, 0, 0, 1], scale = 1, name }, i) => ({
      shape: i,
      position,
      quaternion,
      scale,
      name: name ?? `body ${i}`,
    })),
    pairs,
  };
  return sceneOfJson(JSON.parse(JSON.stringify(content, listsOfArrays)), 'test');
}

function listsOfArrays(_: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value;
}

const openReference = () => createTester({ backend: 'cpu' });

export interface CheckOptions extends Partial<Limits> {
  rules?: Rules;
  failOn?: readonly Category[];
  engine?: Engine;
}

/** The report of a scene. The engine stays open if it is given. */
export async function checkScene(scene: Scene, options: CheckOptions = {}): Promise<ClashReport> {
  const { tolerance = 1e-4, clearance = null, rules = NO_RULES, failOn = FAILING } = options;
  const defaults = { tolerance, clearance };
  const limits = rules.rules ?? [defaults];
  const solids = withHulls(scene);
  const candidates = findCandidates(scene, marginOf(limits), createRuleMatcher(rules, scene.bodyNames));
  const engine = options.engine ?? (await openCpu());
  try {
    await engine.load(solids.scene.shapes, solids.scene.bodies);
    const range = { first: 0, end: candidates.pairs.length / 2 };
    const result = await findClashes({ solids, engine, openReference, candidates, limits, range }, () => {});
    return makeReport(
      {
        sceneFile: { file: 'test.json', files: [], sha256: '0'.repeat(64), scene },
        solids,
        generator: 'test',
        engine: { ...engine.facts, fallback: null },
        rules,
        defaults,
        limits,
        failOn,
        baseline: undefined,
        candidates,
        shard: null,
        result,
      },
      10,
    );
  } finally {
    if (!options.engine) await engine.close();
  }
}

export async function clashesOf(report: ClashReport): Promise<Clash[]> {
  const clashes: Clash[] = [];
  for await (const batch of report.clashes()) clashes.push(...batch);
  return clashes;
}

/** The clash of the first two bodies, which are all of the scene; undefined if there is none. */
export async function clashOfTwo(a: BodyGiven, b: BodyGiven, options: CheckOptions = {}): Promise<Clash | undefined> {
  const clashes = await clashesOf(await checkScene(sceneOf([a, b]), options));
  expect(clashes.length).toBeLessThan(2);
  return clashes[0];
}
