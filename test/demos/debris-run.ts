/** A run of the debris demo on Dawn in Node, for pictures: Chrome's software adapter takes minutes for the same steps. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface RecordedRun {
  /** Poses after every `every` steps, the start included. */
  poses: number[][];
  /** The colours of the wall's blocks, from body 1 on; none for other scenes. */
  colours: [number, number, number][];
}

/** A scene's run, with the colours that the last poses give to the wall's blocks. */
export function recordRun(scene: 'wall' | 'terrain', bodies: number, steps: number, every: number): RecordedRun {
  const folder = mkdtempSync(join(tmpdir(), 'narrowphase-run-'));
  try {
    const out = join(folder, 'run.json');
    const program = [join(root, 'scripts/run-ts.mjs'), join(root, 'demos/debris/record.ts')];
    const options = ['--scene', scene, '--bodies', bodies, '--steps', steps, '--every', every, '--out', out].map(
      String,
    );
    execFileSync(process.execPath, [...program, ...options], { stdio: 'inherit' });
    return JSON.parse(readFileSync(out, 'utf8')) as RecordedRun;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Shows poses of a recorded run on a page that was opened with `?ahead=no&paused` and the same scene. */
export async function showPoses(page: Page, { colours }: RecordedRun, poses: number[]): Promise<void> {
  await page.evaluate(
    async (shown, tints) => {
      // three.js updates shadows once per animation frame.
      await new Promise(requestAnimationFrame);
      window.debris.show(shown, tints);
    },
    poses,
    colours,
  );
}
