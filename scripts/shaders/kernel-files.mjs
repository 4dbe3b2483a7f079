/**
 * The kernels in shaders/kernels. A file with an entry point is either a kernel with the file's name, or a template for
 * several kernels:
 *
 *     @kernel(distances-closed)                       a kernel that is made from this file
 *     @if(distances-closed) a = b;                    a statement, declaration or import of that kernel alone
 *     @if(distances-closed || distances-mpr) a = b;   the same, for several kernels
 *
 * An `@if` applies up to the next semicolon. All other lines are in all kernels of the file. Names are relative to the
 * folder of the file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { lineAt } from './link.mjs';

const KERNEL = /^@kernel\(([\w-]+)\)[ \t]*(?:\/\/.*)?$/gm;
const CONDITION = /^([ \t]*)@if\(([^)]*)\) ([^;]*;)/gm;

/**
 * @param {string} folder folder of the shaders
 * @returns {{ name: string, file: string, text: string }[]} by name under kernels/; `file` is relative to `folder`
 */
export function readKernels(folder) {
  const kernels = readdirSync(join(folder, 'kernels'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.wgsl'))
    .map((path) => ({ path, text: readFileSync(join(folder, 'kernels', path), 'utf8') }))
    .filter(({ text }) => text.includes('@compute'))
    .flatMap(({ path, text }) => kernelsOf(path.replaceAll('\\', '/'), text))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  kernels.forEach(({ name, file }, i) => {
    if (kernels[i + 1]?.name === name)
      throw new Error(`${file} makes kernel ${name}, and so does ${kernels[i + 1].file}`);
  });
  return kernels;
}

function kernelsOf(path, text) {
  const file = `kernels/${path}`;
  const names = [...text.matchAll(KERNEL)].map((match) => match[1]);
  checkConditions(file, text, names);
  if (names.length === 0) return [{ name: path.replace(/\.wgsl$/, ''), file, text }];
  return names.map((name) => ({ name: posix.join(posix.dirname(path), name), file, text: textOf(name, text) }));
}

/** A kernel's text. Lines of other kernels are left empty, so that line numbers don't change. */
function textOf(kernel, text) {
  return text
    .replace(KERNEL, '')
    .replace(CONDITION, (_, indentation, condition, statement) =>
      namesIn(condition).includes(kernel) ? indentation + statement : statement.replace(/[^\n]/g, ''),
    );
}

function namesIn(condition) {
  return condition.split('||').map((name) => name.trim());
}

/** The text with all pairs of brackets removed, the innermost first. */
function withoutBrackets(text) {
  const shorter = text.replace(/\([^(){}]*\)|\{[^(){}]*\}/g, '');
  return shorter === text ? text : withoutBrackets(shorter);
}

function checkConditions(file, text, kernels) {
  const used = new Set();
  for (const { 2: condition, 3: statement, index } of text.matchAll(CONDITION)) {
    if (/[{(]/.test(withoutBrackets(statement)))
      throw new Error(
        `${lineAt(file, text, index)}: @if stands before a block or a loop, expected what ends with its first semicolon`,
      );
    for (const name of namesIn(condition)) {
      if (!kernels.includes(name))
        throw new Error(
          `${lineAt(file, text, index)}: @if names ${name}, expected a kernel of this file: ${kernels.join(', ')}`,
        );
      used.add(name);
    }
  }
  for (const { 1: name, index } of text.matchAll(KERNEL)) {
    if (!used.has(name)) throw new Error(`${lineAt(file, text, index)}: kernel ${name} has no statement of its own`);
  }
  // Except in comments, nothing else may look like these.
  const rest = text
    .replace(KERNEL, '')
    .replace(CONDITION, '$1$3')
    .replace(/\/\/.*$/gm, '');
  const misplaced = /@(if|kernel)\b/.exec(rest);
  if (misplaced)
    throw new Error(
      `${lineAt(file, rest, misplaced.index)}: @${misplaced[1]} can't be read here, expected a line @kernel(NAME), ` +
        'or a line that begins with @if(NAME || NAME) and a statement',
    );
}
