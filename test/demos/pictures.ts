/**
 * `npm run demos:pictures` makes the pictures of the start page and of the site: demos/NAME/screenshot.webp, and for debris
 * docs/pictures/terrain.webp. Names after `--` limit it to these demos.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordRun, showPoses } from './debris-run.ts';
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
/** Debris: the window around a view of `SIZE`, the bodies, and the steps until they rest. */
const DEBRIS = { width: 1600, height: 849 };
const WALL = { scene: 'wall', bodies: 420, steps: 420 } as const;
const TERRAIN = { scene: 'terrain', bodies: 2000, steps: 600 } as const;

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
    if (folder === 'debris') {
      await shootDebris(demos, WALL, path);
      await shootDebris(demos, TERRAIN, join(root, 'docs/pictures/terrain.webp') as `${string}.webp`);
    } else {
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

/** A scene at rest. */
async function shootDebris(
  demos: DemoPages,
  { scene, bodies, steps }: typeof WALL | typeof TERRAIN,
  path: `${string}.webp`,
): Promise<void> {
  const run = recordRun(scene, bodies, steps, steps);
  const query = `?backend=webgpu&quality=full&ahead=no&paused&scene=${scene}&bodies=${bodies}`;
  const { page, close } = await demos.open('debris', { query, viewport: DEBRIS });
  await page.$eval('#hint', (hint) => hint.remove());
  await showPoses(page, run, run.poses.at(-1)!);
  const canvas = (await page.$('#view'))!;
  await canvas.screenshot({ path, quality: 80 });
  await close();
}
