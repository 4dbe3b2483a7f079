/** Every function is short enough to be read at once: at most 100 lines. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.9';
import { expect, test } from 'vitest';

const MOST_LINES = 100;

/** Lengths in lines, by name. */
type Lengths = [name: string, lines: number][];

/** Functions of a TypeScript file, those inside others too. */
function typescriptFunctions(text: string): Lengths {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const lengths: Lengths = [];
  const line = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const owner = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      lengths.push([owner?.getText() ?? 'function', line(node.end) - line(node.getStart()) + 1]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lengths;
}

/** Functions of a WGSL file, whose closing brace is the only character of its line. */
function wgslFunctions(text: string): Lengths {
  return Array.from(text.matchAll(/^(?:@.*\s)?fn (\w+)[^]*?^\}$/gm), ([all, name]) => [name, all.split('\n').length]);
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The functions of all files with this ending in some folders, by file and name. */
function functionsIn(folders: string[], ending: string, read: (text: string) => Lengths): Lengths {
  return folders.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith(ending) && !path.startsWith('src/generated/'))
      .flatMap((path) =>
        read(readFileSync(root + path, 'utf8')).map(([name, lines]): Lengths[0] => [`${path} ${name}`, lines]),
      ),
  );
}

const functions = [
  ...functionsIn(['src', 'cli'], '.ts', typescriptFunctions),
  ...functionsIn(['shaders'], '.wgsl', wgslFunctions),
];

test('no function is longer than 100 lines', () => {
  expect(functions.filter(([, lines]) => lines > MOST_LINES)).toEqual([]);
});

test('the lengths are those of functions of both languages, inside others too', () => {
  expect(typescriptFunctions('function a() {\n  const b = () => {\n    return 1;\n  };\n}\n')).toEqual([
    ['a', 5],
    ['b', 3],
  ]);
  expect(
    wgslFunctions('@compute @workgroup_size(64)\nfn main(\n  a: u32\n) {\n  if (a > 0u) {\n  }\n}\nfn b() {\n}\n'),
  ).toEqual([
    ['main', 7],
    ['b', 2],
  ]);
  expect(functions.length).toBeGreaterThan(3000);
  expect(functions.map(([name]) => name)).toContain('shaders/mpr.wgsl mpr');
});
