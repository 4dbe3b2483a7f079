/**
 * Loads PhysX. Its binding is built for browsers and refuses Node, which it knows by `process.versions.node`; that is
 * hidden, and a `window` shown, while it loads. The WebAssembly is read from the package here, since the binding would
 * fetch it.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Module from 'physx-js-webidl';

/** Static functions of the declarations are found on prototypes. */
type PhysX = typeof Module & typeof Module.PxTopLevelFunctions;

export const PhysX = await load();

async function load(): Promise<PhysX> {
  const folder = dirname(createRequire(import.meta.url).resolve('physx-js-webidl'));
  const wasmBinary = readFileSync(join(folder, 'physx-js-webidl.wasm'));
  const { versions } = process;
  const scope = globalThis as { window?: unknown };
  Object.defineProperty(process, 'versions', { value: { ...versions, node: undefined }, configurable: true });
  scope.window = globalThis;
  try {
    const { default: start } = (await import('physx-js-webidl')) as unknown as {
      default: (options: object) => Promise<PhysX>;
    };
    return await start({ wasmBinary });
  } finally {
    Object.defineProperty(process, 'versions', { value: versions, configurable: true });
    delete scope.window;
  }
}

const version = PhysX.PHYSICS_VERSION;
export const versionText = `PhysX ${version >> 24}.${(version >> 16) & 255}.${(version >> 8) & 255}`;

/** PhysX keeps the foundation itself; nothing can be made before there is one. */
PhysX.CreateFoundation(version, new PhysX.PxDefaultAllocator(), new PhysX.PxDefaultErrorCallback());
