/**
 * `npm run demos:pictures` makes the pictures of the start page and of the site: demos/NAME/screenshot.webp. Names after
 * `--` limit it to these demos.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDemoPages } from './demo-pages.ts';
import { hideRendererName } from './heap-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SIZE = { width: 1280, height: 800 };
/** Frames take up to a second on software adapters. */
const SETTLE_MS = 20_000;
/** The heap draws with WebGL, and the others with WebGPU. */
const DRAWN_BY_WEBGL = ['heap'];
/** More people than a software adapter takes in real time. */
const QUERIES: Record<string, string> = { crowd: '&agents=1500' };

const wanted = process.argv.slice(2);
const folders = readdirSync(join(root, 'demos'))
  .filter((folder) => existsSync(join(root, 'demos', folder, 'index.html')))
  .filter((folder) => wanted.length === 0 || wanted.includes(folder));

for (const drawing of ['webgpu', 'webgl'] as const) {
  const own = folders.filter((folder) => DRAWN_BY_WEBGL.includes(folder) === (drawing === 'webgl'));
  if (own.length === 0) continue;
  const demos = await openDemoPages(drawing, join(root, 'scenes'));
  for (const folder of own) {
    const before = drawing === 'webgl' ? hideRendererName : undefined;
    const query = `?backend=webgpu${QUERIES[folder] ?? ''}`;
    const { page, close } = await demos.open(folder, { query, viewport: SIZE, before });
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    await page.screenshot({ path: join(root, `demos/${folder}/screenshot.webp`) as `${string}.webp`, quality: 80 });
    console.log(`demos/${folder}/screenshot.webp`);
    await close();
  }
  await demos.close();
}
