/** `narrowphase devices` in a terminal. */

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adapterText } from '../../cli/terminal-text.ts';
import { atNight } from '../helpers/night.ts';
import { makeWorkplace } from './cli.ts';
import type { Ended } from './cli.ts';

const { narrowphase, write } = makeWorkplace();

interface Device {
  name: string;
  detail: string;
  isAvailable: boolean;
  reason?: string;
  facts?: {
    name: string;
    backend: string;
    runtime: string;
    adapter: { vendor: string; architecture: string; description: string; isSoftware: boolean };
  };
  adapter?: { features: string[]; limits: Record<string, number> } | null;
}

interface Report {
  version: number;
  command: string;
  engines: Device[];
  auto: { name: string; adapter: object; fallback: string | null };
}

describe('the engines of this machine', () => {
  /** Browsers are started once, for the first report. */
  const env = atNight<Record<string, string>>({ CHROME_PATH: '/nowhere/chrome', FIREFOX_PATH: '/nowhere/firefox' }, {});
  let ended: Ended;
  let table: Ended;
  let report: Report;
  /** What the table shows. */
  let shown: Report;
  beforeAll(async () => {
    ended = await narrowphase(['devices', '--format', 'json']);
    report = JSON.parse(ended.stdout) as Report;
    shown = JSON.parse((await narrowphase(['devices', '--format', 'json'], { env })).stdout) as Report;
    table = await narrowphase(['devices'], { env });
  });

  test('end it with 0', () => {
    expect(ended.code, ended.stderr).toBe(0);
    expect(table.code, table.stderr).toBe(0);
    expect(report).toMatchObject({ version: 1, command: 'devices' });
  });

  test('are Dawn on each driver, both browsers on hardware and on software, the CPU', () => {
    expect([...new Set(report.engines.map(({ name }) => name))]).toEqual(['dawn', 'chrome', 'firefox', 'cpu']);
    const browsers = report.engines
      .filter(({ name }) => name === 'chrome' || name === 'firefox')
      .map(({ name, detail }) => `${name} ${detail}`);
    expect(browsers).toEqual(['chrome hardware', 'chrome software', 'firefox hardware', 'firefox software']);
  });

  test('each has its facts, or one line that says why it is not there', () => {
    for (const { name, isAvailable, facts, adapter, reason } of report.engines) {
      if (!isAvailable) {
        expect(reason, name).toMatch(/^[^\n]+$/);
        continue;
      }
      expect(facts!.name).toBe(name);
      expect(facts!.runtime).not.toBe('');
      expect(typeof facts!.adapter.isSoftware).toBe('boolean');
      if (name === 'cpu') {
        expect(adapter).toBeNull();
        continue;
      }
      expect(adapter!.limits.maxBufferSize).toBeGreaterThan(0);
      expect(adapter!.limits.maxStorageBuffersPerShaderStage).toBeGreaterThanOrEqual(8);
      expect(Array.isArray(adapter!.features)).toBe(true);
    }
  });

  test('are in the table, each with its adapter, or with the reason why it is not there', () => {
    for (const { name, isAvailable, facts } of shown.engines) {
      if (isAvailable) expect(table.stdout).toContain(`runs on   ${facts!.runtime}`);
      else expect(table.stdout).toMatch(new RegExp(`^${name}.*: not available: .+$`, 'm'));
    }
    const nameless = { vendor: '', architecture: '', description: '', isSoftware: false };
    expect(adapterText({ name: 'firefox', backend: 'webgpu', adapter: nameless })).toBe(
      'not told by the browser (hardware or software: not told by the browser)',
    );
  });

  test('one of which is what auto takes', () => {
    const taken = report.engines.filter(
      ({ name, facts }) =>
        name === report.auto.name && JSON.stringify(facts?.adapter) === JSON.stringify(report.auto.adapter),
    );
    expect(taken).toHaveLength(1);
    expect(table.stdout).toContain(`--engine auto takes ${report.auto.name} on `);
    expect(table.stdout.match(/ \(auto\)$/gm)).toHaveLength(1);
  });

  test('fit 100 columns', () => {
    for (const line of table.stdout.split('\n'))
      if (!line.includes('not available') && !line.startsWith('--engine auto'))
        expect(line.length).toBeLessThanOrEqual(100);
  });
});

describe('a machine on which nothing runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'narrowphase-hanging-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('still has the CPU, also where browsers hang', async () => {
    const browser = join(folder, 'hanging-browser');
    writeFileSync(browser, '#!/bin/sh\nexec sleep 600\n');
    chmodSync(browser, 0o755);
    const env = {
      VK_DRIVER_FILES: 'none.json',
      VK_ICD_FILENAMES: 'none.json',
      CHROME_PATH: browser,
      FIREFOX_PATH: browser,
    };
    const { code, stdout, stderr } = await narrowphase(['devices', '--format', 'json', '--timeout', '1'], { env });
    expect(code, stderr).toBe(0);
    const { engines, auto } = JSON.parse(stdout) as Report;
    expect(engines.filter(({ isAvailable }) => isAvailable).map(({ name }) => name)).toEqual(['cpu']);
    for (const { isAvailable, reason } of engines) if (!isAvailable) expect(reason).toMatch(/^[^\n]+$/);
    expect(auto).toMatchObject({ name: 'cpu', fallback: expect.stringMatching(/./) as string });
  });
});

test.each([
  [['devices', 'file.json'], 'devices takes no file, 1 given'],
  [['devices', '--format', 'csv'], '--format is "csv", expected table or json'],
  [['devices', '--timeout', 'never'], '--timeout is "never", expected a number of seconds above 0, at most 86400'],
])('%j is bad usage', async (args, message) => {
  write('file.json', {});
  expect(await narrowphase(args)).toEqual({
    code: 2,
    stdout: '',
    stderr: `narrowphase: ${message} (see narrowphase --help)\n`,
  });
});
