/** Figures in the README are those of the committed reports. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

function text(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
}

/** The lines of the table whose head starts with `| engine |`. */
function engineTable(markdown: string): string[] {
  const lines = markdown.split('\n');
  const head = lines.findIndex((line) => line.startsWith('| engine |'));
  const end = lines.findIndex((line, i) => i > head && !line.startsWith('|'));
  return lines.slice(head, end);
}

test('its table of engines is that of the last `npm run conformance`, which passed', () => {
  const report = text('bench/results/conformance.md');
  const marked = text('README.md').split('<!-- conformance: engines -->\n')[1].split('<!-- end -->')[0];
  expect(engineTable(marked)).toEqual(engineTable(report));
  expect(engineTable(marked).map((row) => row.split('|')[1].trim())).toEqual(['engine', '---', 'dawn', 'dawn', 'chrome', 'firefox', 'cpu']);
  expect(report.trimEnd().endsWith('\nPassed.')).toBe(true);
});

test('its table of times of impact is that of the last `npm run motion`, which found nothing wrong', () => {
  const report = text('bench/results/motion.md');
  const marked = text('README.md').split('<!-- motion: engines -->\n')[1].split('<!-- end -->')[0];
  const start = report.indexOf('| engine | motion |');
  expect(marked.trim()).toBe(report.slice(start, report.indexOf('\n\n', start)).trim());
  const rows = marked.trim().split('\n').slice(2).map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim()));
  expect(rows.map(([engine, motion]) => `${engine} ${motion}`)).toEqual(['reference', 'cpu', 'dawn', 'chrome'].flatMap((engine) => [`${engine} straight`, `${engine} turning`]));
  for (const [, , , , , , , , outside, early, missed, , , others] of rows) expect([outside, early, missed, others]).toEqual(['0', '0', '0', '0']);
  expect(report).not.toContain('## Wrong answers');
});

test('its table of targets is that of the last `npm run bench`', () => {
  const report = text('bench/results/bench.md');
  const marked = text('README.md').split('<!-- bench: targets -->\n')[1].split('<!-- end -->')[0];
  const start = report.indexOf('| target | engine |');
  expect(marked.trim()).toBe(report.slice(start, report.indexOf('\n\n', start)).trim());
});

test('its table of algorithms is that of the last `npm run algorithms`', () => {
  const marked = text('README.md').split('<!-- algorithms: short -->\n')[1].split('<!-- end -->')[0];
  expect(marked).toBe(text('bench/results/algorithms.md').split('<!-- short -->\n')[1].split('<!-- end -->')[0]);
  expect(marked.split('\n').filter((line) => line.startsWith('| ')).length).toBe(9);
});
