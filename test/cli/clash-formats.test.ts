/** Clash reports in every format, with names that each format has to escape. */

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { unzipSync, zipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Clash } from '../../cli/clash/clash-report.ts';
import { bcfFaults } from '../helpers/bcf-schema.ts';
import { makeWorkplace } from './cli.ts';
import { ODD_NAMES, PLANT, type ClashJson } from './clash-scenes.ts';

const { folder, narrowphase, write } = makeWorkplace();

const SCENES = { plant: PLANT, odd: ODD_NAMES } as const;
type SceneName = keyof typeof SCENES;

beforeAll(() => {
  for (const [name, scene] of Object.entries(SCENES)) write(`${name}.json`, scene);
});

/** A report as bytes. */
async function report(scene: SceneName, format: string, ...more: string[]): Promise<Buffer> {
  const out = `report.${format}`;
  const args = ['clash', `${scene}.json`, '--engine', 'cpu', '--clearance', '0.05', '--format', format, ...more];
  const { code, stderr } = await narrowphase([...args, '--out', out]);
  expect(code, stderr).toBe(1);
  return readFileSync(join(folder, out));
}

async function clashesIn(scene: SceneName): Promise<Clash[]> {
  return (JSON.parse((await report(scene, 'json')).toString()) as ClashJson).clashes;
}

test('JSON has the names as they are', async () => {
  const clashes = await clashesIn('odd');
  expect(clashes.map(({ a }) => a)).toEqual(ODD_NAMES.bodies.slice(0, -1).map(({ name }) => name));
});

/** Rows of cells by RFC 4180. */
function parseCsv(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const rows: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) throw new Error(`no CSV: ${JSON.stringify(text.slice(-60))}`);
    rows[rows.length - 1].push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    if (match[3] !== ',') rows.push([]);
  }
  rows.pop();
  return rows;
}

test('CSV has a line per clash, and no name that a spreadsheet takes for a formula', async () => {
  for (const scene of ['plant', 'odd'] as const) {
    const [columns, ...rows] = parseCsv((await report(scene, 'csv')).toString());
    const clashes = await clashesIn(scene);
    expect(rows.length).toBe(clashes.length);
    rows.forEach((row, i) => {
      const cells = Object.fromEntries(columns.map((column, k) => [column, row[k]]));
      const { category, verdict, distance, source, point, normal, a } = clashes[i];
      expect(cells).toMatchObject({ category, verdict, distance: String(distance), source });
      expect([cells.pointX, cells.pointY, cells.pointZ].map(Number)).toEqual(point);
      expect([cells.normalX, cells.normalY, cells.normalZ].map(Number)).toEqual(normal);
      expect(cells.a).not.toMatch(/^[=+\-@\t\r\n]/);
      if (/^[=@]/.test(a)) expect(cells.a).toBe(`'${a}`);
    });
  }
});

test('JUnit XML is well formed, with a failure for each clash that fails', async () => {
  for (const scene of ['plant', 'odd'] as const) {
    const xml = (await report(scene, 'junit')).toString();
    expect(XMLValidator.validate(xml)).toBe(true);
    const parsed = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'testcase' }).parse(xml) as {
      testsuites: { testsuite: { '@_failures': string; testcase: { failure?: unknown; '@_name': string }[] } };
    };
    const { testsuite } = parsed.testsuites;
    const clashes = await clashesIn(scene);
    const failing = clashes.filter(({ verdict }) => verdict === 'fail').length;
    expect(testsuite['@_failures']).toBe(String(failing));
    expect(testsuite.testcase.filter(({ failure }) => failure !== undefined).length).toBe(failing);
    expect(testsuite.testcase.length).toBeGreaterThanOrEqual(clashes.length);
  }
});

/** Folders of topics. */
function topics(names: readonly string[]): string[] {
  return names.filter((name) => /^[0-9a-f-]{36}\/$/.test(name)).sort();
}

describe.each([
  ['bcf', '2.1'],
  ['bcf3', '3.0'],
] as const)('BCF of --format %s', (format, version) => {
  test.each(['plant', 'odd'] as const)('is valid by the schemas: %s', async (scene) => {
    const entries = unzipSync(new Uint8Array(await report(scene, format)));
    const names = Object.keys(entries).filter((name) => !name.endsWith('/'));
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (const name of names) expect(bcfFaults(name, decoder.decode(entries[name]), version)).toEqual([]);
    const clashes = await clashesIn(scene);
    expect(names.filter((name) => name.endsWith('markup.bcf')).length).toBe(clashes.length);
    expect(names.filter((name) => name.endsWith('viewpoint.bcfv')).length).toBe(clashes.length);
    expect(names).toContain('bcf.version');
    expect(names).toContain('project.bcfp');
    expect(names.includes('extensions.xml')).toBe(version === '3.0');
    for (const name of names.filter((each) => each.endsWith('markup.bcf'))) {
      const [folderName] = name.split('/');
      expect(decoder.decode(entries[name])).toContain(`<Topic Guid="${folderName}"`);
    }
  });

  test('the schemas of the test refuse what is wrong', async () => {
    const entries = unzipSync(new Uint8Array(await report('plant', format)));
    const [name] = Object.keys(entries).filter((each) => each.endsWith('markup.bcf'));
    const xml = new TextDecoder().decode(entries[name]);
    const spoiled = [
      xml.replace(/ Guid="[^"]*"/, ''),
      xml.replace(/<Title>[^]*?<\/Title>/, ''),
      xml.replace(/( *<Title>[^]*?<\/Title>\n)([^]*?)(?=\n *<CreationDate)/, '$2$1'),
      xml.replace('<CreationDate>', '<CreationDate>yesterday '),
      xml.replace('</Topic>', '<Bogus/></Topic>'),
    ];
    for (const each of spoiled) {
      expect(each).not.toBe(xml);
      expect(bcfFaults(name, each, version)).not.toEqual([]);
    }
  });

  test('the same clashes give the same bytes; another date gives other bytes', async () => {
    const first = await report('plant', format);
    expect((await report('plant', format)).equals(first)).toBe(true);
    const dated = await report('plant', format, '--date', '2026-01-31T18:00:00+02:00');
    expect(dated.equals(first)).toBe(false);
    const text = Object.values(unzipSync(new Uint8Array(dated)))
      .map((bytes) => new TextDecoder().decode(bytes))
      .join('');
    expect(text).toContain('<CreationDate>2026-01-31T16:00:00Z</CreationDate>');
  });

  test('other readers of zip archives find every entry', async () => {
    const entries = unzipSync(new Uint8Array(await report('plant', format)));
    // Packed again by another program: the same names and contents.
    const again = unzipSync(zipSync(entries));
    expect(Object.keys(again)).toEqual(Object.keys(entries));
  });

  test('topics keep their GUIDs when other clashes come and go', async () => {
    const before = Object.keys(unzipSync(new Uint8Array(await report('plant', format))));
    write('plant.json', { ...PLANT, bodies: [...PLANT.bodies].reverse().slice(1) });
    const after = Object.keys(unzipSync(new Uint8Array(await report('plant', format))));
    write('plant.json', PLANT);
    expect(topics(after).length).toBe(topics(before).length - 2);
    expect(topics(before)).toEqual(expect.arrayContaining(topics(after)));
  });
});

describe('HTML', () => {
  test.each(['plant', 'odd'] as const)('loads nothing and runs nothing, whatever the names: %s', async (scene) => {
    const html = (await report(scene, 'html')).toString();
    const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)!;
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'$/);
    expect(html).not.toMatch(
      /<(?:script|img|link|iframe|object|embed|base|form)\b|\son\w+=|\ssrc=|\sstyle=|javascript:/i,
    );
    expect(html).not.toMatch(/href="(?!#)/);
    // Tags are those that the report itself has.
    const tags = new Set([...html.matchAll(/<(?!!)\/?([a-z0-9]+)/gi)].map(([, tag]) => tag));
    expect([...tags].sort().join(' ')).toBe(
      'a body circle dd div dl dt h1 h2 h3 head header html li main meta ' +
        'ol p path section span style svg table tbody td text th thead title tr',
    );
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });

  test('has a picture for each clash, and numbers without NaN', async () => {
    const clashes = await clashesIn('plant');
    const html = (await report('plant', 'html')).toString();
    expect(html).not.toMatch(/NaN|Infinity|undefined/);
    expect([...html.matchAll(/<svg class="overview"/g)].length).toBe(clashes.length);
    for (const { pair } of clashes) expect(html).toContain(`id="clash-${pair}"`);
  });

  test('--limit leaves clashes out and says how many', async () => {
    const html = (await report('odd', 'html', '--limit', '2')).toString();
    expect([...html.matchAll(/<svg class="overview"/g)].length).toBe(2);
    expect(html).toContain('10 further clashes of this category: in the JSON and CSV reports.');
  });
});
