import { chmodSync, chownSync, mkdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReportContact } from '../../cli/report/contacts.ts';
import { CRATES, makeWorkplace } from './cli.ts';
import type { Report } from './cli.ts';

const { folder, narrowphase, write, read, files } = makeWorkplace();

const NAMES = [
  'a, b',
  'say "no"',
  " <b> & 'c' ]]> ",
  'bell\u0007, line\r\nand tab\t',
  '\ufffe\ud800 \u{1f9f1} \u202e',
  '=1+1',
  '\u00e4',
];
/** Begin as formulas of spreadsheets do. */
const FORMULAS = ['=HYPERLINK("http://x","y")', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '\uff1d1'];
/** A row of crates, each 0.4 from the next one but the first two, which overlap by 0.1. */
const ROW = {
  ...CRATES,
  name: 'row <of> "crates" & \u0001 more\n',
  bodies: [
    { shape: 'crate', position: [0, 0, 0] },
    ...NAMES.map((name, i) => ({ shape: 0, position: [0.9 + 1.4 * i, 0, 0], name })),
    { shape: 'rock', position: [50, 0, 0] },
  ],
  pairs: 'all',
  margin: 0.5,
};

async function output(format: string, query: string, scene = 'row.json'): Promise<string> {
  const { code, stdout, stderr } = await narrowphase([
    'run',
    scene,
    '--engine',
    'cpu',
    '--query',
    query,
    '--format',
    format,
  ]);
  expect(code, stderr).toBe(0);
  return stdout;
}

const json = async (query: string) => JSON.parse(await output('json', query)) as Report;

/** Rows of cells by the grammar of RFC 4180; throws where the text does not follow it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`no CSV from character ${at} on: ${JSON.stringify(text.slice(at, at + 40))}`);
    row.push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Cells of a contact from `distance` on. */
function numbers({
  distance,
  normal = [],
  pointA = [],
  pointB = [],
  featureA,
  featureB,
  iterations,
}: ReportContact): string[] {
  return [distance, ...normal, ...pointA, ...pointB, featureA, featureB, iterations]
    .filter((x) => x !== undefined)
    .map(String);
}

/**
 * As a name stands in the CSV: with ? for what a terminal should not get, and an apostrophe before what would be a
 * formula.
 */
const shown = (name = ''): string => `${name.startsWith('=') ? "'" : ''}${name}`.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');

beforeAll(() => {
  write('row.json', ROW);
});

describe('CSV', () => {
  test.each([
    ['intersects', []],
    [
      'distances',
      ['distance', 'normalX', 'normalY', 'normalZ', 'pointAX', 'pointAY', 'pointAZ', 'pointBX', 'pointBY', 'pointBZ'],
    ],
    [
      'contacts',
      [
        'distance',
        'normalX',
        'normalY',
        'normalZ',
        'pointAX',
        'pointAY',
        'pointAZ',
        'pointBX',
        'pointBY',
        'pointBZ',
        'featureA',
        'featureB',
        'iterations',
      ],
    ],
  ])('%s: the contacts of the JSON report, one a line', async (query, columns) => {
    const text = await output('csv', query);
    const [header, ...rows] = parseCsv(text);
    expect(header).toEqual(['pair', 'a', 'b', 'nameA', 'nameB', 'shapeA', 'shapeB', 'status', ...columns]);
    const { contacts } = await json(query);
    expect(contacts.length).toBeGreaterThan(5);
    expect(rows).toEqual(
      contacts.map((contact) => {
        const { pair, a, b, nameA, nameB, shapeA, shapeB, status } = contact;
        return [
          String(pair),
          String(a),
          String(b),
          shown(nameA),
          shown(nameB),
          shapeA,
          shapeB,
          status,
          ...numbers(contact),
        ];
      }),
    );
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  test('names are quoted where they need it, and only there', async () => {
    const text = await output('csv', 'intersects');
    expect(text).toContain(',"a, b","say ""no""",');
    expect(text).toContain(",'=1+1,\u00e4,");
    expect(text).toContain('"bell?, line??and tab?"');
  });

  test('no name is a formula to a spreadsheet', async () => {
    write('formulas.json', { ...CRATES, bodies: FORMULAS.map((name) => ({ shape: 0, position: [0, 0, 0], name })) });
    const [, ...rows] = parseCsv(await output('csv', 'contacts', 'formulas.json'));
    expect(rows).toHaveLength(28);
    expect(new Set(rows.flatMap((row) => row.slice(3, 5)))).toEqual(
      new Set(FORMULAS.map((name) => `'${name}`.replace(/[\t\r\n]/, '?'))),
    );
    const { contacts } = JSON.parse(await output('json', 'contacts', 'formulas.json')) as Report;
    expect(contacts[0]).toMatchObject({ nameA: FORMULAS[0], nameB: FORMULAS[1] });
  });

  test('without hits there is the header', async () => {
    write('apart.json', { ...CRATES, pairs: [[0, 3]] });
    expect(await output('csv', 'intersects', 'apart.json')).toBe('pair,a,b,nameA,nameB,shapeA,shapeB,status\r\n');
  });
});

interface Case {
  '@classname': string;
  '@name': string;
  failure?: { '@type': string; '@message': string };
  error?: { '@type': string; '@message': string };
  'system-out'?: string;
}

interface Suite {
  '@name': string;
  '@tests': string;
  '@failures': string;
  '@errors': string;
  testcase: Case[];
  properties: { property: { '@name': string; '@value': string }[] };
}

function parseJunit(text: string): Suite {
  expect(XMLValidator.validate(text)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    htmlEntities: true,
    isArray: (name) => name === 'testcase',
  });
  const { testsuites } = parser.parse(text) as { testsuites: { testsuite: Suite } & Record<string, string> };
  const suite = testsuites.testsuite;
  for (const count of ['@tests', '@failures', '@errors'] as const) expect(testsuites[count]).toBe(suite[count]);
  suite.testcase ??= [];
  expect(Number(suite['@tests'])).toBe(suite.testcase.length);
  expect(Number(suite['@failures'])).toBe(suite.testcase.filter(({ failure }) => failure).length);
  expect(Number(suite['@errors'])).toBe(suite.testcase.filter(({ error }) => error).length);
  // Characters that XML 1.0 has.
  expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  expect(text).not.toMatch(/\btime(?:stamp)?=/);
  return suite;
}

function geometry({ normal, pointA, pointB }: ReportContact): string {
  return `normal ${normal!.join(' ')}, pointA ${pointA!.join(' ')}, pointB ${pointB!.join(' ')}`;
}

describe('JUnit', () => {
  test.each(['intersects', 'distances', 'contacts'])(
    '%s: a test case for each contact, and one for all other pairs',
    async (query) => {
      const { contacts, candidatePairs, hits } = await json(query);
      const { testcase: cases } = parseJunit(await output('junit', query));
      expect(cases).toHaveLength(hits + 1);
      contacts.forEach(({ a, b, status }, i) => {
        expect(cases[i]['@name']).toMatch(new RegExp(`^body ${a} [^]* and body ${b} `));
        expect(cases[i].failure !== undefined).toBe(status === 'overlapping');
        expect(cases[i].error).toBeUndefined();
      });
      expect(cases[hits]['@name']).toBe('pairs not listed: farther apart than 0.5');
      expect(cases[hits]['system-out']).toBe(`${candidatePairs - hits} pairs`);
      expect(cases[hits].failure).toBeUndefined();
    },
  );

  test('an overlapping pair gives its depth, normal and points, a separated one its distance', async () => {
    const { contacts } = await json('contacts');
    const { testcase: cases } = parseJunit(await output('junit', 'contacts'));
    const [first, second] = contacts;
    expect(first).toMatchObject({ a: 0, b: 1, status: 'overlapping' });
    expect(cases[0].failure).toEqual({
      '@type': 'overlapping',
      '@message': `pair ${first.pair}, depth ${-first.distance!}, ${geometry(first)}`,
    });
    expect(-first.distance!).toBeCloseTo(0.1, 5);
    expect(second.status).toBe('separated');
    expect(cases[1]['system-out']).toBe(`pair ${second.pair}, distance ${second.distance}, ${geometry(second)}`);
  });

  test('distances and intersects give no depth', async () => {
    for (const query of ['distances', 'intersects']) {
      const { testcase: cases } = parseJunit(await output('junit', query));
      expect(cases[0].failure).toEqual({ '@type': 'overlapping', '@message': 'overlapping' });
    }
  });

  test('names are kept, with U+FFFD for what XML can not hold', async () => {
    const suite = parseJunit(await output('junit', 'contacts'));
    expect(suite['@name']).toBe('row <of> "crates" & \ufffd more\n');
    const names = suite.testcase.map((each) => each['@name']).join();
    for (const name of NAMES.slice(0, 3)) expect(names).toContain(`${name} (box)`);
    expect(names).toContain('bell\ufffd, line\r\nand tab\t (box)');
    expect(names).toContain('\ufffd\ufffd \u{1f9f1} \u202e (box)');
  });

  test('facts are properties', async () => {
    const { properties } = parseJunit(await output('junit', 'contacts'));
    const byName = Object.fromEntries(properties.property.map((each) => [each['@name'], each['@value']]));
    expect(byName).toMatchObject({
      'scene.file': 'row.json',
      'query.name': 'contacts',
      'query.margin': '0.5',
      candidatePairs: '36',
    });
    expect(byName['scene.sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(byName.engine).toMatch(/^cpu on Node /);
  });

  test('pairs without an answer are errors, those that are not listed one together', async () => {
    const args = ['run', 'row.json', '--engine', 'cpu', '--format', 'json', '--shard', '1/1'];
    const report = (await narrowphase(args)).stdout;
    const unanswered = report
      .replace('"status":"separated"', '"status":"notConverged"')
      .replace('"notConverged": 0', '"notConverged": 1')
      .replace('"invalidInput": 0', '"invalidInput": 2')
      .replace(/"separated": (\d+)/, (_, count) => `"separated": ${count - 3}`);
    write('unanswered.json', unanswered);
    const { code, stdout, stderr } = await narrowphase([
      'merge',
      'unanswered.json',
      '--format',
      'junit',
      '--fail-on-overlap',
    ]);
    expect(code).toBe(1);
    expect(stderr).toBe('narrowphase: check failed: 1 pair overlapping, 3 pairs without an answer\n');
    const suite = parseJunit(stdout);
    expect(suite['@errors']).toBe('2');
    expect(suite.testcase[1].error!['@type']).toBe('notConverged');
    expect(suite.testcase[1].error!['@message']).toMatch(/^no answer: distance at least 0\.\d+$/);
    expect(suite.testcase.at(-1)!.error).toEqual({
      '@type': 'unanswered',
      '@message': 'without an answer: 2 invalidInput',
    });
  });

  test('where all pairs are listed there is no further test case, and a scene without pairs has one that passes', async () => {
    const all = (
      await narrowphase([
        'run',
        'row.json',
        '--engine',
        'cpu',
        '--query',
        'distances',
        '--margin',
        '1e6',
        '--format',
        'junit',
      ])
    ).stdout;
    expect(parseJunit(all).testcase).toHaveLength(36);
    write('empty.json', { version: 1, shapes: [], bodies: [], pairs: [] });
    const suite = parseJunit(await output('junit', 'contacts', 'empty.json'));
    expect(suite).toMatchObject({ '@tests': '1', '@failures': '0', '@errors': '0' });
    expect(suite.testcase).toEqual([{ '@classname': 'empty', '@name': 'no candidate pairs' }]);
    const shard = await narrowphase(['run', 'row.json', '--engine', 'cpu', '--format', 'junit', '--shard', '1/100']);
    expect(parseJunit(shard.stdout).testcase.map((each) => each['@name'])).toEqual(['no candidate pairs']);
  });
});

describe('--out of run', () => {
  test.each([
    ['report.json', 'table', 'json'],
    ['report.csv', 'table', 'csv'],
    ['REPORT.XML', 'table', 'junit'],
    ['report', 'table', 'json'],
    ['csv.txt', 'csv', 'csv'],
    ['junit.json', 'junit', 'junit'],
    ['json.csv', 'json', 'json'],
  ])('%s with --format %s holds %s; the table is printed, and no other file left', async (out, format, expected) => {
    const before = files();
    const { code, stdout, stderr } = await narrowphase([
      'run',
      'row.json',
      '--engine',
      'cpu',
      '--out',
      out,
      '--format',
      format,
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^Deepest contacts \(\d+ of \d+\)$/m);
    expect(read(out)).toBe(await output(expected, 'contacts'));
    expect(files()).toEqual([...before, out].sort());
  });

  test.each([0o600, 0o640, 0o664, 0o444])('a report that replaces one keeps its permissions, %o', async (mode) => {
    write('guarded.json', 'an older report');
    chmodSync(join(folder, 'guarded.json'), mode);
    const before = statSync(join(folder, 'guarded.json'));
    expect((await narrowphase(['run', 'row.json', '--engine', 'cpu', '--out', 'guarded.json'])).code).toBe(0);
    const after = statSync(join(folder, 'guarded.json'));
    expect([after.mode & 0o7777, after.uid, after.gid]).toEqual([mode, before.uid, before.gid]);
    expect((JSON.parse(read('guarded.json')) as Report).hits).toBeGreaterThan(0);
  });

  test.runIf(process.getuid?.() === 0)('and its owner, where it may', async () => {
    write('owned.json', 'an older report');
    chownSync(join(folder, 'owned.json'), 12_345, 23_456);
    chmodSync(join(folder, 'owned.json'), 0o2640);
    await narrowphase(['run', 'row.json', '--engine', 'cpu', '--out', 'owned.json']);
    const { uid, gid, mode } = statSync(join(folder, 'owned.json'));
    expect([uid, gid, mode & 0o7777]).toEqual([12_345, 23_456, 0o2640]);
  });

  test('a new report has the permissions of any new file', async () => {
    await narrowphase(['run', 'row.json', '--engine', 'cpu', '--out', 'fresh.json']);
    write('any-new-file', '');
    expect(statSync(join(folder, 'fresh.json')).mode).toBe(statSync(join(folder, 'any-new-file')).mode);
  });

  test.each([
    ['to a report', true],
    ['to a report that is not there yet', false],
  ])('a link %s stays a link, and its target is written', async (_, isThere) => {
    mkdirSync(join(folder, `kept-${isThere}`));
    const target = join(`kept-${isThere}`, 'target.json');
    if (isThere) write(target, 'an older report');
    symlinkSync('link-of-link.json', join(folder, `kept-${isThere}`, 'link.json'));
    symlinkSync('target.json', join(folder, `kept-${isThere}`, 'link-of-link.json'));
    expect((await narrowphase(['run', 'row.json', '--engine', 'cpu', '--out', `kept-${isThere}/link.json`])).code).toBe(
      0,
    );
    expect(readlinkSync(join(folder, `kept-${isThere}`, 'link.json'))).toBe('link-of-link.json');
    expect((JSON.parse(read(target)) as Report).hits).toBeGreaterThan(0);
    rmSync(join(folder, `kept-${isThere}`), { recursive: true });
  });

  test('an older report is replaced', async () => {
    write('older.csv', 'an older report');
    await narrowphase(['run', 'row.json', '--engine', 'cpu', '--out', 'older.csv']);
    expect(read('older.csv')).toBe(await output('csv', 'contacts'));
  });

  test('the check fails with 1 after the report was written', async () => {
    const { code } = await narrowphase([
      'run',
      'row.json',
      '--engine',
      'cpu',
      '--out',
      'failed.xml',
      '--fail-on-overlap',
    ]);
    expect(code).toBe(1);
    expect(read('failed.xml')).toBe(await output('junit', 'contacts'));
  });
});
