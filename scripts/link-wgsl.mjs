/**
 * Links WGSL modules: `import package::shared::math::{a, b};` (the syntax of WESL) imports from `shared/math.wgsl`.
 *
 * Modules are concatenated once each, dependencies first. Names are global, as in plain WGSL. The text stays as
 * written, so that a compiler's message leads to the source line (the `wesl` linker reformats). Checks: an imported
 * name is declared in the module it is imported from, every import is used, and no two modules declare the same name.
 *
 * `import package::polytope::small as package::polytope::memory;` in a kernel makes its modules' imports from
 * polytope::memory come from polytope/small.wgsl.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One import of a module: its path and the names. */
export const IMPORT = /^import\s+package((?:::\w+(?:-\w+)*)+)::\{([^}]*)\};[ \t]*\n/gm;
const STAND_IN = /^import\s+package((?:::\w+(?:-\w+)*)+)\s+as\s+package((?:::\w+(?:-\w+)*)+);[ \t]*\n/gm;
const DECLARATION = /^(?:@\S+(?:\s*\([^)]*\))?\s+)*(?:fn|struct|const|override|alias|var(?:<[^>]*>)?)\s+(\w+)/gm;

/**
 * @param {string} folder folder of the shaders
 * @param {string} path module path under it without extension, as in `kernels/contacts-gjk`
 * @returns {Map<string, string>} texts without imports by module path, dependencies first; joined they are the kernel
 */
export function linkModules(folder, path) {
  /** @type {Map<string, {text: string, names: Set<string>}>} */
  const modules = new Map();
  const source = readFileSync(join(folder, `${path}.wgsl`), 'utf8');
  const standIns = new Map([...source.matchAll(STAND_IN)].map(([, actual, name]) => [pathOf(name), pathOf(actual)]));
  visit(folder, path, modules, [], standIns);
  const owners = new Map();
  for (const [module, { names }] of modules) {
    for (const name of names) {
      if (owners.has(name))
        throw new Error(`${module}.wgsl declares ${name}, which ${owners.get(name)}.wgsl declares too`);
      owners.set(name, module);
    }
  }
  return new Map([...modules].map(([module, { text }]) => [module, text]));
}

function pathOf(name) {
  return name.slice(2).replaceAll('::', '/');
}

function visit(folder, path, modules, trail, standIns) {
  if (modules.has(path)) return;
  if (trail.includes(path)) throw new Error(`circular import: ${[...trail, path].join(' -> ')}`);
  const source = readFileSync(join(folder, `${path}.wgsl`), 'utf8');
  const text = (trail.length === 0 ? source.replace(STAND_IN, '') : source).replace(IMPORT, '');
  if (/^import\b/m.test(text))
    throw new Error(`${path}.wgsl: an import that is not of the form import package::path::{names};`);
  for (const [, modulePath, list] of source.matchAll(IMPORT)) {
    const named = pathOf(modulePath);
    const dependency = standIns.get(named) ?? named;
    visit(folder, dependency, modules, [...trail, path], standIns);
    const { names } = modules.get(dependency);
    for (const name of list
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)) {
      if (!names.has(name)) throw new Error(`${path}.wgsl imports ${name}, which ${dependency}.wgsl does not declare`);
      if (!new RegExp(`\\b${name}\\b`).test(text.replace(/\/\/.*$/gm, '')))
        throw new Error(`${path}.wgsl imports ${name} without using it`);
    }
  }
  modules.set(path, { text, names: new Set([...text.matchAll(DECLARATION)].map((match) => match[1])) });
}
