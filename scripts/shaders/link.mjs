/**
 * Links WGSL modules: `import package::shared::math::{a, b};` (the syntax of WESL) imports from `shared/math.wgsl`.
 *
 * Modules are concatenated once each, dependencies first. Names are global, as in plain WGSL. The text stays as
 * written, so that a compiler's message leads to the source line (the `wesl` linker reformats). Checks: an imported
 * name is declared in the module it is imported from, every import is used, and no two modules declare the same name.
 *
 * `import package::polytope::small as package::polytope::capacity;` in a kernel makes its modules' imports from
 * polytope::capacity come from polytope/small.wgsl.
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
 * @param {{ file: string, text: string }} [entry] the text of that module and the file that it was made from; by
 *   default the module is read from its own file
 * @returns {Map<string, string>} texts without imports by module path, dependencies first: joined they are the kernel
 */
export function linkModules(folder, path, entry = read(folder, path)) {
  /** @type {Map<string, {file: string, text: string, names: Set<string>}>} */
  const modules = new Map();
  const standIns = new Map(
    [...entry.text.matchAll(STAND_IN)].map(([, actual, name]) => [pathOf(name), pathOf(actual)]),
  );
  visit(folder, path, { ...entry, text: withoutStatements(entry.text, STAND_IN) }, modules, [], standIns);
  const owners = new Map();
  for (const { file, names } of modules.values()) {
    for (const name of names) {
      if (owners.has(name)) throw new Error(`${file} declares ${name}, which ${owners.get(name)} declares too`);
      owners.set(name, file);
    }
  }
  return new Map([...modules].map(([module, { text }]) => [module, text]));
}

/** The file and line of an index in its text, in the format that compilers use. */
export function lineAt(file, text, index) {
  return `${file}:${text.slice(0, index).split('\n').length}`;
}

/** Names in the braces of an import. */
export function namesOf(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function read(folder, path) {
  const file = `${path}.wgsl`;
  return { file, text: readFileSync(join(folder, file), 'utf8') };
}

/** A module path as files have it, from the form that imports have: `::a::b`. */
export function pathOf(name) {
  return name.slice(2).replaceAll('::', '/');
}

/** Removes the statements but keeps their line breaks, so that line numbers don't change. */
function withoutStatements(text, pattern) {
  return text.replace(pattern, (statement) => statement.replace(/[^\n]/g, ''));
}

function visit(folder, path, { file, text: source }, modules, trail, standIns) {
  if (modules.has(path)) return;
  if (trail.includes(path)) throw new Error(`circular import: ${[...trail, path].join(' -> ')}`);
  const text = withoutStatements(source, IMPORT);
  const unread = /^import\b/m.exec(text);
  if (unread)
    throw new Error(
      `${lineAt(file, text, unread.index)}: an import that is not of the form import package::path::{names};`,
    );
  for (const { 1: modulePath, 2: list, index } of source.matchAll(IMPORT)) {
    const named = pathOf(modulePath);
    const dependency = standIns.get(named) ?? named;
    visit(folder, dependency, read(folder, dependency), modules, [...trail, path], standIns);
    const { file: from, names } = modules.get(dependency);
    const where = lineAt(file, source, index);
    for (const name of namesOf(list)) {
      if (!names.has(name)) throw new Error(`${where}: imports ${name}, which ${from} does not declare`);
      if (!new RegExp(`\\b${name}\\b`).test(text.replace(/\/\/.*$/gm, '')))
        throw new Error(`${where}: imports ${name} without using it`);
    }
  }
  modules.set(path, { file, text, names: new Set([...text.matchAll(DECLARATION)].map((match) => match[1])) });
}
