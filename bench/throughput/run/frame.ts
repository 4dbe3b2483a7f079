/** Frames, by the built package with Dawn, beside Rapier in the same process. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tester, TesterOptions } from '../../../src/api/types.ts';
import { withDawn } from '../../../src/node/dawn.ts';
import { measureFrames, type FrameCase } from '../../frame/measure.ts';
import { createRapierFrame } from '../../frame/rapier-frame.ts';
import { setRests } from '../../rests.ts';
import type { Options } from '../options.ts';
import { findEngines } from './subjects.ts';

export interface FrameRun {
  adapter: string;
  isSoftware: boolean;
  cases: FrameCase[];
}

interface Package {
  createTester(options: TesterOptions): Promise<Tester>;
}

/** Node's own `import`: that of the runner rewrites what it loads, which makes it slower. */
const importAsPublished = new Function('url', 'return import(url)') as (url: string) => Promise<Package>;

/** On the first adapter in Node that was asked for. Throws if there is none. */
export async function measureFrameCases(
  { engines, peers, frameScenes, bodies, rounds, seed }: Options,
  say: (line: string) => void,
): Promise<FrameRun> {
  const found = (await findEngines()).flatMap((entry) => ('engine' in entry ? [entry.engine] : []));
  const chosen = found.find(({ name, driver }) => driver && (engines === null || engines.includes(name)));
  if (!chosen) throw new Error(`frames need Dawn on an adapter, and there is none of ${engines?.join(', ') ?? 'any'}`);
  const dist = pathToFileURL(join(import.meta.dirname, '../../../dist/node.js')).href;
  const { createTester } = await importAsPublished(dist);
  const tester = await withDawn(chosen.driver!, (gpu) => createTester({ backend: 'webgpu', gpu }));
  const { vendor, description, isSoftware } = tester.adapter;
  setRests(isSoftware);
  const createRapier = peers.includes('rapier') ? createRapierFrame : undefined;
  const cases: FrameCase[] = [];
  await measureFrames(tester, { scenes: frameScenes, sizes: bodies, rounds, seed, say, createRapier }, cases);
  tester.dispose();
  return { adapter: `${chosen.name}: ${vendor}, ${description}`, isSoftware, cases };
}
