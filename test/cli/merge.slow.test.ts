import { appendFileSync, linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkUnchanged, readContacts, readShard } from '../../cli/report/read.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { CRATES, makeWorkplace } from './cli.ts';

const { folder, narrowphase, write, read, files } = makeWorkplace();

const random = createRandom(21);
/** 40 bodies of every shape in a heap, all of their 780 pairs; most of them are apart. */
const HEAP = {
  version: 1,
  shapes: [
    ...CRATES.shapes,
    { id: 'pill', type: 'capsule', halfHeight: 0.4, radius: 0.2 },
    { id: 'pane', type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0] },
  ],
  bodies: Array.from({ length: 40 }, (_, i) => ({
    shape: i % 5,
    position: unitVector(random, [0, 0, 0]).map((x) => x * uniform(random, 0, 2.5)),
    quaternion: unitVector(random, [0, 0, 0, 0]),
    ...(i % 3 === 0 ? { name: `body "${i}", \u00e4\u{1f9f1}\n` } : {}),
  })),
  pairs: 'all',
  margin: 0.25,
};

/** Runs and gives what is printed. */
async function output(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await narrowphase(args);
  expect(code, stderr).toBe(0);
  return stdout;
}

const ON_CPU = ['run', 'heap.json', '--engine', 'cpu', '--format', 'json'];

/** Writes the reports of all shards; gives their names. */
async function shards(count: number, ...args: string[]): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => `shard-${i + 1}-of-${count}.json`);
  for (let i = 0; i < count; i++) write(names[i], await output(...ON_CPU, '--shard', `${i + 1}/${count}`, ...args));
  return names;
}

beforeAll(async () => {
  write('heap.json', HEAP);
  write('whole.json', await output(...ON_CPU));
  await shards(3);
});

const THREE = ['shard-1-of-3.json', 'shard-2-of-3.json', 'shard-3-of-3.json'];

describe('the merged report is that of one run, byte for byte', () => {
  test('the heap has hits of both kinds', () => {
    const { hits, statusCounts } = JSON.parse(read('whole.json')) as {
      hits: number;
      statusCounts: Record<string, number>;
    };
    expect(statusCounts.overlapping).toBeGreaterThan(50);
    expect(hits).toBeGreaterThan(statusCounts.overlapping + 20);
    expect(statusCounts.separated).toBeGreaterThan(hits);
  });

  test.each([1, 2, 4, 7])('from %i shards, in whatever order', async (count) => {
    const names = await shards(count);
    expect((await output('merge', ...names.reverse(), '--format', 'json')) === read('whole.json')).toBe(true);
  });

  test.each(['intersects', 'distances'])('%s', async (query) => {
    const names = await shards(4, '--query', query);
    const whole = await output(...ON_CPU, '--query', query);
    expect((await output('merge', ...names, '--format', 'json')) === whole).toBe(true);
  });

  test.each(['csv', 'junit'])('as %s', async (format) => {
    const whole = await output('run', 'heap.json', '--engine', 'cpu', '--format', format);
    expect((await output('merge', ...THREE, '--format', format)) === whole).toBe(true);
  });

  test('from more shards than there are pairs', async () => {
    write('crates.json', CRATES);
    const names = [];
    for (let i = 1; i <= 9; i++) {
      await output('run', 'crates.json', '--engine', 'cpu', '--shard', `${i}/9`, '--out', `crates-${i}.json`);
      names.push(`crates-${i}.json`);
    }
    expect(await output('merge', ...names, '--format', 'json')).toBe(
      await output('run', 'crates.json', '--engine', 'cpu', '--format', 'json'),
    );
  });

  test('of a scene without pairs', async () => {
    write('empty.json', { version: 1, shapes: [], bodies: [], pairs: [] });
    for (const i of [1, 2])
      await output('run', 'empty.json', '--engine', 'cpu', '--shard', `${i}/2`, '--out', `empty-${i}.json`);
    expect(await output('merge', 'empty-1.json', 'empty-2.json', '--format', 'json')).toBe(
      await output('run', 'empty.json', '--engine', 'cpu', '--format', 'json'),
    );
  });

  test.each(['intersects', 'distances', 'contacts'])('of bodies of odd sizes, places and names: %s', async (query) => {
    const sizes = [0, 1e-6, 0.1, 1e5];
    const places = [0, -0, 1e-300, 1e-60, -1e-45, 1e-20, 1, 1e6];
    const names = ['\u0000', '],"contacts":[', '\ud800', '\u2028', '__proto__', 'x'.repeat(256), '\ufeff'];
    write('odd.json', {
      version: 1,
      name: '\ufffe\n  "contacts": [\n',
      shapes: [
        ...sizes.map((radius) => ({ type: 'sphere', radius })),
        ...sizes.map((x) => ({ type: 'box', halfExtents: [x, 1, 0] })),
      ],
      bodies: places.flatMap((x, i) =>
        sizes.map((_, k) => ({ shape: k + (i % 2) * sizes.length, position: [x, 0, 0], name: names[(i + k) % 7] })),
      ),
      pairs: 'all',
    });
    const args = ['run', 'odd.json', '--engine', 'cpu', '--query', query, '--margin', '1e-40', '--format', 'json'];
    for (const i of [1, 2]) write(`odd-${i}.json`, await output(...args, '--shard', `${i}/2`));
    const whole = await output(...args);
    expect((JSON.parse(whole) as { hits: number }).hits).toBeGreaterThan(100);
    expect((await output('merge', 'odd-1.json', 'odd-2.json', '--format', 'json')) === whole).toBe(true);
  });

  test('with the checks of the shards added up', async () => {
    for (const i of [1, 2])
      write(`checked-${i}.json`, (await narrowphase([...ON_CPU, '--fail-on-overlap', '--shard', `${i}/2`])).stdout);
    const whole = await narrowphase([...ON_CPU, '--fail-on-overlap']);
    const merged = await narrowphase(['merge', 'checked-1.json', 'checked-2.json', '--format', 'json']);
    expect([whole.code, merged.code]).toEqual([1, 1]);
    expect(merged.stdout === whole.stdout).toBe(true);
    expect(merged.stderr).toMatch(/^narrowphase: check failed: \d+ pairs overlapping\n$/);
    const checkedNow = await narrowphase(['merge', ...THREE, '--format', 'json', '--fail-on-overlap']);
    expect(checkedNow.code).toBe(1);
    expect(checkedNow.stdout === whole.stdout).toBe(true);
  });
});

/** JSON with all but ASCII escaped. */
function ascii(text: string): string {
  return text.replace(/[^ -~]/g, (unit) =>
    unit === '\n' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

describe('reports that another program formatted anew are merged to the same bytes', () => {
  /** The fields of every object in another order. */
  const reordered = (value: unknown, order: (keys: string[]) => string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => reordered(item, order));
    if (typeof value !== 'object' || value === null) return value;
    const fields = value as Record<string, unknown>;
    return Object.fromEntries(order(Object.keys(fields)).map((key) => [key, reordered(fields[key], order)]));
  };

  test.each<[string, (report: unknown, text: string) => string | Buffer]>([
    ['on one line', (report) => JSON.stringify(report)],
    [
      'indented by tabs, with carriage returns',
      (report) => JSON.stringify(report, null, '\t').replaceAll('\n', '\r\n'),
    ],
    [
      'a space around each token',
      (report) => JSON.stringify(report, null, 1).replace(/\n\s*/g, ' ').replace(/":/g, '" :'),
    ],
    [
      'keys in the order of the alphabet',
      (report) =>
        JSON.stringify(
          reordered(report, (keys) => [...keys].sort()),
          null,
          4,
        ),
    ],
    [
      'keys backwards, the contacts first',
      (report) => JSON.stringify(reordered(report, (keys) => [...keys].reverse())),
    ],
    ['in ASCII, with a byte order mark', (report) => `\ufeff${ascii(JSON.stringify(report, null, 2))}\n\n`],
    [
      'numbers with exponents',
      (_, text) => text.replace(/(?<=[[,:])-?\d+\.\d+(?=[,\]])/g, (number) => Number(number).toExponential()),
    ],
  ])('%s', async (_, format) => {
    const names = THREE.map((name, i) => write(`anew-${i}.json`, format(JSON.parse(read(name)), read(name))));
    expect(read(names[0])).not.toBe(read(THREE[0]));
    for (const form of ['json', 'csv', 'junit']) {
      const merged = await output('merge', ...names, '--format', form);
      expect(
        merged === (form === 'json' ? read('whole.json') : await output('merge', ...THREE, '--format', form)),
      ).toBe(true);
    }
  });
});

test('the table is that of one run but for the times', async () => {
  const whole = await output('run', 'heap.json', '--engine', 'cpu', '--limit', '7');
  const untimed = whole.replace(/\nload [^]*?\ntotal .*\n/, '');
  expect(untimed.length).toBeLessThan(whole.length);
  expect(await output('merge', ...THREE, '--limit', '7')).toBe(untimed);
});

test('engines come in the order of the shards, each once', async () => {
  write('by-dawn.json', await output('run', 'heap.json', '--engine', 'dawn', '--format', 'json', '--shard', '2/3'));
  const names = ['shard-3-of-3.json', 'by-dawn.json', 'shard-1-of-3.json'];
  const { engines } = JSON.parse(await output('merge', ...names, '--format', 'json')) as {
    engines: { name: string }[];
  };
  expect(engines.map(({ name }) => name)).toEqual(['cpu', 'dawn']);
  expect(await output('merge', ...names)).toMatch(/^engine +cpu on [^]*^engine +dawn on /m);
});

test('--out writes the report in the form that --format or the ending names, and prints the table', async () => {
  for (const [out, format, expected] of [
    ['merged.json', 'table', 'json'],
    ['merged.csv', 'table', 'csv'],
    ['merged.xml', 'table', 'junit'],
    ['merged.txt', 'csv', 'csv'],
  ]) {
    expect(await output('merge', ...THREE, '--out', out, '--format', format)).toMatch(/^Deepest contacts \(10 of/m);
    expect(read(out)).toBe(await output('merge', ...THREE, '--format', expected));
  }
});

/** Merges what can't be merged: exit code 2, one line on stderr, which is given back, and no file is touched. */
async function complaint(...args: string[]): Promise<string> {
  write('old.json', 'the report of last week');
  const before = files();
  const { code, stdout, stderr } = await narrowphase(['merge', ...args, '--out', 'old.json']);
  expect(code, stderr).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(read('old.json')).toBe('the report of last week');
  expect(files()).toEqual(before);
  const printed = await narrowphase(['merge', ...args, '--format', 'json']);
  expect(printed).toEqual({ code: 2, stdout: '', stderr });
  return stderr.trimEnd();
}

/** What is said of the second of three shards after `change`. */
async function complaintOf(change: (text: string) => string | Buffer): Promise<string> {
  const text = read(THREE[1]);
  const changed = change(text);
  expect(changed).not.toBe(text);
  write('bad.json', changed);
  return complaint(THREE[0], 'bad.json', THREE[2]);
}

describe('shards that do not make a whole', () => {
  test('no report', async () => {
    expect(await complaint()).toBe(
      "narrowphase: merge takes the JSON reports of all of a scene's shards, 0 given (see narrowphase --help)",
    );
  });

  test('a report of all pairs', async () => {
    expect(await complaint('whole.json')).toBe(
      "whole.json: shard is null, expected a shard: this is the report of all the scene's pairs",
    );
  });

  test('a missing shard', async () => {
    expect(await complaint(THREE[0], THREE[2])).toBe(
      'narrowphase: shard 2 of 3 is missing, expected the reports of all 3 (see narrowphase --help)',
    );
  });

  test('a shard given twice, by one name or by two', async () => {
    expect(await complaint(...THREE, THREE[0])).toBe(`${THREE[0]} is given twice`);
    linkSync(join(folder, THREE[1]), join(folder, 'link.json'));
    expect(await complaint(...THREE, 'link.json')).toBe(
      `link.json: shard.index is 2, expected another one than ${THREE[1]} has`,
    );
  });

  test.each([
    ['another number of shards', ['--shard', '2/4'], 'shard.count is 4, expected 3'],
    ['another query', ['--shard', '2/3', '--query', 'distances'], 'query.name is "distances", expected "contacts"'],
    ['another margin', ['--shard', '2/3', '--margin', '0.5'], 'query.margin is 0.5, expected 0.25'],
  ])('%s', async (_, args, message) => {
    write('other.json', await output(...ON_CPU, ...args));
    expect(await complaint(THREE[0], 'other.json', THREE[2])).toBe(`other.json: ${message} as in ${THREE[0]}`);
  });

  test('another scene', async () => {
    write('heap2.json', { ...HEAP, margin: 0.250_000_1 });
    await output('run', 'heap2.json', '--engine', 'cpu', '--shard', '2/3', '--out', 'other.json', '--limit', '0');
    expect(await complaint(THREE[0], 'other.json', THREE[2])).toMatch(
      /^other\.json: scene\.sha256 is "[0-9a-f]{57}\.\.\.", expected "[0-9a-f]{64}" as in shard-1-of-3\.json$/,
    );
  });

  test.each([
    [
      'generator',
      /"narrowphase [^"]+"/,
      '"narrowphase 99.0.0"',
      /^bad\.json: generator is "narrowphase 99\.0\.0", expected "narrowphase \S+" as in shard-1-of-3\.json$/,
    ],
    ['bodies', '"bodies": 40', '"bodies": 41', 'bad.json: scene.bodies is 41, expected 40 as in shard-1-of-3.json'],
    [
      'where pairs are from',
      '"pairs": "all"',
      '"pairs": "listed"',
      'bad.json: scene.pairs is "listed", expected "all" as in shard-1-of-3.json',
    ],
  ])('another %s', async (_, piece, replacement, message) => {
    expect(await complaintOf((text) => text.replace(piece, replacement))).toMatch(message);
  });
});

describe('facts that are wrong', () => {
  const wrongField =
    "expected 'version', 'generator', 'scene', 'query', 'engines', 'candidatePairs', 'shard', 'hits', 'statusCounts', 'allowed' or 'check'";
  test.each([
    ['version', '"version": 1', '"version": 2', 'version is 2, expected 1'],
    ['no version', '"version": 1,', '', 'version is missing, expected 1'],
    ['a further field', '"version": 1', '"version": 1, "timings": {}', `timings is unknown, ${wrongField}`],
    ['a prototype', '"version": 1', '"version": 1, "__proto__": {"hits": 3}', `__proto__ is unknown, ${wrongField}`],
    [
      'a type that is none',
      '"box":',
      '"__proto__":',
      "scene.bodiesByType.__proto__ is unknown, expected 'sphere', 'box', 'capsule', 'triangle', 'hull', 'cylinder', " +
        "'cone', 'ellipsoid', 'halfspace', 'compound' or 'mesh'",
    ],
    ['sha256', /"sha256": "./, '"sha256": "X', /^scene\.sha256 is "X.*, expected 64 hexadecimal digits$/],
    [
      'a fraction of bodies',
      '"bodies": 40',
      '"bodies": 39.5',
      'scene.bodies is 39.5, expected an integer from 0 to 1000000',
    ],
    [
      'bodies beyond all numbers',
      '"bodies": 40',
      '"bodies": 1e400',
      'scene.bodies is Infinity, expected an integer from 0 to 1000000',
    ],
    [
      'query',
      '"name": "contacts"',
      '"name": "manifolds"',
      'query.name is "manifolds", expected intersects, distances or contacts',
    ],
    ['margin', '"margin": 0.25', '"margin": "0.25"', 'query.margin is "0.25", expected a finite number'],
    [
      'margin beyond all numbers',
      '"margin": 0.25',
      '"margin": 1e400',
      'query.margin is Infinity, expected a finite number',
    ],
    ['engine', '"name": "cpu"', '"name": "auto"', 'engines[0].name is "auto", expected chrome, firefox, dawn or cpu'],
    ['adapter', '"isSoftware": true', '"isSoftware": 1', 'engines[0].adapter.isSoftware is 1, expected true or false'],
    [
      'candidate pairs',
      '"candidatePairs": 780',
      '"candidatePairs": 781',
      'candidatePairs is 781, expected 780 as in shard-1-of-3.json',
    ],
    [
      'far more candidate pairs',
      '"candidatePairs": 780',
      '"candidatePairs": 900',
      'shard.firstPair is 260, expected 300 in shard 2 of 3 of 900 pairs',
    ],
    ['no engine', /"engines": \[[^]*?\n  \]/, '"engines": []', 'engines is [], expected a list of one engine'],
    [
      'too many candidate pairs',
      '"candidatePairs": 780',
      '"candidatePairs": 50000001',
      'candidatePairs is 50000001, expected an integer from 0 to 50000000',
    ],
    ['shard', '"shard": {', '"shard": [], "x": {', `x is unknown, ${wrongField}`],
    ['index', '"index": 2', '"index": 0', 'shard.index is 0, expected an integer from 1 to 3'],
    [
      'first pair',
      '"firstPair": 260',
      '"firstPair": 261',
      'shard.firstPair is 261, expected 260 in shard 2 of 3 of 780 pairs',
    ],
    ['hits', /"hits": \d+/, '"hits": 261', 'hits is 261, expected an integer from 0 to 260'],
    [
      'status counts',
      /"separated": (\d+)/,
      '"separated": 0',
      /^statusCounts is \{.*, expected counts that add up to 260, the pairs of the shard$/,
    ],
    ['a status that is none', '"capacityExceeded"', '"lost"', /^statusCounts\.lost is unknown, expected 'separated', /],
    [
      'check',
      '"check": null',
      '"check": { "passed": true, "overlapping": 0, "unanswered": 0 }',
      /^check is \{"passed":true.*, as statusCounts says$/,
    ],
    ['a thing that is missing', '"check": null', '"check": {}', /^check is \{\}, expected /],
  ])('%s', async (_, piece, replacement, message) => {
    const text = await complaintOf((report) => report.replace(piece, replacement));
    expect(text.startsWith('bad.json: ')).toBe(true);
    if (typeof message === 'string') expect(text.slice(10)).toContain(message);
    else expect(text.slice(10)).toMatch(message);
  });
});

describe('files that are no reports', () => {
  const report = 'expected a JSON report of narrowphase run';
  test.each([
    ['an empty file', '', `the file is empty, ${report}`],
    ['nothing but space', ' \n', `the file is empty, ${report}`],
    [
      'a scene',
      JSON.stringify(HEAP),
      "shapes is unknown, expected 'version', 'generator', 'scene', 'query', 'engines', 'candidatePairs', 'shard', " +
        "'hits', 'statusCounts', 'allowed' or 'check'",
    ],
    ['a table', 'crates\n======\n', `the file has "crates\\n======\\n" before the report, ${report}`],
    ['a list', '[{}]', `the file has "[{}]" before the report, ${report}`],
    ['a report without contacts', '{"version":1}', 'generator is missing, expected a string'],
    ['a report without an end', '{"version":1,', `the file ends within a field, ${report}`],
    ['no JSON', '{"version":1,\n"generator":x}', 'line 2, column 13: unexpected "x}", expected JSON'],
    [
      'an empty field',
      '{"version":1,,"generator":""}',
      'line 1, column 14: unexpected ",\\"generator\\"", expected JSON',
    ],
    [
      'contacts twice',
      '{"contacts":[{}],"contacts":[{}]}',
      'line 1, column 16: the key "contacts" is given twice in one object, expected once',
    ],
    [
      'brackets half a million deep',
      `{ "x": ${'['.repeat(5e5)}${']'.repeat(5e5)}, "contacts": []}`,
      /^x is unknown, expected /,
    ],
    ['brackets a million deep', `{\n${'['.repeat(1e6)}\n`, `the file ends within a field, ${report}`],
    ['a line of ten megabytes', `{\n${'x'.repeat(1e7)}\n`, `a field has more than 1048576 characters, ${report}`],
    [
      'ten megabytes of facts',
      `{${'"version":1,\n'.repeat(1e6)}`,
      `the file has more than 1048576 characters besides its contacts, ${report}`,
    ],
    ['bytes that are no UTF-8', Buffer.from('7b22ff227d0a', 'hex'), 'not UTF-8, expected JSON'],
  ])('%s', async (_, content, message) => {
    const text = await complaintOf(() => content);
    if (typeof message === 'string') expect(text).toBe(`bad.json: ${message}`);
    else expect(text.slice(10)).toMatch(message);
  });

  test('a folder, a device, a file that is not there', async () => {
    expect(await complaint('.')).toBe('.: no regular file, expected one: reports are read more than once');
    expect(await complaint('/dev/zero')).toBe(
      '/dev/zero: no regular file, expected one: reports are read more than once',
    );
    expect(await complaint('none.json')).toMatch(/^none\.json: cannot be read: ENOENT/);
  });
});

type Change = (text: string) => string;

/** Changes the text from the contacts on. */
function contacts(change: Change): Change {
  return (text) => {
    const at = text.indexOf('\n  "contacts": [\n') + 17;
    return text.slice(0, at) + change(text.slice(at));
  };
}

/** Changes one line of the contacts. */
function line(index: number, change: Change): Change {
  return contacts((text) =>
    text
      .split('\n')
      .map((each, i) => (i === index ? change(each) : each))
      .join('\n'),
  );
}

/** The hits of the second of three shards. */
function hitsOfSecond(): number {
  return (JSON.parse(read(THREE[1])) as { hits: number }).hits;
}

describe('contacts that are wrong', () => {
  test.each([0.999, 0.99, 0.9, 0.6, 0.3])('cut short at %d of the file', async (share) => {
    expect(await complaintOf((text) => text.slice(0, Math.floor(share * text.length)))).toMatch(
      /^bad\.json: (the file ends |contacts\[\d+\] is |line \d after the contacts is )/,
    );
  });

  test('cut short at the end of a line', async () => {
    const report = 'expected a JSON report of narrowphase run';
    expect(await complaintOf((text) => text.slice(0, text.lastIndexOf('\n    {') + 1))).toBe(
      `bad.json: the file ends within contacts[${hitsOfSecond() - 1}], ${report}`,
    );
    expect(await complaintOf((text) => text.slice(0, text.lastIndexOf('}')))).toBe(
      `bad.json: the file ends within a field, ${report}`,
    );
  });

  test('a line that is missing, a line too many', async () => {
    expect(await complaintOf(contacts((text) => text.replace(/^.*\n/, '')))).toBe(
      `bad.json: contacts has ${hitsOfSecond() - 1} elements, expected ${hitsOfSecond()} as hits says`,
    );
    expect(await complaintOf(contacts((text) => text.replace(/^(.*\n)/, '$1$1')))).toMatch(
      /^bad\.json: contacts\[1\]\.pair is \d+, expected pairs in ascending order/,
    );
    expect(await complaintOf(contacts((text) => text.replace(/^(.*\n)/, '$1,')))).toBe(
      'bad.json: contacts[1] is "", expected a JSON object',
    );
    expect(await complaintOf((text) => `${text}\n{}\n`)).toBe(
      'bad.json: the file has "{}\\n" after the report, expected nothing',
    );
  });

  test.each([
    [
      'a pair of another shard',
      (text: string) => text.replace(/"pair":\d+/, '"pair":3'),
      /contacts\[2\]\.pair is 3, expected pairs in ascending order within shard 2 of 3, here from \d+ to 519$/,
    ],
    [
      'a pair beyond',
      (text: string) => text.replace(/"pair":\d+/, '"pair":520'),
      /contacts\[2\]\.pair is 520, expected pairs in ascending order within shard 2 of 3, here from \d+ to 519$/,
    ],
    [
      'a pair twice',
      (text: string) => text.replace(/"pair":(\d+)/, (_, pair) => `"pair":${pair - 30}`),
      /contacts\[2\]\.pair is \d+, expected pairs in ascending order/,
    ],
    [
      'a pair that is no integer',
      (text: string) => text.replace(/"pair":\d+/, '"pair":300.5'),
      /contacts\[2\]\.pair is 300\.5, expected the index of a candidate pair$/,
    ],
    [
      'a pair that is text',
      (text: string) => text.replace(/"pair":\d+/, '"pair":"300"'),
      /contacts\[2\]\.pair is "300", expected the index of a candidate pair$/,
    ],
    [
      'no pair',
      (text: string) => text.replace(/"pair":\d+,/, ''),
      /contacts\[2\]\.pair is undefined, expected the index of a candidate pair$/,
    ],
    [
      'a body that is not there',
      (text: string) => text.replace(/"b":\d+/, '"b":40'),
      /contacts\[2\]\.b is 40, expected the index of one of the scene's bodies$/,
    ],
    [
      'a shape of no known type',
      (text: string) => text.replace(/"shapeA":"\w+"/, '"shapeA":"toString"'),
      /contacts\[2\]\.shapeA is "toString", expected a type that scene\.shapesByType has$/,
    ],
    [
      'a status that is none',
      (text: string) => text.replace(/"status":"\w+"/, '"status":"lost"'),
      /contacts\[2\]\.status is "lost", expected separated, overlapping, /,
    ],
    [
      'a distance beyond all numbers',
      (text: string) => text.replace(/"distance":[^,]+/, '"distance":1e400'),
      /contacts\[2\]\.distance is Infinity, expected a finite number$/,
    ],
    [
      'no distance',
      (text: string) => text.replace(/"distance":[^,]+,/, ''),
      /contacts\[2\]\.distance is undefined, expected a finite number$/,
    ],
    [
      'a normal of two numbers',
      (text: string) => text.replace(/"normal":\[[^,]+,/, '"normal":['),
      /contacts\[2\]\.normal is \[.*\], expected three finite numbers$/,
    ],
    [
      'a point with null',
      (text: string) => text.replace(/"pointB":\[[^,]+,/, '"pointB":[null,'),
      /contacts\[2\]\.pointB is \[null.*\], expected three finite numbers$/,
    ],
    [
      'a gap of negative width',
      (text: string) => text.replace('"distance":', '"distance":-'),
      /contacts\[2\]\.distance is -[\d.e-]+, expected above 0, as the status is separated$/,
    ],
    [
      'a body against itself',
      (text: string) => text.replace(/"a":(\d+),"b":\d+/, '"a":$1,"b":$1'),
      /contacts\[2\]\.b is \d+, expected another body than a$/,
    ],
    [
      'a further field',
      (text: string) => text.replace('"a":', '"__proto__":{"x":1},"a":'),
      /contacts\[2\]\.__proto__ is unknown, expected 'pair', 'a', 'b', /,
    ],
    ['a list', () => '    {"pair":1}[]},', /contacts\[2\] is "\{\\"pair\\":1\}\[\]\}", expected a JSON object$/],
    ['two objects', (text: string) => `    {} ${text.trim()}`, /contacts\[2\] is "\{\} .*", expected a JSON object$/],
    ['text', () => '    x,', /contacts\[2\] is "x", expected a JSON object$/],
    [
      'an allowance of a report without any',
      (text: string) => text.replace('"a":', '"allowed":"pair","a":'),
      /contacts\[2\]\.allowed is "pair", expected nothing, as the report does not say how many contacts are allowed$/,
    ],
    [
      'an allowance that is none',
      (text: string) => text.replace('"a":', '"allowed":"all","a":'),
      /contacts\[2\]\.allowed is "all", expected pair or tolerance$/,
    ],
    [
      'a megabyte',
      () => `    {"pair":${'1'.repeat(2e6)}},`,
      /contacts\[2\] has more than 1048576 characters, expected /,
    ],
  ])('%s', async (_, change, message) => {
    expect(await complaintOf(line(2, change))).toMatch(message);
  });

  test('statuses that are not those of the facts', async () => {
    expect(
      await complaintOf(contacts((text) => text.replace('"overlapping","distance":-', '"separated","distance":'))),
    ).toMatch(/^bad\.json: statusCounts\.overlapping is (\d+), expected \d+, as many as contacts has$/);
    expect(await complaintOf(contacts((text) => text.replace('"separated"', '"notConverged"')))).toBe(
      'bad.json: statusCounts.notConverged is 0, expected at least 1, as many as contacts has',
    );
  });
});

describe('--out', () => {
  test.each([
    ['by its name', THREE[1]],
    ['by another path', `./${THREE[1]}`],
    ['by a link', 'to-shard.json'],
  ])('never overwrites a report, %s', async (_, out) => {
    if (!files().includes('to-shard.json')) symlinkSync(THREE[1], join(folder, 'to-shard.json'));
    const before = read(THREE[1]);
    const { code, stderr } = await narrowphase(['merge', ...THREE, '--out', out]);
    expect(code).toBe(2);
    expect(stderr).toBe(`narrowphase: --out ${out} would overwrite one of the reports (see narrowphase --help)\n`);
    expect(read(THREE[1])).toBe(before);
  });

  test('in a folder that is not there, and bad usage', async () => {
    const { code, stderr } = await narrowphase(['merge', ...THREE, '--out', 'no/such/file.json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^narrowphase: --out no\/such\/file\.json cannot be written: ENOENT/);
    for (const args of [
      ['--shard', '1/2'],
      ['--format', 'xml'],
      ['--limit', '-1'],
    ]) {
      expect((await narrowphase(['merge', ...THREE, ...args])).code).toBe(2);
    }
  });
});

test('a file that grows while it is merged is noticed or makes no difference', async () => {
  write('growing.json', read(THREE[1]));
  write('grown.json', 'the report of last week');
  const merging = narrowphase(['merge', THREE[0], 'growing.json', THREE[2], '--out', 'grown.json']);
  const growing = setInterval(() => appendFileSync(join(folder, 'growing.json'), ' '), 1);
  const { code, stdout, stderr } = await merging.finally(() => clearInterval(growing));
  if (code === 0) {
    expect(read('grown.json')).toBe(read('whole.json'));
  } else {
    expect([code, stdout, read('grown.json')]).toEqual([2, '', 'the report of last week']);
    expect(stderr).toMatch(/^growing\.json: the file changed while it was read/);
  }
});

test('a file that changes between its facts and its contacts is noticed', async () => {
  write('changing.json', read(THREE[1]));
  const shard = await readShard(join(folder, 'changing.json'));
  appendFileSync(join(folder, 'changing.json'), ' ');
  await expect(checkUnchanged(shard)).rejects.toThrow(
    /changing\.json: the file changed while it was read, expected it to stay the same$/,
  );
  await expect(readContacts(shard).next()).rejects.toThrow(/changing\.json: the file changed while it was read/);
});
