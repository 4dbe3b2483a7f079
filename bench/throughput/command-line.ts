/**
 * How long the built command line takes for a scene of many pairs, from its start until its report is written:
 *
 *     npm run bench:cli -- [--pairs 1000000] [--engine chrome] [--rounds 3]
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCrowdScene } from '../../verification/families/crowd-scene.ts';
import { describeMachine } from '../machine.ts';
import { median } from '../../verification/statistics/median.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '1000000' },
    engine: { type: 'string', default: 'chrome' },
    rounds: { type: 'string', default: '3' },
  },
});
const [pairs, rounds] = [Number(values.pairs), Number(values.rounds)];
const program = resolve('dist/narrowphase.js');
const folder = mkdtempSync(join(tmpdir(), 'narrowphase-'));
try {
  writeFileSync(join(folder, 'scene.json'), JSON.stringify(makeCrowdScene(pairs)));
  const seconds = Array.from({ length: rounds }, () => {
    const start = performance.now();
    const { status, stderr } = spawnSync(
      process.execPath,
      [program, 'run', 'scene.json', '--engine', values.engine, '--out', 'report.json'],
      { cwd: folder, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`narrowphase ended with ${status}: ${stderr}`);
    return (performance.now() - start) / 1000;
  });
  const { cpu, cores, node, loadAtStart } = describeMachine();
  console.log(`${cpu}, ${cores} cores, Node ${node}, load ${loadAtStart}`);
  console.log(
    `${pairs} pairs by ${values.engine}: ${median(seconds).toFixed(1)} s, median of ${rounds} rounds ` +
      `(${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s)`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
