/**
 * Writes docs/reports/: the reports of bench/results/ as pages of the site. Other pages link to them, but the search
 * leaves them out.
 */

import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeProse } from './docs-api/render.mjs';

const results = fileURLToPath(new URL('../bench/results', import.meta.url));
const out = fileURLToPath(new URL('../docs/reports', import.meta.url));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of readdirSync(results)) {
  if (name.endsWith('.svg')) copyFileSync(join(results, name), join(out, name));
  if (!name.endsWith('.md')) continue;
  const text = readFileSync(join(results, name), 'utf8');
  writeFileSync(join(out, name), `---\nsearch: false\naside: false\npageClass: report\n---\n\n${escapeProse(text)}`);
}
