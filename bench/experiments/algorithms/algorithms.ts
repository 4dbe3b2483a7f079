/**
 * SAT, GJK + EPA, MPR with both endings and a Voronoi-region walk on the same seeded pairs: how right, how many steps,
 * how long.
 *
 *     npm run algorithms -- [--pairs 20000] [--gpu-pairs 32768] [--frames 30] [--repeats 9] [--seed 1] [--out FILE]
 *
 * Prints Markdown. The truth is what GJK + EPA find in double precision, which tests hold against a brute-force oracle
 * to 1e-9.
 */
import { writeFileSync } from 'node:fs';
import { createTester } from '../../../src/node.ts';
import { COMPARED, comparedFamily, moves } from './families.ts';
import { percentage, percentages, spreadOf } from './spread.ts';
import { SAT, WAYS } from './ways.ts';
import { compare, compareGpu } from './contacts.ts';
import { compareMoving } from './motion.ts';
import { reportOf, tableRow, type Tables } from './report.ts';
import { options } from './options.ts';

const gpu = await createTester({ backend: 'webgpu' });
const cpu = await createTester({ backend: 'cpu' });
const tables: Tables = { short: [], accuracy: [], cost: [], motion: [], leftOver: [] };
for (const name of COMPARED) {
  process.stderr.write(`${name}\n`);
  const { rows, overlapping, left } = compare(comparedFamily(name, options.pairs, options.seed));
  tables.leftOver.push(`${name} ${percentage(left)} %`);
  const onDevice = await compareGpu(
    gpu,
    cpu,
    comparedFamily(name, options.gpuPairs, options.seed),
    rows.map(({ way }) => way),
  );
  rows.forEach(({ way, ofSize, ofDepth, exact, wrong, steps, microseconds }, w) => {
    const excess = [ofDepth, ofSize].flatMap((values) => percentages(spreadOf(values)));
    tables.accuracy.push(
      tableRow([name, way.name, overlapping, percentage(exact), ...excess, wrong, onDevice[w].wrong]),
    );
    tables.cost.push(
      tableRow([
        name,
        way.name,
        ...steps.map((mean) => mean.toFixed(1)),
        microseconds.toFixed(2),
        onDevice[w].microseconds.toFixed(3),
      ]),
    );
  });
  const portals = rows
    .filter(({ way }) => way.leadStage === 'mpr')
    .flatMap(({ ofDepth, exact }) => {
      const { mean, most, greatest } = spreadOf(ofDepth);
      return [exact, mean, most, greatest].map(percentage);
    });
  const times = [SAT, ...WAYS].map(
    ({ name: wanted }) => onDevice[rows.findIndex(({ way }) => way.name === wanted)]?.microseconds.toFixed(2) ?? '–',
  );
  tables.short.push(tableRow([name, ...portals, ...times]));
  if (!moves(name)) continue;
  for (const { name: way, first, later, microseconds, error, wrong } of compareMoving(name)) {
    tables.motion.push(
      tableRow([name, way, first.toFixed(1), later.toFixed(1), microseconds.toFixed(2), error.toExponential(1), wrong]),
    );
  }
}

const report = reportOf(tables, gpu.adapter);
console.log(report);
if (options.out) writeFileSync(options.out, report);
gpu.dispose();
cpu.dispose();
