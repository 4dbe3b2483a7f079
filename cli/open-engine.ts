/** Opens the engine that `--engine` names, or every engine of this machine. */

import { existsSync } from 'node:fs';
import { dawnDrivers } from '../src/node/dawn.ts';
import { NarrowphaseError } from '../src/api/errors.ts';
import { CommandError, errorText, ExitCode } from './exit.ts';
import { openBrowser } from '../verification/engines/browser.ts';
import { BROWSERS } from '../verification/engines/find-browser.ts';
import type { BrowserName } from '../verification/engines/find-browser.ts';
import { openCpu } from '../verification/engines/cpu.ts';
import { openBestDawn, openDawn } from '../verification/engines/dawn.ts';
import { ENGINE_NAMES, type Engine, type EngineName } from '../verification/engines/engine.ts';

export const ENGINES = ['auto', ...ENGINE_NAMES] as const;
export type EngineChoice = (typeof ENGINES)[number];

export interface OpenOptions {
  /** Milliseconds after which an unresponsive browser is killed. */
  timeout: number;
  /** Receives messages for the user, such as that a browser was restarted. */
  notice: (text: string) => void;
}

export interface OpenEngine {
  engine: Engine;
  /** Why `auto` fell back to the CPU; null otherwise. */
  fallback: string | null;
}

/**
 * Opens an engine. `auto` takes the first of: a hardware adapter through Dawn, one through Chrome, the CPU. Throws a
 * `CommandError` if the named engine can't run.
 */
export async function openEngine(choice: EngineChoice, options: OpenOptions): Promise<OpenEngine> {
  if (choice === 'auto') return openAuto(options);
  try {
    return { engine: await openNamed(choice, options), fallback: null };
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    throw new CommandError(ExitCode.CannotRun, `narrowphase: engine ${choice} cannot run: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function openNamed(choice: EngineName, options: OpenOptions): Promise<Engine> {
  switch (choice) {
    case 'chrome':
    case 'firefox':
      return openBestBrowser(choice, options);
    case 'dawn':
      return openBestDawn();
    case 'cpu':
      return openCpu();
  }
}

async function openAuto(options: OpenOptions): Promise<OpenEngine> {
  const reasons: string[] = [];
  const hardware = { dawn: () => openBestDawn('hardware'), chrome: () => openOnHardware('chrome', options) };
  for (const [name, open] of Object.entries(hardware)) {
    try {
      return { engine: await open(), fallback: null };
    } catch (error) {
      if (!(error instanceof NarrowphaseError)) throw error;
      reasons.push(`${name}: ${error.message}`);
    }
  }
  return { engine: await openCpu(), fallback: reasons.join('; ') };
}

/** Opens a browser on hardware if possible, otherwise on software. */
async function openBestBrowser(name: BrowserName, options: OpenOptions): Promise<Engine> {
  try {
    return await openOnHardware(name, options);
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    return openBrowser(name, 'software', options);
  }
}

async function openOnHardware(name: BrowserName, options: OpenOptions): Promise<Engine> {
  if (!hasGraphicsDevice()) throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'this machine has no graphics device');
  return openBrowser(name, 'hardware', options);
}

/** On Linux, whether a device file of a graphics card exists. Other systems have no such test, so true. */
function hasGraphicsDevice(): boolean {
  if (process.platform !== 'linux') return true;
  return ['/dev/dri', '/dev/nvidia0', '/dev/dxg'].some((path) => existsSync(path));
}

/** An engine that may exist on this machine, and how to open it. */
interface Source {
  name: EngineName;
  detail: string;
  open: () => Promise<Engine>;
}

/** An engine that runs on this machine, or the reason why it does not. */
export type FoundEngine = { name: EngineName; detail: string } & ({ engine: Engine } | { reason: string });

/**
 * Every engine of this machine, one after the other, or with `only` those of that name: Dawn on each Vulkan driver,
 * Chrome and Firefox each on hardware and on software, the CPU. Each engine is closed before the next one is opened. A driver
 * whose adapter an earlier driver has already given is skipped.
 */
export async function* everyEngine(options: OpenOptions, only?: EngineName): AsyncGenerator<FoundEngine> {
  const seen = new Set<string>();
  for (const { name, detail, open } of await sources(options)) {
    if (only !== undefined && name !== only) continue;
    let engine: Engine;
    try {
      engine = await open();
    } catch (error) {
      yield { name, detail, reason: errorText(error) };
      continue;
    }
    try {
      const key = JSON.stringify([name, engine.facts.adapter]);
      if (name === 'dawn' && seen.has(key)) continue;
      seen.add(key);
      yield { name, detail, engine };
    } finally {
      await engine.close();
    }
  }
}

async function sources(options: OpenOptions): Promise<Source[]> {
  const dawn = await dawnDrivers().then(
    (drivers) => drivers.map((driver): Source => ({ name: 'dawn', detail: driver.name, open: () => openDawn(driver) })),
    (error: unknown): Source[] => [{ name: 'dawn', detail: 'Vulkan', open: () => Promise.reject(error) }],
  );
  return [
    ...dawn,
    ...BROWSERS.flatMap((name): Source[] => [
      { name, detail: 'hardware', open: () => openOnHardware(name, options) },
      { name, detail: 'software', open: () => openBrowser(name, 'software', options) },
    ]),
    { name: 'cpu', detail: '', open: openCpu },
  ];
}
