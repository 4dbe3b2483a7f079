/** records.ts: the modules of records with their comments, for callers' shaders. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORT, lineAt, namesOf } from './link.mjs';

/** Modules whose whole text is exported to callers' shaders, by the name of their text in records.ts. */
const CALLERS_MODULES = {
  resultsWgsl: 'shared/results',
  shapesWgsl: 'shared/shapes',
  planarResultsWgsl: 'planar/results',
  planarShapesWgsl: 'planar/shapes',
};

/** The part of a module after this line is not exported to callers. */
const KERNELS_ALONE = '\n// For kernels alone.\n';

/**
 * @param {string} folder folder of the shaders
 * @param {Readonly<Record<string, number>>} constants of all modules
 */
export function recordsModule(folder, constants) {
  return Object.entries(CALLERS_MODULES)
    .map(([name, path]) => `export const ${name}: string = ${JSON.stringify(standAlone(folder, path, constants))};\n`)
    .join('\n');
}

/**
 * A module's text for callers. u32 constants of other modules are replaced by numbers, so that the text compiles alone
 * and together with those modules.
 */
function standAlone(folder, path, constants) {
  const file = `${path}.wgsl`;
  const text = readFileSync(join(folder, file), 'utf8');
  const [forCallers] = text.split(KERNELS_ALONE);
  let code = forCallers.replace(IMPORT, '').replaceAll(/\n{3,}/g, '\n\n');
  for (const { 2: list, index } of text.matchAll(IMPORT)) {
    for (const name of namesOf(list)) {
      if (!(name in constants))
        throw new Error(`${lineAt(file, text, index)}: imports ${name}, which is not in constants.ts`);
      code = code.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${constants[name]}u`);
    }
  }
  return code;
}
