/**
 * Writes the API reference, docs/api/, from the doc comments of the package's entries. Each entry, class, interface and
 * function has a page. Types and constants are short, and are listed on their entry's page. Also writes
 * docs/api/sidebar.json for docs/.vitepress/config.ts.
 *
 * The compiler is TypeScript 6, since the package `typescript` of version 7 has no API for programs.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEntries } from './docs-api/read.mjs';
import { renderEntry, renderIndex, renderSymbol } from './docs-api/render.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'docs/api');

const entries = readEntries(root, [
  { name: 'narrowphase', source: 'src/index.ts', folder: 'narrowphase' },
  { name: 'narrowphase/node', source: 'src/node.ts', folder: 'node' },
  { name: 'narrowphase/cpu', source: 'src/cpu.ts', folder: 'cpu' },
  { name: 'narrowphase/wgsl', source: 'src/wgsl.ts', folder: 'wgsl' },
]);

/** Every exported name with the path of its page, for links. A type that several entries export has one page. */
const links = new Map();
for (const { symbols } of entries) {
  for (const { name, url, kind } of symbols) {
    if (kind !== 'function' && !links.has(name)) links.set(name, url);
  }
}

rmSync(out, { recursive: true, force: true });
const written = new Set();
write('index.md', renderIndex(entries));
for (const entry of entries) {
  write(`${entry.folder}/index.md`, renderEntry(entry, links));
  for (const symbol of entry.symbols) {
    if (symbol.home === entry.folder && symbol.page) write(symbol.page, renderSymbol(symbol, entries, links));
  }
}
writeFileSync(join(out, 'sidebar.json'), JSON.stringify(entries.map(sidebarGroup), null, 2));
console.log(`docs/api: ${written.size} pages`);

function write(path, text) {
  // On file systems that ignore case, one page would overwrite the other.
  const key = path.toLowerCase();
  if (written.has(key)) throw new Error(`two pages of the API reference would be docs/api/${path}`);
  written.add(key);
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** An entry and its pages, in the order in which the entry's page lists them. */
function sidebarGroup({ name, folder, symbols }) {
  const own = symbols.filter((symbol) => symbol.home === folder && symbol.page);
  return {
    text: name,
    link: `/api/${folder}/`,
    collapsed: true,
    items: own.map((symbol) => ({ text: symbol.name, link: symbol.url })),
  };
}
