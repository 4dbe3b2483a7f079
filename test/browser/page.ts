/** Runs in the page: what the tests ask for by name through `window.harness`. */

import { compareQueries } from './compare.ts';
import { answerBadPairs } from './bad-pairs-answers.ts';
import {
  checkModules,
  compileBatches,
  compiledKernels,
  compileKernels,
  compileParts,
  recordCompiling,
} from './compiled.ts';
import { answerFromMemory } from './memory.ts';
import { compareImpacts } from './impacts.ts';
import { compareHalves } from './halves.ts';
import { compareManifolds } from './manifolds.ts';
import { comparePlanarImpacts, comparePlanarQuery, comparePlanarRays } from './planar.ts';
import { compareBox3d, compareFoundPairs, comparePairs, compareScenes, judgeRandomBatches } from './pairs.ts';
import {
  comparePartBatches,
  comparePartsInPage,
  comparePlanarParts,
  compareTurningParts,
  judgeSurfaceBatches,
} from './parts.ts';
import { compareRays } from './rays.ts';
import { comparePortals } from './portals.ts';

recordCompiling();

/** Imports the module at `url` and gives what it printed. */
async function runSample(url: string): Promise<string[]> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (...values) => lines.push(values.map(String).join(' '));
  try {
    await import(/* @vite-ignore */ url);
  } finally {
    console.log = log;
  }
  return lines;
}

export const harness = {
  answerBadPairs,
  answerFromMemory,
  checkModules,
  compareImpacts,
  compareHalves,
  compareManifolds,
  compareBox3d,
  compareFoundPairs,
  comparePairs,
  compareScenes,
  judgeRandomBatches,
  compareRays,
  comparePartBatches,
  judgeSurfaceBatches,
  comparePlanarParts,
  compareTurningParts,
  comparePartsInPage,
  comparePlanarImpacts,
  comparePlanarQuery,
  comparePlanarRays,
  comparePortals,
  compareQueries,
  compileBatches,
  compiledKernels,
  compileKernels,
  compileParts,
  runSample,
};
Object.assign(window, { harness });
