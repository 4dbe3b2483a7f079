/**
 * docs/guides/clash.md as its reader follows it: its files are saved, its commands are run in their order, and the jobs of
 * its CI files are run as processes with the variables that the CI systems set.
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeWorkplace, PROGRAM } from './cli.ts';
import type { ClashJson } from './clash-scenes.ts';

const { folder, write, read, files } = makeWorkplace();
const page = readFileSync(new URL('../../docs/guides/clash.md', import.meta.url), 'utf8');

/** Code of the blocks of a language. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);
}

/** Runs a command as `sh -e` does, with `npx narrowphase` as the built program; gives the exit code. */
function shell(command: string, variables: Record<string, string> = {}): { code: number | null; output: string } {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`, ...variables };
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', command], { cwd: folder, env, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

beforeAll(() => {
  mkdirSync(join(folder, 'bin'));
  const npx = join(folder, 'bin', 'npx');
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(npx, 0o755);
  for (const [, name, code] of page.matchAll(/^<!-- file: (\S+) -->\n+```json\n([^]*?)^```$/gm)) write(name, code);
});

test('the commands end with the exit codes that the page names', () => {
  const commands = blocks('sh')
    .flatMap((code) => code.trim().split('\n'))
    .filter((line) => line.startsWith('npx narrowphase clash'));
  expect(commands.length).toBeGreaterThanOrEqual(5);
  for (const command of commands) {
    const expected = Number(/# exit code (\d)/.exec(command)?.[1] ?? 0);
    const { code, output } = shell(command);
    expect(code, `${command}\n${output}`).toBe(expected);
  }
  expect(files()).toEqual(
    expect.arrayContaining(['baseline.json', 'clashes.html', 'clashes.json', 'plant.json', 'rules.json']),
  );
});

test('the clashes are those that the page lists', () => {
  const { clashes } = JSON.parse(read('clashes.json')) as ClashJson;
  const rows = [...page.matchAll(/^\| `([^`]+)`, `([^`]+)` +\| `(\w+)` +\| +(-?[\d.]+)/gm)];
  const listed = rows.map(([, a, b, category, distance]) => `${a} + ${b}: ${category} ${Number(distance)}`);
  expect(
    clashes.map(({ a, b, category, distance }) => `${a} + ${b}: ${category} ${Number(distance.toFixed(6)) + 0}`).sort(),
  ).toEqual(listed.sort());
  const shown = JSON.parse(blocks('json').find((code) => code.includes('"category"'))!) as ClashJson['clashes'][0];
  const found = clashes.find(({ b }) => b === 'pipe-1')!;
  expect(Object.keys(found)).toEqual(Object.keys(shown));
  expect({ ...found, point: [], normal: [] }).toEqual({ ...shown, distance: found.distance, point: [], normal: [] });
  shown.point.forEach((x, k) => expect(found.point[k]).toBeCloseTo(x, 6));
  shown.normal.forEach((x, k) => expect(found.normal[k]).toBeCloseTo(x, 6));
});

/** The commands of a CI file that call the program, `clash` and then `merge`. */
function commandsOf(file: string): { clash: string; merge: string } {
  const code = blocks('yaml').find((block) => block.includes(file))!;
  const lines = [...code.matchAll(/^ *-(?: run:)? (npx narrowphase .*)$/gm)].map(([, line]) => line);
  const find = (name: string): string => lines.find((line) => line.startsWith(`npx narrowphase ${name}`))!;
  return { clash: find('clash'), merge: find('merge') };
}

/** Each job succeeds though clashes fail, and the merge fails. */
function expectRed(
  jobs: (index: number) => { command: string; variables: Record<string, string> },
  merge: string,
): void {
  for (const index of [0, 1, 2]) {
    const { command, variables } = jobs(index);
    const { code, output } = shell(command, variables);
    expect(code, `${command}\n${output}`).toBe(0);
  }
  const { code, output } = shell(merge);
  expect(code, `${merge}\n${output}`).toBe(1);
  expect(output).toContain('check failed: 3 clashes');
}

describe('three jobs and a merge give the verdict of one run', () => {
  test('GitHub Actions', () => {
    const { clash, merge } = commandsOf('.github/workflows');
    expectRed(
      (index) => ({ command: clash.replaceAll('${{ matrix.shard }}', String(index + 1)), variables: {} }),
      merge,
    );
    expect(read('clashes.html')).toContain('<h1>Clashes of plant</h1>');
    shell('rm part-*.json');
  });

  test('GitLab', () => {
    const { clash, merge } = commandsOf('.gitlab-ci.yml');
    expectRed(
      (index) => ({ command: clash, variables: { CI_NODE_INDEX: String(index + 1), CI_NODE_TOTAL: '3' } }),
      merge,
    );
    expect(read('clashes.xml')).toContain('failures="3"');
    shell('rm part-*.json');
  });

  test('Kubernetes', () => {
    const { clash } = commandsOf('kind: Job');
    const merge = blocks('sh').find((code) => code.includes('/reports/'))!;
    const local = (command: string): string => command.replaceAll('/reports', join(folder, 'reports'));
    mkdirSync(join(folder, 'reports'));
    expectRed((index) => ({ command: local(clash), variables: { JOB_COMPLETION_INDEX: String(index) } }), local(merge));
    expect(readFileSync(join(folder, 'reports', 'clashes.xml'), 'utf8')).toBe(read('clashes.xml'));
  });
});
