/**
 * Differential tests: narrowphase on the GPU beside Rapier and Jolt on the same seeded pairs of every two types of
 * shape that both have, with the brute-force oracle to decide where they differ; and times of impact, by the GPU and by
 * the reference, beside Rapier's. Writes a report on either, and keeps the contacts that they differ in as fixtures.
 *
 *     npm run differential -- [--queries contacts,impacts] [--pairs 100000] [--moving 20000] [--seed 1]
 *       [--peers rapier,jolt] [--out FILE] [--impacts FILE] [--fixtures FILE]
 *
 * Exits with 1 if narrowphase is wrong anywhere.
 */

import { writeFileSync } from 'node:fs';
import { createTester } from '../../../src/node.ts';
import type { Tester } from '../../../src/api/types.ts';
import { describeMachine } from '../../machine.ts';
import { optionsOrExit } from '../../options.ts';
import { compare, type Comparison } from './compare.ts';
import { makeDifferentialFamily, makeMovingDifferentialFamily } from './families.ts';
import { countCauses, keepFixtures, readFixtures, worstOfEachCause, type FoundFixture } from './fixtures.ts';
import { exampleOf, impactsReport, isWrongHere, wrongImpacts } from './impacts-report.ts';
import { compareImpacts, type ImpactComparison } from './impacts.ts';
import type { Context } from './markdown.ts';
import { HELP, parseOptions, type Options } from './options.ts';
import { pairNames } from './peer.ts';
import { openPeer } from './peers.ts';
import { openMovingRapier } from './rapier-impacts.ts';
import { differentialReport, wrongHere, type PeerReport } from './report.ts';

process.exit((await run(optionsOrExit('differential', HELP, parseOptions))) ? 0 : 1);

/** True when narrowphase is right everywhere. */
async function run(options: Options): Promise<boolean> {
  const tester = await createTester({ backend: 'webgpu' });
  let wrong = 0;
  if (options.queries.includes('contacts')) wrong += await contactsBeside(tester, options);
  if (options.queries.includes('impacts')) wrong += await impactsBeside(tester, options);
  tester.dispose();
  return wrong === 0;
}

function contextOf(tester: Tester, start: number, args: readonly (string | number)[]): Context {
  const { description, vendor, isSoftware } = tester.adapter;
  const { cpu, cores, memoryGiB, os, node } = describeMachine();
  return {
    command: ['npm run differential --', ...args].join(' '),
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}`,
    adapter: `${description || vendor}${isSoftware ? ' (software)' : ''}`,
    seconds: (performance.now() - start) / 1000,
  };
}

/** Returns how many pairs narrowphase is wrong in. */
async function contactsBeside(tester: Tester, { pairs, seed, peers, out, fixtures }: Options): Promise<number> {
  const start = performance.now();
  const reports: PeerReport[] = [];
  const found: FoundFixture[] = [];
  for (const name of peers) {
    const peer = await openPeer(name);
    const comparisons: Comparison[] = [];
    const causes = new Map<string, number>();
    for (const shapes of pairNames(peer.scope)) {
      const family = makeDifferentialFamily(peer.scope, shapes, pairs, seed);
      const comparison = await compare(tester, peer, family);
      found.push(...worstOfEachCause(name, family, comparison));
      countCauses(name, family, comparison, causes);
      comparisons.push(comparison);
      console.error(
        `${name} ${shapes}: ${comparison.disagreements.length} disagreements, narrowphase wrong in ${wrongHere([comparison])}`,
      );
    }
    reports.push({ peer, comparisons, causes });
  }
  // Worst first, so that the few that are kept of a cause are those.
  found.sort((a, b) => errorOf(b) - errorOf(a));
  const args = [
    '--queries contacts',
    '--pairs',
    pairs,
    '--seed',
    seed,
    ...(peers.length < 2 ? ['--peers', peers.join()] : []),
  ];
  const added = keepFixtures(fixtures, found);
  writeFileSync(out, differentialReport(contextOf(tester, start, args), reports, readFixtures(fixtures)));
  const wrong = reports.reduce((total, { comparisons }) => total + wrongHere(comparisons), 0);
  console.log(`${out} written; ${added} pairs added to ${fixtures}; narrowphase is wrong in ${wrong} pairs`);
  return wrong;
}

/** The same of pairs in motion, of which Rapier alone is asked. */
async function impactsBeside(tester: Tester, { moving, seed, impacts }: Options): Promise<number> {
  const start = performance.now();
  const peer = await openMovingRapier();
  const comparisons: ImpactComparison[] = [];
  const examples: string[] = [];
  for (const shapes of pairNames(peer.scope)) {
    const family = makeMovingDifferentialFamily(peer.scope, shapes, moving, seed);
    const comparison = await compareImpacts(tester, peer, family);
    const wrong = comparison.disagreements.filter(isWrongHere);
    if (wrong.length > 0) examples.push(exampleOf(family, wrong[0]));
    comparisons.push(comparison);
    console.error(
      `${peer.name} impacts ${shapes}: ${comparison.disagreements.length} disagreements, narrowphase wrong in ${wrong.length}`,
    );
  }
  const report = impactsReport(contextOf(tester, start, ['--queries impacts', '--moving', moving, '--seed', seed]), {
    peer,
    comparisons,
    examples,
  });
  writeFileSync(impacts, report);
  console.log(`${report}\n${impacts} written; narrowphase is wrong in ${wrongImpacts(comparisons)} pairs`);
  return wrongImpacts(comparisons);
}

/** The error of a kept pair, in metres. */
function errorOf({ distance, narrowphase, other, wrong }: FoundFixture): number {
  return Math.abs((wrong.includes('narrowphase') ? narrowphase.distance : (other.distance ?? 0)) - distance);
}
