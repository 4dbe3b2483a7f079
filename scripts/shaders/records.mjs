/** records.ts: the modules of records with their comments, for callers' shaders. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORT, lineAt, namesOf, pathOf } from './link.mjs';

/** Texts for callers' shaders in records.ts, and the modules that each consists of. */
const CALLERS_MODULES = {
  resultsWgsl: ['shared/results', 'shared/read-results'],
  shapesWgsl: ['shared/shapes'],
  planarResultsWgsl: ['planar/results', 'planar/read-results'],
  planarShapesWgsl: ['planar/shapes'],
  raysWgsl: ['broad-phase/ray-hit'],
};

/** The part of a module after this line is not exported to callers. */
const KERNELS_ALONE = '\n// For kernels alone.\n';

/**
 * @param {string} folder folder of the shaders
 * @param {Readonly<Record<string, number>>} constants of all modules
 */
export function recordsModule(folder, constants) {
  return Object.entries(CALLERS_MODULES)
    .map(([name, paths]) => {
      const text = paths.map((path) => standAlone(folder, path, paths, constants)).join('\n');
      return `export const ${name}: string = ${JSON.stringify(text)};\n`;
    })
    .join('\n');
}

/**
 * A module's text for callers. u32 constants of modules outside `paths` are replaced by numbers, so that the text
 * compiles alone and together with those modules.
 */
function standAlone(folder, path, paths, constants) {
  const file = `${path}.wgsl`;
  const text = readFileSync(join(folder, file), 'utf8');
  const [forCallers] = text.split(KERNELS_ALONE);
  let code = forCallers.replace(IMPORT, '').replaceAll(/\n{3,}/g, '\n\n');
  for (const { 1: module, 2: list, index } of text.matchAll(IMPORT)) {
    if (paths.includes(pathOf(module))) continue;
    for (const name of namesOf(list)) {
      if (!(name in constants))
        throw new Error(`${lineAt(file, text, index)}: imports ${name}, which is not in constants.ts`);
      code = code.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${constants[name]}u`);
    }
  }
  return code;
}
