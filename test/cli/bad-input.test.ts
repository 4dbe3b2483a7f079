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

const SHARD = 'expected I/N, two whole numbers with 1 <= I <= N <= 1000000';

describe('bad usage ends with 2 and one line', () => {
  test.each([
    [[], 'no command, expected run, clash, merge, inspect, verify, conformance or devices'],
    [['walk'], 'unknown command "walk", expected run, clash, merge, inspect, verify, conformance or devices'],
    [['__proto__'], 'unknown command "__proto__", expected run, clash, merge, inspect, verify, conformance or devices'],
    [
      ['--engine', 'cpu'],
      'unknown command "--engine", expected run, clash, merge, inspect, verify, conformance or devices',
    ],
    [['run'], 'run takes one scene file, 0 given'],
    [['run', 'crates.json', 'other.json'], 'run takes one scene file, 2 given'],
    [['run', 'crates.json', '--bogus'], "Unknown option '--bogus'"],
    [['run', 'crates.json', '--fromat', 'json'], "Unknown option '--fromat'; did you mean '--format'?"],
    [['clash', 'crates.json', '--clearence', '1'], "Unknown option '--clearence'; did you mean '--clearance'?"],
    [['merge', 'a.json', '--uot', 'b.json'], "Unknown option '--uot'; did you mean '--out'?"],
    [['inspect', 'a.json', '--oepn'], "Unknown option '--oepn'; did you mean '--open'?"],
    [['verify', 'crates.json', '--engin', 'cpu'], "Unknown option '--engin'; did you mean '--engine'?"],
    [['conformance', '--engine=cpu', '--paris', '9'], "Unknown option '--paris'; did you mean '--pairs'?"],
    [['devices', '--fromat'], "Unknown option '--fromat'; did you mean '--format'?"],
    [['run', 'crates.json', '--engine', 'gpu'], '--engine is "gpu", expected auto, chrome, firefox, dawn or cpu'],
    [['run', 'crates.json', '--query', 'contact'], '--query is "contact", expected intersects, distances or contacts'],
    [['run', 'crates.json', '--format', 'xml'], '--format is "xml", expected table, json, csv or junit'],
    [['run', 'crates.json', '--timeout', '0'], '--timeout is "0", expected a number of seconds above 0, at most 86400'],
    [['run', 'crates.json', '--shard', '0/3'], `--shard is "0/3", ${SHARD}`],
    [['run', 'crates.json', '--shard', '4/3'], `--shard is "4/3", ${SHARD}`],
    [['run', 'crates.json', '--shard', '1'], `--shard is "1", ${SHARD}`],
    [['run', 'crates.json', '--shard', '1/0'], `--shard is "1/0", ${SHARD}`],
    [['run', 'crates.json', '--shard', '1/2/3'], `--shard is "1/2/3", ${SHARD}`],
    [['run', 'crates.json', '--shard', '1.5/3'], `--shard is "1.5/3", ${SHARD}`],
    [['run', 'crates.json', '--shard=-1/3'], `--shard is "-1/3", ${SHARD}`],
    [['run', 'crates.json', '--shard', '1/1000001'], `--shard is "1/1000001", ${SHARD}`],
    [['run', 'crates.json', '--shard', '1/99999999999999999999'], `--shard is "1/99999999999999999999", ${SHARD}`],
    [['run', 'crates.json', '--margin', 'NaN'], '--margin is "NaN", expected a finite number of at least 0'],
    [['run', 'crates.json', '--margin', '-0.001'], '--margin is "-0.001", expected a finite number of at least 0'],
    [['run', 'crates.json', '--margin', '-.5'], '--margin is "-.5", expected a finite number of at least 0'],
    [
      ['run', 'crates.json', '--margin', '-Infinity'],
      '--margin is "-Infinity", expected a finite number of at least 0',
    ],
    [['run', 'crates.json', '--tolerance', '-1e-3'], '--tolerance is "-1e-3", expected a finite number of at least 0'],
    [
      ['run', 'crates.json', '--tolerance', '1', '--query', 'intersects'],
      '--tolerance is given with --query intersects, expected --query contacts, which measures depths',
    ],
    [
      ['run', 'crates.json', '--timeout', '-5'],
      '--timeout is "-5", expected a number of seconds above 0, at most 86400',
    ],
    [['run', 'crates.json', '--shard', '-1/3'], `--shard is "-1/3", ${SHARD}`],
    [['run', 'crates.json', '--limit', '-1'], '--limit is "-1", expected a whole number of at least 0'],
    [
      ['run', 'crates.json', '--out', '-x'],
      "Option '--out' argument is ambiguous, expected --out=-... for a value that begins with a dash",
    ],
    [['run', 'crates.json', '--', '--margin', '-1'], 'run takes one scene file, 3 given'],
    [['run', 'crates.json', '--margin=-1'], '--margin is "-1", expected a finite number of at least 0'],
    [['run', 'crates.json', '--margin', '1e39'], '--margin is "1e39", expected a finite number of at least 0'],
    [['run', 'crates.json', '--margin', ''], '--margin is "", expected a finite number of at least 0'],
    [['run', 'crates.json', '--limit', '2.5'], '--limit is "2.5", expected a whole number of at least 0'],
    [['run', 'crates.json', '--fail-on-overlap=yes'], "Option '--fail-on-overlap' does not take an argument"],
    [['run', 'crates.json', '--out'], "Option '--out <value>' argument missing"],
    [
      ['run', 'crates.json', '--out', 'no/such/report.json'],
      /^narrowphase: --out no\/such\/report\.json cannot be written: ENOENT/,
    ],
    [['run', 'crates.json', '--out', '.'], '--out . is a folder, expected a file'],
    [['run', 'crates.json', '--out', ''], '--out is "", expected a file'],
    [['run', 'crates.json', '--out', 'new/'], '--out is "new/", expected a file'],
    [
      ['run', 'crates.json', '--out', `${'x'.repeat(300)}.json`],
      /^narrowphase: --out x+\.json cannot be written: ENAMETOOLONG/,
    ],
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

/** The text of CRATES with one piece replaced. */
function crates(piece: string, replacement: string): string {
  const text = JSON.stringify(CRATES);
  expect(text).toContain(piece);
  return text.replace(piece, replacement);
}

const FIRST = '"position":[0,0,0]';

describe('a bad scene ends with 2 and one line that starts with the file', () => {
  test.each([
    [
      'a quaternion with text in it',
      withBody({ quaternion: [0, 0, 'x', 1] }),
      'bodies[4].quaternion[2] is "x", expected a finite number',
    ],
    ['JSON cut short', '{"version": 1,\n', 'line 2, column 1: unexpected end of file, expected JSON'],
    ['text that is no JSON', 'shapes: []', 'line 1, column 1: unexpected "shapes: []", expected JSON'],
    [
      'an unknown field',
      { ...CRATES, bogus: 1 },
      "bogus is unknown, expected 'version', 'name', 'shapes', 'bodies', 'pairs', 'margin' or 'allowed'",
    ],
    ['a pair that is not there', { ...CRATES, pairs: [[0, 4]] }, 'pairs[0][1] is 4, expected a body index from 0 to 3'],
    [
      'a field name with line breaks',
      { ...CRATES, 'a\nb\u001b[31m\u2028': 1 },
      /^bad\.json: \["a\\nb\\u001b\[31m\?"\] is unknown, expected /,
    ],
    [
      'a key given twice',
      crates('"pairs"', '"pairs":"none","pairs"'),
      /^bad\.json: line 1, column \d+: the key "pairs" is given twice in one object, expected once$/,
    ],
    [
      'a key given twice in a body',
      crates(FIRST, `${FIRST},${FIRST}`),
      /^bad\.json: line 1, column \d+: the key "position" is given twice in one object, expected once$/,
    ],
    [
      'brackets nested without end',
      '['.repeat(1e8),
      'line 1, column 1048577: brackets nested more than 1048576 deep, expected at most that',
    ],
    [
      'glTF without a scene',
      { asset: { version: '2.0' }, meshes: [] },
      'the model has no scene, expected at least one',
    ],
    [
      'binary glTF without JSON',
      Buffer.from('676c5446020000000c0000000000ffff', 'hex'),
      'its first chunk is not JSON, expected JSON',
    ],
    [
      'an allowed pair with a misspelt name',
      { ...CRATES, allowed: [['left', 'rihgt']] },
      'allowed[0][1] is "rihgt", expected the name of a body, or a pattern that the name of a body matches',
    ],
    ['a value with line breaks', { ...CRATES, pairs: '\n\u009b2J' }, /^bad\.json: pairs is "\\n\?2J", expected /],
    ['a value a megabyte long', { ...CRATES, pairs: 'x'.repeat(1e6) }, /^bad\.json: pairs is "x{57}\.\.\.", expected /],
    ['brackets a million deep', '['.repeat(1e6), 'line 1, column 1000001: unexpected end of file, expected JSON'],
    [
      'brackets a million deep in a field',
      crates('"all"', `${'['.repeat(1e6)}${']'.repeat(1e6)}`),
      'pairs[0] is an object, expected two body indices',
    ],
    [
      'objects a million deep in a field',
      crates(FIRST, `"position":${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`),
      'bodies[0].position is an object, expected three numbers: x, y, z',
    ],
    [
      'a number beyond f64',
      crates(FIRST, '"position":[0,1e400,0]'),
      'bodies[0].position[1] is Infinity, expected a finite number',
    ],
    [
      'a number beyond f32',
      crates(FIRST, '"position":[0,0,-1e39]'),
      'bodies[0].position[2] is -1e+39, expected a number within the range of f32, at most 3.4028235e38',
    ],
    [
      'a number beyond what positions may be',
      crates(FIRST, '"position":[0,0,1e31]'),
      'bodies[0].position[2] is 1e+31, expected a number of at most 1e+30 either way',
    ],
    [
      'NaN',
      crates(FIRST, '"position":[0,NaN,0]'),
      /^bad\.json: line 1, column \d+: unexpected "NaN,0\],\\"name", expected JSON$/,
    ],
    [
      'NaN as text',
      crates(FIRST, '"position":[0,"NaN",0]'),
      'bodies[0].position[1] is "NaN", expected a finite number',
    ],
    ['infinity as a margin', { ...CRATES, margin: 'Infinity' }, 'margin is "Infinity", expected a finite number'],
    [
      'a margin beyond f64',
      crates('"pairs"', '"margin":1e999,"pairs"'),
      'margin is Infinity, expected a finite number',
    ],
    ['null for a number', withBody({ scale: null }), 'bodies[4].scale is null, expected a finite number'],
    ['true for a number', withBody({ scale: true }), 'bodies[4].scale is true, expected a finite number'],
    ['a negative scale', withBody({ scale: -1 }), 'bodies[4].scale is -1, expected a positive number, at least 1e-45'],
    [
      'a scale that is 0 as f32',
      withBody({ scale: 1e-50 }),
      'bodies[4].scale is 1e-50, expected a positive number, at least 1e-45',
    ],
    ['a fraction for a shape', withBody({ shape: 0.5 }), 'bodies[4].shape is 0.5, expected a shape index from 0 to 2'],
    [
      'a fraction for a body',
      { ...CRATES, pairs: [[0, 1.5]] },
      'pairs[0][1] is 1.5, expected a body index from 0 to 3',
    ],
    ['a negative index', { ...CRATES, pairs: [[-1, 0]] }, 'pairs[0][0] is -1, expected a body index from 0 to 3'],
    [
      'an index beyond 32 bits',
      { ...CRATES, pairs: [[0, 2 ** 32 + 1]] },
      'pairs[0][1] is 4294967297, expected a body index from 0 to 3',
    ],
    ['a body with itself, once as -0', crates('"all"', '[[-0,0]]'), 'pairs[0] is [0,0], expected two different bodies'],
    ['an index as text', { ...CRATES, pairs: [['0', '1']] }, 'pairs[0][0] is "0", expected a body index from 0 to 3'],
    [
      'a prototype for a shape',
      crates('{"id":"ball","type":"sphere","radius":0.5}', '{"__proto__":{"type":"sphere","radius":0.5}}'),
      'shapes[1].type is missing, expected sphere, box, capsule, triangle, hull, cylinder, cone, ellipsoid, halfspace, compound or mesh',
    ],
    [
      'a prototype besides',
      crates('"pairs"', '"__proto__":{"margin":1},"pairs"'),
      /^bad\.json: __proto__ is unknown, expected /,
    ],
    [
      'an id that objects have',
      withBody({ shape: '__proto__' }),
      'bodies[4].shape is "__proto__", expected the index or the id of a shape',
    ],
    [
      'too many shapes',
      { ...CRATES, shapes: Array.from({ length: 65_537 }, () => CRATES.shapes[1]) },
      'shapes has 65537 elements, expected at most 65536',
    ],
    [
      'too many points',
      { ...CRATES, shapes: [{ type: 'hull', points: Array.from({ length: 3_000_003 }, () => 0) }] },
      'shapes[0].points has 3000003 elements, expected at most 3000000',
    ],
    [
      'too many bodies',
      { ...CRATES, bodies: { shapes: Array.from({ length: 1_000_001 }, () => 0), positions: [], quaternions: [] } },
      'bodies.shapes has 1000001 elements, expected at most 1000000',
    ],
    [
      'lists of different lengths',
      { ...CRATES, bodies: { ...crowd(3), positions: [0, 0, 0] } },
      'bodies.positions has 3 elements, expected 9 numbers: x, y, z of each body',
    ],
    [
      'a quaternion of no length',
      withBody({ quaternion: [0, 0, 0, 1e-7] }),
      /^bad\.json: bodies\[4\]\.quaternion is \[0,0,0,1\S+e-7\], expected a quaternion of length 0\.000001 or more/,
    ],
    ['a list for the scene', [CRATES], /^bad\.json: the scene is \[.{1,80}, expected an object$/],
    ['a number for the scene', 7, 'the scene is 7, expected an object'],
    ['an empty file', '', 'line 1, column 1: unexpected end of file, expected JSON'],
    ['two scenes', `${JSON.stringify(CRATES)}{}`, /^bad\.json: line 1, column \d+: unexpected "\{\}", expected JSON$/],
    [
      'UTF-16',
      Buffer.from(JSON.stringify(CRATES), 'utf16le'),
      'line 1, column 2: unexpected "\\u0000\\"\\u0000v\\u0000e\\u0000r\\u0000s\\u0000i", expected JSON',
    ],
    ['bytes that are no UTF-8', Buffer.from('7b22ff227d', 'hex'), 'not UTF-8, expected JSON'],
    [
      'a billion pairs from few bytes',
      { ...CRATES, bodies: crowd(45_000) },
      /^bad\.json: pairs is "all", which makes 1012477500 pairs of 45000 bodies, expected at most 50000000/,
    ],
  ])('%s', async (_, scene, message) => {
    write('bad.json', scene);
    write('old-report.json', 'the report of the last run');
    const text = await complaint('run', 'bad.json', '--engine', 'cpu', '--out', 'old-report.json');
    if (typeof message === 'string') expect(text).toBe(`bad.json: ${message}`);
    else expect(text).toMatch(message);
    expect(read('old-report.json')).toBe('the report of the last run');
    expect(files()).toEqual(['bad.json', 'crates.json', 'old-report.json']);
  });

  test('a file without an end', async () => {
    expect(await complaint('run', '/dev/zero')).toBe(
      '/dev/zero: the file has more than 268435456 bytes, expected at most that',
    );
  });

  test('a folder', async () => {
    expect(await complaint('run', '.')).toMatch(/^\.: cannot be read: EISDIR/);
  });

  test('a file that is not there', async () => {
    expect(await complaint('run', 'none.json')).toMatch(/^none\.json: cannot be read: ENOENT/);
  });
});

describe('what looks odd and is right', () => {
  test.each([
    ['a byte order mark', `\ufeff${JSON.stringify(CRATES)}`],
    ['-0 for an index', crates('"all"', '[[-0,1]]')],
    ['whole numbers with a point or an exponent', crates('"all"', '[[0.0,1e0]]')],
    [
      'ids and names that objects have',
      crates('"id":"crate"', '"id":"__proto__"')
        .replaceAll('"shape":"crate"', '"shape":"__proto__"')
        .replace('"left"', '"constructor"'),
    ],
    ['a deep dive of numbers towards 0', crates(FIRST, '"position":[1e-400,-0,1e-320]')],
  ])('%s', async (_, scene) => {
    write('odd.json', scene);
    const { code, stdout, stderr } = await narrowphase(['run', 'odd.json', '--engine', 'cpu', '--format', 'json']);
    expect(code, stderr).toBe(0);
    expect((JSON.parse(stdout) as { contacts: object[] }).contacts).toMatchObject([
      { pair: 0, a: 0, b: 1, status: 'overlapping' },
    ]);
  });
});

describe('what can not be done ends with 3, and the report of the last run stays', () => {
  test('an engine that is not there', async () => {
    write('old-report.json', 'the report of the last run');
    const env = { VK_DRIVER_FILES: 'none.json', VK_ICD_FILENAMES: 'none.json' };
    const { code, stderr } = await narrowphase(['run', 'crates.json', '--engine', 'dawn', '--out', 'old-report.json'], {
      env,
    });
    expect(code, stderr).toBe(3);
    expect(read('old-report.json')).toBe('the report of the last run');
  });

  test('a device that is full', async () => {
    const { code, stdout, stderr } = await narrowphase(['run', 'crates.json', '--engine', 'cpu', '--out', '/dev/full']);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^narrowphase: --out \/dev\/full was not written: ENOSPC/m);
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
