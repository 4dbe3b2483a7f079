/** A call of another library as a subject. The library is loaded when the subject is opened. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PEER_CALLS, type PeerName } from './catalogue.ts';
import { readWorkload } from '../workload-file.ts';
import type { Subject } from '../protocol.ts';
import type { Runner } from '../runner.ts';

interface PeerModule {
  version: string;
  /** The workload is of the shapes that the call takes, in its dimension. */
  createRunner(call: string, workload: never): Runner;
}

const MODULES: Record<PeerName, { package: string; load: () => Promise<PeerModule> }> = {
  rapier: { package: '@dimforge/rapier3d-compat', load: () => import('./rapier.ts') },
  rapier2d: { package: '@dimforge/rapier2d-compat', load: () => import('./rapier2d.ts') },
  jolt: { package: 'jolt-physics', load: () => import('./jolt.ts') },
  physx: { package: 'physx-js-webidl', load: () => import('./physx.ts') },
  three: { package: 'three', load: () => import('./three.ts') },
  cannon: { package: 'cannon-es', load: () => import('./cannon.ts') },
};

export function peerSubject(call: string): Subject {
  const { peer } = PEER_CALLS.find(({ id }) => id === call)!;
  let library: PeerModule;
  let runner: Runner;
  return {
    async open() {
      const start = performance.now();
      library = await MODULES[peer].load();
      return {
        runtime: `${library.version} (${MODULES[peer].package} ${versionOf(MODULES[peer].package)})`,
        openMs: performance.now() - start,
      };
    },
    async load(file) {
      runner = library.createRunner(call, readWorkload(file) as never);
      return {};
    },
    reserve: async (count) => runner.reserve(count),
    run: (count) => runner.run(count),
    answers: (indices) => runner.answers(indices),
    close: async () => {},
  };
}

/** From the package.json above the module, which packages need not export. */
function versionOf(name: string): string {
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  for (; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    const description = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string })
      : {};
    if (description.name === name && description.version) return description.version;
  }
  return 'of unknown version';
}
