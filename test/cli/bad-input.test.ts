import { describe, expect, test } from 'vitest';
import { CRATES, makeWorkplace } from './cli.ts';

const { narrowphase, write, read, files } = makeWorkplace();
write('crates.json', CRATES);

/** Runs with a bad command line or input: exit code 2, nothing on stdout, one line on stderr, which is given back. */
async function complaint(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await narrowphase(args);
  expect(code, stderr).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trimEnd();
}

describe('bad usage ends with 2 and one line', () => {
  test.each([
    [[], 'no command, expected run'],
    [['walk'], 'unknown command "walk", expected run'],
    [['--engine', 'cpu'], 'unknown command "--engine", expected run'],
    [['run'], 'run takes one scene file, 0 given'],
    [['run', 'crates.json', 'other.json'], 'run takes one scene file, 2 given'],
    [['run', 'crates.json', '--bogus'], "Unknown option '--bogus'"],
    [['run', 'crates.json', '--engine', 'gpu'], '--engine is "gpu", expected auto, dawn or cpu'],
    [['run', 'crates.json', '--query', 'contact'], '--query is "contact", expected intersects, distances or contacts'],
    [['run', 'crates.json', '--format', 'xml'], '--format is "xml", expected table or json'],
    [['run', 'crates.json', '--margin', 'NaN'], '--margin is "NaN", expected a finite number of at least 0'],
    [['run', 'crates.json', '--margin=-1'], '--margin is "-1", expected a finite number of at least 0'],
    [['run', 'crates.json', '--margin', '1e39'], '--margin is "1e39", expected a finite number of at least 0'],
    [['run', 'crates.json', '--margin', ''], '--margin is "", expected a finite number of at least 0'],
    [['run', 'crates.json', '--limit', '2.5'], '--limit is "2.5", expected a whole number of at least 0'],
    [['run', 'crates.json', '--fail-on-overlap=yes'], "Option '--fail-on-overlap' does not take an argument"],
    [['run', 'crates.json', '--out'], "Option '--out <value>' argument missing"],
    [['run', 'crates.json', '--out', 'no/such/report.json'], /^narrowphase: --out no\/such\/report\.json cannot be written: ENOENT/],
    [['run', 'crates.json', '--out', '.'], '--out . is a folder, expected a file'],
    [['run', 'crates.json', '--out', './crates.json'], '--out ./crates.json would overwrite the scene'],
  ])('%j', async (args, message) => {
    const text = await complaint(...args);
    if (typeof message === 'string') expect(text).toBe(`narrowphase: ${message} (see narrowphase --help)`);
    else expect(text).toMatch(message);
    expect(JSON.parse(read('crates.json'))).toEqual(CRATES);
  });
});

/** Crates with a further body. */
function withBody(fields: object): object {
  return { ...CRATES, bodies: [...CRATES.bodies, { ...CRATES.bodies[0], ...fields }] };
}

/** n bodies in lists, all at the origin. */
function crowd(n: number): object {
  return {
    shapes: Array.from({ length: n }, () => 0),
    positions: Array.from({ length: 3 * n }, () => 0),
    quaternions: Array.from({ length: 4 * n }, () => 1),
  };
}

describe('a bad scene ends with 2 and one line that starts with the file', () => {
  test.each([
    ['a quaternion with text in it', withBody({ quaternion: [0, 0, 'x', 1] }), 'bodies[4].quaternion[2] is "x", expected a finite number'],
    ['JSON cut short', '{"version": 1,\n', 'line 2, column 1: unexpected end of file, expected JSON'],
    ['text that is no JSON', 'shapes: []', 'line 1, column 1: unexpected "shapes: []", expected JSON'],
    ['an unknown field', { ...CRATES, bogus: 1 }, 'the scene has the unknown field "bogus", expected version, name, shapes, bodies, pairs or margin'],
    ['a pair that is not there', { ...CRATES, pairs: [[0, 4]] }, 'pairs[0][1] is 4, expected a body index from 0 to 3'],
    ['a field name with line breaks', { ...CRATES, 'a\nb\u001b[31m\u2028': 1 }, /^bad\.json: the scene has the unknown field "a\\nb\\u001b\[31m\?", expected /],
    ['a value with line breaks', { ...CRATES, pairs: '\n\u009b2J' }, /^bad\.json: pairs is "\\n\?2J", expected /],
    ['a value a megabyte long', { ...CRATES, pairs: 'x'.repeat(1e6) }, /^bad\.json: pairs is "x{57}\.\.\.", expected /],
    ['brackets a million deep', '['.repeat(1e6), 'line 1, column 1000001: unexpected end of file, expected JSON'],
    ['a billion pairs from few bytes', { ...CRATES, bodies: crowd(45_000) }, /^bad\.json: pairs is "all", which makes 1012477500 pairs of 45000 bodies, expected at most 50000000/],
  ])('%s', async (_, scene, message) => {
    write('bad.json', scene);
    write('old-report.json', 'the report of the last run');
    const text = await complaint('run', 'bad.json', '--engine', 'cpu', '--out', 'old-report.json');
    if (typeof message === 'string') expect(text).toBe(`bad.json: ${message}`);
    else expect(text).toMatch(message);
    expect(read('old-report.json')).toBe('the report of the last run');
    expect(files()).toEqual(['bad.json', 'crates.json', 'old-report.json']);
  });

  test('a file that is not there', async () => {
    expect(await complaint('run', 'none.json')).toMatch(/^none\.json: cannot be read: ENOENT/);
  });
});

test('names with control characters reach the terminal as question marks', async () => {
  const hostile = '\u001b]0;title\u0007\u202e\r\n\u009b31m';
  const scene = { ...CRATES, name: hostile, bodies: CRATES.bodies.map((body) => ({ ...body, name: hostile })) };
  write('hostile.json', scene);
  const { code, stdout } = await narrowphase(['run', 'hostile.json', '--engine', 'cpu']);
  expect(code).toBe(0);
  expect(stdout).toContain('?]0;title?');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});

test('--help and --version', async () => {
  const help = await narrowphase(['--help']);
  expect(help.code).toBe(0);
  expect(help.stdout).toContain('narrowphase run SCENE');
  expect(help.stderr).toBe('');
  for (const line of help.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect((await narrowphase(['run', '--help'])).stdout).toBe(help.stdout);
  const version = await narrowphase(['--version']);
  expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) as string, stderr: '' });
});
