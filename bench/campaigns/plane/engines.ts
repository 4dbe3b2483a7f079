/** The engines of the campaign: the CPU backend, Dawn in this process, and browsers. */

import { join } from 'node:path';
import { bundlePage } from '../../../scripts/bundle.ts';
import { launchBrowser } from '../../../verification/engines/launch.ts';
import { createTester } from '../../../src/node.ts';
import type { AdapterDescription } from '../../../src/api/types.ts';
import { serve } from '../../../verification/engines/static-server.ts';
import { measure, type Row } from './measure.ts';

export const ENGINE_NAMES = ['cpu', 'dawn', 'chrome', 'firefox'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

export interface OpenEngine {
  name: EngineName;
  /** Description for the report. */
  description: string;
  measure(family: string, count: number, seed: number, judged: number): Promise<Row>;
  close(): Promise<void>;
}

/** A chunk on a software GPU may take minutes. */
const TIMEOUT_MS = 900_000;

export async function openEngine(name: EngineName): Promise<OpenEngine> {
  if (name === 'chrome' || name === 'firefox') return openPage(name);
  const tester = await createTester({ dimension: 2, backend: name === 'cpu' ? 'cpu' : 'webgpu' });
  return {
    name,
    description: describe(tester.adapter),
    measure: (...args) => measure(tester, ...args),
    close: async () => tester.dispose(),
  };
}

function describe({ vendor, architecture, description, isSoftware }: AdapterDescription): string {
  return `${[vendor, architecture, description].filter(Boolean).join(', ') || 'not told by the browser'}${isSoftware ? ' (software)' : ''}`;
}

async function openPage(name: 'chrome' | 'firefox'): Promise<OpenEngine> {
  const server = await serve(
    {},
    {
      '/index.html':
        '<!doctype html><meta charset="utf-8"><title>plane</title><script type="module" src="/page.js"></script>',
      '/page.js': await bundlePage(join(import.meta.dirname, '../bench/campaigns/plane/page.ts')),
    },
  );
  const browser = await launchBrowser(name, 'software', TIMEOUT_MS);
  const close = async (): Promise<void> => {
    await browser.close();
    await server.close();
  };
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(`${name}: ${error}`));
    await page.goto(`${server.origin}/`);
    await page.waitForFunction(() => 'plane' in window, { timeout: 60_000 });
    const adapter = await page.evaluate(() => ({
      ...(window as unknown as { plane: { adapter: AdapterDescription } }).plane.adapter,
    }));
    return {
      name,
      description: `${await browser.version()}; ${describe(adapter)}`,
      measure: (...args) =>
        page.evaluate(
          (...given) =>
            (window as unknown as { plane: { measure(...args: unknown[]): Promise<Row> } }).plane.measure(...given),
          ...args,
        ),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
