/**
 * The README's sample programs, so that what it shows is what the tests run. A sample is a `ts` block right below a
 * line `<!-- sample: NAME -->`, and complete: it can be saved to a file and run. NAME: `browser`, `node` (where it
 * runs), `batch`, `motion`, `plane`, `crowd`, `shader` (in Node), `usage` (a module).
 */

import { readFileSync } from 'node:fs';

export function readmeSample(
  name: 'browser' | 'node' | 'batch' | 'motion' | 'plane' | 'crowd' | 'shader' | 'usage',
): string {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const sample = new RegExp(`^<!-- sample: ${name} -->\\n+\`\`\`ts\\n(.*?)^\`\`\`$`, 'ms').exec(text);
  if (!sample) throw new Error(`README.md has no ts block below a line "<!-- sample: ${name} -->"`);
  return sample[1];
}
