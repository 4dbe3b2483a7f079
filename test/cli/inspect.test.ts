/** `narrowphase inspect` in a terminal. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeWorkplace, PROGRAM } from './cli.ts';

const { narrowphase, write } = makeWorkplace();

const capture = readFileSync(new URL('../../verification/captures/fcl-388.json', import.meta.url), 'utf8');

test('a capture is printed step by step, with both answers', async () => {
  const { code, stdout, stderr } = await narrowphase(['inspect', write('pair.json', capture)]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Capture pair\.json\nquery +contacts, algorithm gjk, 3-D$/m);
  expect(stdout).toMatch(/^gjk-end\n +# +outcome/m);
  expect(stdout).toMatch(/^distance +\d\S+ +\d\S+ +-?\d\S+$/m);
  const tables = stdout.split('\n\n').filter((part) => part.startsWith('gjk\n'));
  expect(
    new Set(
      tables[0]
        .split('\n')
        .slice(1)
        .map(({ length }) => length),
    ).size,
  ).toBe(1);
});

test('as JSON it has the capture, the steps and the reference’s answer', async () => {
  const { code, stdout } = await narrowphase(['inspect', '-', '--format', 'json'], { input: capture });
  expect(code).toBe(0);
  const report = JSON.parse(stdout) as {
    capture: unknown;
    steps: { type: string; result?: unknown }[];
    reference: unknown[];
  };
  expect(report.capture).toEqual(JSON.parse(capture));
  expect(report.steps.at(-1)).toEqual({ type: 'result', query: 'contacts', result: report.reference[0] });
});

test('a capture in 2-D has steps, and is compared with the reference', async () => {
  const circle = { type: 'circle', radius: 1 };
  const planar = {
    ...(JSON.parse(capture) as object),
    dimension: 2,
    query: 'intersects',
    algorithm: 'auto',
    shapes: [circle, circle],
    poses: [
      { position: [0, 0], angle: 0 },
      { position: [1, 0], angle: 0 },
    ],
    options: {},
    result: { pair: 0, status: 0, hit: false },
  };
  const { code, stdout } = await narrowphase(['inspect', write('planar.json', planar)]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^closed-form$/m);
  expect(stdout).toMatch(/^ +2 +1 +0 +-?1 /m);
  expect(stdout).toMatch(/^result +captured \(\w+\) +reference \(f64\)/m);
  expect(stdout).toMatch(/^status +0 +1 +-1\.00e\+0$/m);
  expect(stdout).toMatch(/^hit +false +true$/m);
});

test('--open serves the page with the capture until a signal comes', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'inspect', '-', '--open'], {
    env: { ...process.env, BROWSER: 'true' },
  });
  try {
    child.stdin.end(capture);
    const address = await new Promise<string>((done, fail) => {
      child.on('error', fail).on('close', (code) => fail(new Error(`ended with ${code}`)));
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const found = /http:\S+/.exec(text);
        if (found) done(found[0]);
      });
    });
    const page = await fetch(address);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('<title>Inspector · narrowphase</title>');
    expect(await (await fetch(new URL('../', address))).text()).toContain(`url=${new URL(address).pathname}?from`);
    const script = /src="([^"]+\.js)"/.exec(html)![1];
    const code = await (await fetch(new URL(script, address))).text();
    for (const [, entry] of code.matchAll(/from"(\/\w+\.js)"/g))
      expect((await fetch(new URL(entry, address))).status).toBe(200);
    expect(code).toMatch(/from"\/cpu\.js"/);
    expect(await (await fetch(new URL('/capture.json', address))).json()).toEqual(JSON.parse(capture));
  } finally {
    const ended = new Promise((done) => child.on('close', done));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  }
});

test.each([
  [['inspect'], 'inspect takes one capture, 0 given'],
  [['inspect', 'missing.json'], 'missing.json: ENOENT'],
  [['inspect', write('text.json', 'no JSON')], 'text.json: line 1, column 1: unexpected "no JSON"'],
  [['inspect', write('scene.json', '{ "version": 1, "bodies": [] }')], 'scene.json: bodies is unknown, expected'],
  [
    ['inspect', write('other.json', capture.replace('"version": 1', '"version": 7'))],
    'other.json: version is 7, expected 1',
  ],
  [['inspect', 'pair.json', '--format', 'csv'], '--format is "csv", expected text or json'],
  [['inspect', 'pair.json', '--open', '--format', 'json'], '--format and --open are both given, expected one of them'],
])('%j is refused in one line', async (args, message) => {
  const { code, stdout, stderr } = await narrowphase(args);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
