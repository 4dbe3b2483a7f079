/**
 * `npm run demos:film` makes the moving picture of the debris demo, demos/debris/debris.webp: the wall falls and comes to
 * rest. Needs `img2webp`.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordRun, showPoses } from './debris-run.ts';
import { openDemoPages } from './demo-pages.ts';

const FILM = fileURLToPath(new URL('../../demos/debris/debris.webp', import.meta.url));
const BODIES = 420;
/** The window around a view of 960 x 540 pixels: the panel is at the right, the bar on top. */
const WINDOW = { width: 1280, height: 589 };

const STEPS = 420;
const STEPS_PER_FRAME = 3;
/** The first ball flies at step 30, and after the last frame hardly a block moves. */
const FIRST_FRAME = 8;
const FRAMES = 70;
/** Milliseconds that a frame is shown for, and the last frame. */
const FRAME_MS = 50;
const LAST_FRAME_MS = 2500;
const QUALITY = 70;

if (spawnSync('img2webp', ['-version']).error) {
  throw new Error(
    'img2webp is missing: install the WebP tools (Debian: apt-get install webp; macOS: brew install webp)',
  );
}

const run = recordRun('wall', BODIES, STEPS, STEPS_PER_FRAME);
console.log(`${STEPS} steps of ${BODIES} bodies`);
const folder = mkdtempSync(join(tmpdir(), 'narrowphase-film-'));
const demos = await openDemoPages('webgpu');
try {
  const query = `?backend=webgpu&quality=full&ahead=no&paused&scene=wall&bodies=${BODIES}`;
  const { page } = await demos.open('debris', { query, viewport: WINDOW });
  await page.$eval('#hint', (hint) => hint.remove());
  const canvas = (await page.$('#view'))!;
  const frames: string[] = [];
  for (const poses of [...run.poses.slice(FIRST_FRAME, FIRST_FRAME + FRAMES), run.poses.at(-1)!]) {
    await showPoses(page, run, poses);
    const path = join(folder, `${String(frames.length).padStart(3, '0')}.png`) as `${string}.png`;
    await canvas.screenshot({ path });
    frames.push(path);
    if (frames.length % 10 === 0) console.log(`${frames.length} frames`);
  }
  const timed = frames.flatMap((path, i) => ['-d', String(i + 1 < frames.length ? FRAME_MS : LAST_FRAME_MS), path]);
  execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', String(QUALITY), '-m', '6', ...timed, '-o', FILM]);
  console.log(`demos/debris/debris.webp: ${Math.round(statSync(FILM).size / 1000)} kB`);
} finally {
  await demos.close();
  rmSync(folder, { recursive: true });
}
