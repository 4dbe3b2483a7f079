/**
 * Differential tests: narrowphase on the GPU beside Rapier and Jolt on the same seeded pairs of every two types of shape that both
 * have, with the brute-force oracle to decide where they differ. Writes a report, and keeps what they differ in as fixtures.
 *
 *     npm run differential -- [--pairs 100000] [--seed 1] [--peers rapier,jolt] [--out FILE] [--fixtures FILE]
 *
 * Exits with 1 if narrowphase is wrong anywhere.
 */

import { writeFileSync } from 'node:fs';
import { createTester } from '../../src/node.ts';
import { describeMachine } from '../report/machine.ts';
import { compare, type Comparison } from './compare.ts';
import { makeDifferentialFamily } from './families.ts';
import { countCauses, keepFixtures, worstOfEachCause, type DifferentialFixture } from './fixtures.ts';
import { HELP, parseOptions, UsageError, type Options } from './options.ts';
import { pairNames } from './peer.ts';
import { openPeer } from './peers.ts';
import { differentialReport, wrongHere, type PeerReport } from './report.ts';

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) console.log(HELP);
  else process.exit((await run(options)) ? 0 : 1);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\nSee --help.`);
  process.exit(2);
}

/** True when narrowphase is right everywhere. */
async function run({ pairs, seed, peers, out, fixtures }: Options): Promise<boolean> {
  const start = performance.now();
  const tester = await createTester({ backend: 'webgpu' });
  const { description, vendor, isSoftware } = tester.adapter;
  const reports: PeerReport[] = [];
  const found: DifferentialFixture[] = [];
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
      console.error(`${name} ${shapes}: ${comparison.disagreements.length} disagreements, narrowphase wrong in ${wrongHere([comparison])}`);
    }
    reports.push({ peer, comparisons, causes });
  }
  tester.dispose();
  // Worst first, so that the few that are kept of a cause are those.
  found.sort((a, b) => errorOf(b) - errorOf(a));
  const { cpu, cores, memoryGiB, os, node } = describeMachine();
  const report = differentialReport(
    {
      command: `npm run differential -- --pairs ${pairs} --seed ${seed}${peers.length < 2 ? ` --peers ${peers.join()}` : ''}`,
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}`,
      adapter: `${description || vendor}${isSoftware ? ' (software)' : ''}`,
      seconds: (performance.now() - start) / 1000,
    },
    reports,
  );
  writeFileSync(out, report);
  const wrong = reports.reduce((total, { comparisons }) => total + wrongHere(comparisons), 0);
  console.log(`${out} written; ${keepFixtures(fixtures, found)} pairs added to ${fixtures}; narrowphase is wrong in ${wrong} pairs`);
  return wrong === 0;
}

/** Of a kept pair, in metres. */
function errorOf({ distance, narrowphase, other, wrong }: DifferentialFixture): number {
  return Math.abs((wrong.includes('narrowphase') ? narrowphase.distance : (other.distance ?? 0)) - distance);
}
