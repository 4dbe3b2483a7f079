/** The demos as `npm run demos:build` makes them. All test files of a run share one build. */

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const POLL_MS = 200;

/**
 * The folder of the built demos inside `folder`. The first caller builds them, in whichever process it is; others wait
 * for it. If its build fails, it rejects, and the next caller tries.
 */
export async function builtDemos(folder: string): Promise<string> {
  const built = join(folder, 'demos');
  const lock = join(folder, 'lock');
  while (!existsSync(built)) {
    if (!tryLock(lock)) {
      await sleep(POLL_MS);
      continue;
    }
    try {
      if (existsSync(built)) break;
      const outDir = join(folder, 'building');
      await build({
        configFile: join(root, 'demos/vite.config.ts'),
        logLevel: 'error',
        publicDir: false,
        build: { outDir, emptyOutDir: true },
      });
      renameSync(outDir, built);
    } finally {
      rmSync(lock, { recursive: true });
    }
  }
  return built;
}

/** Makes the folder, which only one process can do. */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
