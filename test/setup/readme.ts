/**
 * Sample programs of the README and of the pages in docs/, so that what they show is what the tests run. A sample is a
 * `ts` block right below a line `<!-- sample: NAME -->`, and complete: it can be saved to a file and run. NAME:
 * `browser`, `node` (where it runs), `batch`, `motion`, `plane`, `crowd`, `shader` (in Node), `usage` (a module).
 */

import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** The README and every page of docs/, by path from the root. */
function pages(): string[] {
  const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' });
  return ['README.md', ...docs.filter((file) => /^[^.].*\.md$/.test(file)).map((file) => `docs/${file}`)];
}

/** The one sample of that name. Throws where no page has it, or more than one. */
export function readmeSample(
  name: 'browser' | 'node' | 'batch' | 'motion' | 'plane' | 'crowd' | 'shader' | 'usage',
): string {
  const pattern = new RegExp(`^<!-- sample: ${name} -->\\n+\`\`\`ts\\b.*\\n([^]*?)^\`\`\`$`, 'gm');
  const samples = pages().flatMap((page) =>
    [...readFileSync(new URL(page, root), 'utf8').matchAll(pattern)].map(([, sample]) => sample),
  );
  if (samples.length !== 1) {
    throw new Error(`${samples.length} ts blocks are below a line "<!-- sample: ${name} -->", expected 1`);
  }
  return samples[0];
}
