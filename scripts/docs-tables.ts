/**
 * Fills the blocks of README.md and docs/ that begin with a line `<!-- include: bench/results/NAME.md#SECTION -->` and
 * end with a line `<!-- /include -->`: `npm run docs:tables`. SECTION is one of
 * - `targets`: the first table below the heading with this slug;
 * - `targets:2`: the second table below that heading, up to the next heading of its level or above;
 * - `table-2`: the second table of the report;
 * - `short`: the text from the line `<!-- short -->` to the line `<!-- end -->`.
 */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Folders of pages that scripts write. */
const GENERATED = ['docs/api', 'docs/reports'];

const BLOCK = /^<!-- include: (\S+) -->$\n([\s\S]*?)^<!-- \/include -->$/gm;

/** The pages that are written by hand, as paths from the root. */
export function listPages(): string[] {
  return ['README.md', ...markdownIn('docs')];
}

/** Folders that are generated are never entered: another process may be writing them. */
function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return GENERATED.includes(path) || entry.name.startsWith('.') ? [] : markdownIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

export interface FilledPage {
  text: string;
  filled: string;
  /** Number of includes. */
  blocks: number;
}

/** A page's text, and what it would be with every block filled from `read(path)` and in Prettier's layout. */
export async function fillPage(path: string, read: (path: string) => string = readText): Promise<FilledPage> {
  const text = read(path);
  let blocks = 0;
  const filled = text.replace(BLOCK, (_block, reference: string, _old: string, at: number) => {
    blocks++;
    const line = text.slice(0, at).split('\n').length;
    const [, report, section] = /^(bench\/results\/[\w-]+\.md)#([\w:-]+)$/.exec(reference) ?? [];
    if (!report) {
      throw new Error(`${path}:${line}: include is "${reference}", expected bench/results/NAME.md#SECTION`);
    }
    const found = extract(read(report), section);
    if (!found) throw new Error(`${path}:${line}: ${report} has no "${section}"`);
    return `<!-- include: ${reference} -->\n\n${found}\n\n<!-- /include -->`;
  });
  const opened = text.match(/<!-- include:/g)?.length ?? 0;
  if (opened !== blocks) throw new Error(`${path}: ${opened} lines open an include, expected ${blocks} with their end`);
  return { text, filled: await format(path, filled), blocks };
}

/** The part of a report that `section` names; undefined where there is none. */
export function extract(report: string, section: string): string | undefined {
  const [name, number = '1'] = section.split(':');
  const ofReport = /^table-(\d+)$/.exec(name)?.[1];
  if (ofReport) return tablesOf(report)[Number(ofReport) - 1];
  return marked(report, name) ?? tablesOf(below(report, name))[Number(number) - 1];
}

function tablesOf(text: string): string[] {
  return text.match(/^\|.*(?:\n\|.*)*/gm) ?? [];
}

function marked(report: string, name: string): string | undefined {
  const rest = report.split(`<!-- ${name} -->\n`).at(1);
  return rest?.split('<!-- end -->')[0].trim();
}

/** The text below a heading with all its subsections; empty where there is no such heading. */
function below(report: string, slug: string): string {
  const headings = [...report.matchAll(/^(#+) (.*)$/gm)];
  const at = headings.findIndex(([, , title]) => slugOf(title) === slug);
  if (at < 0) return '';
  const [heading, marks] = headings[at];
  const next = headings.slice(at + 1).find(([, others]) => others.length <= marks.length);
  return report.slice(headings[at].index + heading.length, next?.index);
}

/** As GitHub names the anchor of a heading, but that a slash is a hyphen. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} /_-]/gu, '')
    .replace(/[ /]/g, '-');
}

async function format(path: string, text: string): Promise<string> {
  const file = join(root, path);
  const { ignored } = await prettier.getFileInfo(file, { ignorePath: join(root, '.prettierignore') });
  if (ignored) return text;
  return prettier.format(text, { ...(await prettier.resolveConfig(file)), parser: 'markdown' });
}

function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of listPages()) {
    const { text, filled, blocks } = await fillPage(path);
    if (blocks === 0 || filled === text) continue;
    writeFileSync(join(root, path), filled);
    console.log(`${path}: ${blocks} tables`);
  }
}
