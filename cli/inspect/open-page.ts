/** `--open`: serves the inspector page with a capture on localhost, and opens the browser. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../../verification/engines/static-server.ts';
import type { Capture } from '../../src/api/types.ts';
import { CommandError, ExitCode } from '../exit.ts';

/** Serves until the program ends, and returns the page's address. */
export async function servePage(capture: Capture): Promise<string> {
  const dist = distFolder();
  const page = '/pages/inspector/?from=/capture.json';
  const toPage = `<!doctype html><meta http-equiv="refresh" content="0; url=${page}" />`;
  // In the demos, the page's link to the start page leads to /pages/.
  const texts = { '/index.html': toPage, '/pages/index.html': toPage, '/capture.json': JSON.stringify(capture) };
  const { origin } = await serve({ '/': dist }, texts);
  return origin + page;
}

/** The built library with the page, wherever this module is bundled to. */
function distFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const dist = join(folder, 'dist');
  if (existsSync(join(dist, 'pages/inspector/index.html'))) return dist;
  throw new CommandError(ExitCode.CannotRun, `the inspector page is missing in ${dist}`);
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens the address as the desktop does, or with the program that BROWSER names; the address is printed in any case. */
export function openBrowser(address: string): void {
  const { BROWSER } = process.env;
  const [program, ...args] = BROWSER ? [BROWSER] : (OPENERS[process.platform] ?? ['xdg-open']);
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
