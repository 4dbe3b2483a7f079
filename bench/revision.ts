/** What was measured: package, version, and the commit where there is one. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export function generatorText(): string {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return [`${name} ${version}`, revision()].filter(Boolean).join(', ');
}

function revision(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const isModified = git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'cli', 'shaders') !== '';
    return `commit ${git('rev-parse', '--short=10', 'HEAD')}${isModified ? ' with changes' : ''}`;
  } catch {
    return '';
  }
}
