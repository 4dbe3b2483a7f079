/**
 * The `ts` blocks of the pages, as files of a project. Words after `ts` on a block's first line:
 * - none: a program. It is type-checked, and run in Node.
 * - `browser`: a program or module of a page. It is type-checked.
 * - `fragment`: lines of a larger program. It is type-checked with the names of `FRAGMENT_NAMES` declared.
 *
 * A block right below a line `<!-- sample: NAME -->` is run by the tests of the package.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type BlockUse = 'program' | 'browser' | 'fragment';

export interface CodeBlock {
  /** Path of the page from the root. */
  page: string;
  /** Line of the page that the code begins at, from 1. */
  line: number;
  use: BlockUse;
  /** Whether another test runs it. */
  isSample: boolean;
  code: string;
}

/** What a fragment need not declare. */
export const FRAGMENT_NAMES = `
import type { Bodies, Tester } from 'narrowphase';
declare global {
  const tester: Tester;
  const bodies: Bodies;
  const pairs: Uint32Array;
  const device: GPUDevice;
  const maxBodies: number;
  const maxPairs: number;
}
`;

const USES: Record<string, BlockUse> = { '': 'program', browser: 'browser', fragment: 'fragment' };

/** Languages whose blocks would be programs that nothing checks. */
const UNCHECKED = ['typescript', 'tsx', 'js', 'javascript', 'jsx', 'mjs', 'mts'];

export function readBlocks(page: string): CodeBlock[] {
  return parseBlocks(page, readFileSync(fileURLToPath(new URL(`../../${page}`, import.meta.url)), 'utf8'));
}

/** The blocks of a page's text. Throws where a block's first line has words that are not known. */
export function parseBlocks(page: string, text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  for (const match of text.matchAll(/^( *)```([^\n`]*)\n([\s\S]*?)^\1``` *$/gm)) {
    const [, indent, info, body] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    const [language, ...words] = info.trim().split(/\s+/);
    if (UNCHECKED.includes(language)) throw new Error(`${page}:${line - 1}: language is "${language}", expected "ts"`);
    if (language !== 'ts') continue;
    const use = USES[words.join(' ')];
    if (!use) {
      throw new Error(`${page}:${line - 1}: first line is "${info}", expected "ts", "ts browser" or "ts fragment"`);
    }
    const before = text.slice(0, match.index).trimEnd();
    blocks.push({
      page,
      line,
      use,
      isSample: /<!-- sample: \S+ -->$/.test(before),
      code: body.replace(new RegExp(`^${indent}`, 'gm'), ''),
    });
  }
  return blocks;
}

/** Where a block stands, for the name of a test. */
export function placeOf({ page, line }: CodeBlock): string {
  return `${page}:${line}`;
}

/** Path of a block's module in the project without its extension, such as `program/docs/queries.md-12`. */
export function modulePath({ page, line, use }: CodeBlock): string {
  return `${use}/${page}-${line}`;
}

/** The module's text: its lines have the numbers that they have in the page. */
export function moduleText({ line, code }: CodeBlock): string {
  return `${'\n'.repeat(line - 1)}${code}`;
}
