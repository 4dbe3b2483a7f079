/**
 * Accuracy in the plane: seeded pairs of every two types of shape, and of structured families, on every engine.
 *
 *     npm run accuracy:plane -- [--pairs 1000000] [--structured 100000] [--judged 2000] [--engines
 *     cpu,dawn,chrome,firefox] [--families A,B] [--seed 1] [--out FILE]
 *
 * `bench/campaigns/plane/build.ts` bundles it first. Prints Markdown tables. Exits with 1 if any answer is wrong, with 2
 * for a bad command line.
 */

import { writeFileSync } from 'node:fs';
import { planarTypePairNames } from '../../../verification/families/planar-families.ts';
import { commandLine, optionsOrExit, readArguments, someOf, wholeNumber } from '../../options.ts';
import { ENGINE_NAMES, openEngine, type EngineName } from './engines.ts';
import { FAMILIES, addRow, emptyRow, type Row } from './measure.ts';
import { markdown, wrongIn, type EngineRows } from './report.ts';

/** Pairs per query. */
const CHUNK_PAIRS = 50_000;
/** Largest value of an option. */
const MOST = 999_999_999;
/**
 * Polygons of thousands of corners take the reference long, and the oracle, which tries every edge against every other,
 * seconds a pair.
 */
const MOST_DENSE = 200;
const MOST_DENSE_JUDGED = 4;

// Dozens of kernels run for few pairs each: lavapipe, which Firefox takes too, is done in a third of the time where
// LLVM leaves them as they are.
process.env.GALLIVM_PERF ??= 'nopt';
process.env.LP_NATIVE_VECTOR_WIDTH ??= '128';

const options = optionsOrExit('accuracy:plane', '', parseOptions);
const start = performance.now();
const found: EngineRows[] = [];
for (const name of options.engines) {
  const engine = await openEngine(name);
  const rows: Row[] = [];
  for (const family of options.families) {
    const isDense = family === 'dense-corners';
    const wanted = planarTypePairNames.includes(family) ? options.pairs : options.structured;
    const total = isDense ? Math.min(MOST_DENSE, wanted) : wanted;
    const ofOracle = Math.min(options.judged, isDense ? MOST_DENSE_JUDGED : total);
    const row = emptyRow(family);
    for (let first = 0; first < total; first += CHUNK_PAIRS) {
      const count = Math.min(CHUNK_PAIRS, total - first);
      const judged = Math.ceil((ofOracle * count) / total);
      addRow(await engine.measure(family, count, options.seed + first / CHUNK_PAIRS, judged), row);
    }
    rows.push(row);
    tell(
      `${name} ${family}: ${row.pairs} pairs, ${wrongIn(row)} wrong, largest error ${row.distanceError.toExponential(1)} ${row.example}`,
    );
  }
  found.push({ name, description: engine.description, rows });
  await engine.close();
}

const report = markdown(commandLine('npm run accuracy:plane'), found, (performance.now() - start) / 1000);
if (options.out === undefined) console.log(report);
else writeFileSync(options.out, report);
const wrong = found.flatMap(({ rows }) => rows).reduce((sum, row) => sum + wrongIn(row), 0);
tell(`${wrong} wrong answers`);
process.exit(wrong > 0 ? 1 : 0);

function tell(text: string): void {
  console.error(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${text}`);
}

interface Options {
  pairs: number;
  structured: number;
  judged: number;
  engines: EngineName[];
  families: string[];
  seed: number;
  out?: string;
}

function parseOptions(args: string[]): Options {
  const values = readArguments(args, [], ['pairs', 'structured', 'judged', 'engines', 'families', 'seed', 'out']);
  return {
    pairs: wholeNumber('--pairs', values.pairs ?? '1000000', 0, MOST),
    structured: wholeNumber('--structured', values.structured ?? '100000', 0, MOST),
    judged: wholeNumber('--judged', values.judged ?? '2000', 0, MOST),
    engines: someOf('--engines', values.engines, ENGINE_NAMES),
    families: someOf('--families', values.families, FAMILIES),
    seed: wholeNumber('--seed', values.seed ?? '1', 0, MOST),
    out: values.out,
  };
}
