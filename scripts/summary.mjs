/**
 * Writes bench/results/summary.md, the short tables of the README, from the other reports in that folder:
 *
 *     node scripts/summary.mjs [--check]
 *
 * With --check it writes nothing, and exits with 1 if the file is out of date.
 *
 * Speed: bench.md (`npm run bench` on two cores without a graphics card). Accuracy: the table of engines in
 * conformance.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const results = new URL('../bench/results/', import.meta.url);

/** Cells of all table rows of a report. */
function rowsOf(name) {
  return readFileSync(new URL(name, results), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The first row that begins with the given cells. Throws if the report has none. */
function rowOf(rows, ...cells) {
  const row = rows.find((candidate) => cells.every((cell, i) => candidate[i] === cell));
  if (!row) throw new Error(`no row begins with ${cells.join(' | ')}`);
  return row;
}

/** The question, and its target in bench.md. */
const SPEED = [
  ['overlap of boxes', '`intersects`', 'box overlap'],
  ['contacts of boxes', '`contacts`', 'box contacts (SAT)'],
  ['distances of boxes', '`distances`', 'box distances'],
  ['manifolds of boxes', '`manifolds`', 'box manifolds'],
  ['distances of hulls of 32 vertices', '`distances`', 'hull32 distances'],
  ['contacts of hulls of 32 vertices', '`contacts`', 'hull32 contacts'],
  ['manifolds of hulls of 32 vertices', '`manifolds`', 'hull32 manifolds'],
];

function speedTable() {
  const cores = rowsOf('bench.md');
  const lines = SPEED.map(([what, query, onCores]) => {
    const [, , software] = rowOf(cores, onCores, 'dawn-lavapipe');
    const cpu = cores.find(([target, engine]) => target === `${onCores.replace(' (SAT)', '')}, CPU backend` && engine);
    return `| ${what} | ${query} | ${software} | ${cpu ? cpu[2] : '–'} |`;
  });
  return [
    '| M pairs/s, half of the pairs overlapping | query | software adapter, 2 cores | CPU backend, 1 thread |',
    '| --- | --- | ---: | ---: |',
    ...lines,
  ];
}

/** The engines of the report, and their names in the table. */
const ENGINES = [
  ['conformance.md', 'dawn', 'lavapipe, Dawn'],
  ['conformance.md', 'chrome', 'SwiftShader, Chrome'],
  ['conformance.md', 'firefox', 'lavapipe, Firefox'],
  ['conformance.md', 'cpu', 'CPU backend'],
];

function accuracyTable() {
  const lines = ENGINES.map(([report, engine, name]) => {
    const [, , , pairs, , error, outside, wrong, faults, open] = rowOf(rowsOf(report), engine);
    const cells = [Number(pairs).toLocaleString('en-US'), error, outside, wrong, faults, open];
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  return [
    '| engine | pairs | largest error | outside tolerance | wrong signs | other faults | not converged |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...lines,
  ];
}

const text = [
  '# Summary',
  '',
  'Written by `node scripts/summary.mjs` from the reports beside it.',
  '',
  '## Speed',
  '',
  ...speedTable(),
  '',
  '## Accuracy',
  '',
  ...accuracyTable(),
  '',
].join('\n');
const file = new URL('summary.md', results);
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('bench/results/summary.md is not up to date: npm run summary');
  process.exitCode = 1;
}
