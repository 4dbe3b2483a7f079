/**
 * `npm run demos:pictures` makes the pictures of the start page and of the site: demos/NAME/screenshot.webp. Names after
 * `--` limit it to these demos.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordWall, showPoses } from './debris-run.ts';
import { openDemoPages } from './demo-pages.ts';
import type { DemoPages } from './demo-pages.ts';
import { hideRendererName } from './page-tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SIZE = { width: 1280, height: 800 };
/** Frames take up to a second on software adapters. */
const SETTLE_MS = 20_000;
/** These draw with WebGL, and the others with WebGPU. */
const DRAWN_BY_WEBGL = ['playground'];
/** What a demo's picture needs: an address, a button to press, or more time. */
const NEEDS: Partial<Record<string, { query?: string; press?: string; settleMs?: number }>> = {
  crowd: { query: '?backend=webgpu&agents=800', settleMs: 45_000 },
  playground: { query: '?backend=cpu' },
  bench: { press: '#run', settleMs: 60_000 },
};
/** Debris: the window around a view of `SIZE`, the blocks, and the steps until they rest. */
const DEBRIS = { window: { width: 1600, height: 849 }, bodies: 420, steps: 420 };

const wanted = process.argv.slice(2);
const folders = readdirSync(join(root, 'demos'))
  .filter((folder) => existsSync(join(root, 'demos', folder, 'index.html')))
  .filter((folder) => wanted.length === 0 || wanted.includes(folder));

for (const drawing of ['webgpu', 'webgl'] as const) {
  const own = folders.filter((folder) => DRAWN_BY_WEBGL.includes(folder) === (drawing === 'webgl'));
  if (own.length === 0) continue;
  const demos = await openDemoPages(drawing);
  for (const folder of own) {
    const path = join(root, `demos/${folder}/screenshot.webp`) as `${string}.webp`;
    if (folder === 'debris') await shootDebris(demos, path);
    else {
      const before = drawing === 'webgl' ? hideRendererName : undefined;
      const { query = '?backend=webgpu', press, settleMs = SETTLE_MS } = NEEDS[folder] ?? {};
      const { page, close } = await demos.open(folder, {
        query,
        viewport: SIZE,
        before,
      });
      if (press) await page.click(press);
      await new Promise((resolve) => setTimeout(resolve, settleMs));
      await page.screenshot({ path, quality: 80 });
      await close();
    }
    console.log(`demos/${folder}/screenshot.webp`);
  }
  await demos.close();
}

/** The wall at rest. */
async function shootDebris(demos: DemoPages, path: `${string}.webp`): Promise<void> {
  const { window: viewport, bodies, steps } = DEBRIS;
  const run = recordWall(bodies, steps, steps);
  const query = `?backend=webgpu&quality=full&ahead=no&paused&scene=wall&bodies=${bodies}`;
  const { page, close } = await demos.open('debris', { query, viewport });
  await page.$eval('#hint', (hint) => hint.remove());
  await showPoses(page, run, run.poses.at(-1)!);
  const canvas = (await page.$('#view'))!;
  await canvas.screenshot({ path, quality: 80 });
  await close();
}
