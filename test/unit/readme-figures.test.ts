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
  expect(engineTable(marked).map((row) => row.split('|')[1].trim())).toEqual([
    'engine',
    '---',
    'dawn',
    'dawn',
    'chrome',
    'firefox',
    'cpu',
  ]);
  expect(report.trimEnd().endsWith('\nPassed.')).toBe(true);
});

test('its table of times of impact is that of the last `npm run motion`, straight and turning, which found nothing wrong', () => {
  const marked = text('README.md').split('<!-- motion: engines -->\n')[1].split('<!-- end -->')[0].trim().split('\n');
  const reports = { straight: 'motion.md', turning: 'motion-turning.md' };
  const found = (['straight', 'turning'] as const).flatMap((kind) => {
    const report = text(`bench/results/${reports[kind]}`);
    expect(report).not.toContain('## Wrong answers');
    const start = report.indexOf('| engine | motion |');
    const [head, line, ...rows] = report.slice(start, report.indexOf('\n\n', start)).split('\n');
    expect(marked.slice(0, 2)).toEqual([head, line]);
    return rows.filter((row) => row.split('|')[2].trim() === kind);
  });
  expect(marked.slice(2)).toEqual(found);
  const cells = found.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(cells.map(([engine, kind]) => `${engine} ${kind}`)).toEqual(
    ['straight', 'turning'].flatMap((kind) =>
      ['reference', 'cpu', 'dawn', 'chrome'].map((engine) => `${engine} ${kind}`),
    ),
  );
  for (const [, , , , , , , , outside, early, missed, , , others] of cells)
    expect([outside, early, missed, others]).toEqual(['0', '0', '0', '0']);
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

test('its table of the plane is that of the last `npm run accuracy:plane`, which found nothing wrong', () => {
  const report = text('bench/results/accuracy-plane.md');
  const marked = text('README.md').split('<!-- accuracy: plane -->\n')[1].split('<!-- end -->')[0];
  expect(engineTable(marked)).toEqual(engineTable(report));
  const rows = engineTable(marked)
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(rows.map(([engine]) => engine)).toEqual(['cpu', 'dawn', 'chrome', 'firefox']);
  for (const row of rows) expect([...row.slice(6, 11), row[12]]).toEqual(['0', '0', '0', '0', '0', '0']);
});
