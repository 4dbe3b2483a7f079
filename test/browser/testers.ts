/**
 * Runs in the page: one tester of the built package on WebGPU for all that is asked of a family, so that its kernels
 * compile once.
 */

import type * as Narrowphase from '../../src/index.ts';
import { asHardware } from '../../verification/engines/as-hardware.ts';
import type { BrowserFamilyName } from './families.ts';

// In a variable, so that the bundler leaves it to the page's import map.
const packageName = 'narrowphase';
export const { createTester, heightfield }: typeof Narrowphase = await import(/* @vite-ignore */ packageName);

/** The page's adapter, which says that it is hardware. */
export const hardware = asHardware(navigator.gpu);

let kept: { name: BrowserFamilyName; tester: Narrowphase.Tester } | undefined;

/**
 * The last tester if it was asked for by the same name, otherwise another in its place. Whoever adds shapes to it
 * removes them.
 */
export async function testerOf(name: BrowserFamilyName): Promise<Narrowphase.Tester> {
  if (kept?.name !== name) {
    kept?.tester.dispose();
    kept = undefined;
    kept = { name, tester: await createTester({ backend: 'webgpu' }) };
  }
  return kept.tester;
}

let keptPlanar: Promise<Narrowphase.PlanarTester> | undefined;

/** One tester of the plane for all. */
export function planarTester(): Promise<Narrowphase.PlanarTester> {
  keptPlanar ??= createTester({ backend: 'webgpu', dimension: 2 });
  return keptPlanar;
}
