/**
 * Bundles the benchmark into dist-bench/bench-gpu.mjs, which needs nothing but Node and the package `webgpu` where it
 * runs.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram } from '../../scripts/bundle.ts';

const ROOT = join(import.meta.dirname, '../..');

const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};

await bundleProgram({
  entry: 'bench/gpu/main.ts',
  file: 'bench-gpu.mjs',
  external: ['webgpu'],
  define: { GENERATOR: JSON.stringify([`${name} ${version}`, revision()].filter(Boolean).join(', ')) },
});

/** The commit that is bundled, where there is one. */
function revision(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const isModified = git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'shaders') !== '';
    return `commit ${git('rev-parse', '--short=10', 'HEAD')}${isModified ? ' with changes' : ''}`;
  } catch {
    return '';
  }
}
