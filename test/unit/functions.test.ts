/** Every function has at most 100 lines, so that it can be read at once, and in TypeScript at most 6 parameters. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.9';
import { expect, test } from 'vitest';

const MOST_LINES = 100;
const MOST_PARAMETERS = 6;

/** Functions of more parameters, with the reason. */
const OF_MANY_PARAMETERS = {
  // A point is an array and a place in it. These run several times per pair of triangles, and objects would be allocated.
  'src/cpu/triangle-intersection/predicates.ts volume': 8,
  'src/cpu/triangle-intersection/predicates.ts area': 7,
  // Four numbers in twice the precision, two each: as hot as the volume whose end it is.
  'src/cpu/triangle-intersection/precise.ts determinant': 8,
};

interface Counted {
  name: string;
  lines: number;
  parameters: number;
}

/** The name of what a function is the value or the type of. */
function nameOfOwner({ parent }: ts.Node): string | undefined {
  const isNamed =
    ts.isVariableDeclaration(parent) || ts.isTypeAliasDeclaration(parent) || ts.isPropertySignature(parent);
  return isNamed ? parent.name.getText() : undefined;
}

/** Functions of a TypeScript file, those inside others too, and types of functions, which have no lines. */
function typescriptFunctions(text: string): Counted[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const functions: Counted[] = [];
  const line = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const name = node.name?.getText() ?? nameOfOwner(node) ?? 'function';
      const lines = 'body' in node && node.body ? line(node.end) - line(node.getStart()) + 1 : 0;
      functions.push({ name, lines, parameters: node.parameters.length });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return functions;
}

/** Functions of a WGSL file, whose closing brace is the only character of its line. */
function wgslFunctions(text: string): Pick<Counted, 'name' | 'lines'>[] {
  return Array.from(text.matchAll(/^(?:@.*\s)?fn (\w+)[^]*?^\}$/gm), ([all, name]) => ({
    name,
    lines: all.split('\n').length,
  }));
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The functions of all files with this ending in some folders. Their names begin with the files. */
function functionsIn<Function extends { name: string }>(
  folders: string[],
  ending: string,
  read: (text: string) => Function[],
): Function[] {
  return folders.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith(ending) && !path.startsWith('src/generated/'))
      .flatMap((path) =>
        read(readFileSync(root + path, 'utf8')).map((found) => ({ ...found, name: `${path} ${found.name}` })),
      ),
  );
}

const ofTypescript = functionsIn(['src', 'cli'], '.ts', typescriptFunctions);
const functions = [...ofTypescript, ...functionsIn(['shaders'], '.wgsl', wgslFunctions)];

test('no function is longer than 100 lines', () => {
  expect(functions.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
});

test('no TypeScript function has more than 6 parameters, except those that are named with the reason', () => {
  const wide = ofTypescript.filter(({ parameters }) => parameters > MOST_PARAMETERS);
  expect(Object.fromEntries(wide.map(({ name, parameters }) => [name, parameters]))).toEqual(OF_MANY_PARAMETERS);
  expect(Object.keys(OF_MANY_PARAMETERS).length).toBeLessThanOrEqual(10);
});

test('functions of both languages are counted, nested ones and function types too', () => {
  const text = `function a({ x, y }: Point) {
    const b = (p, q) => {
      return 1;
    };
  }
  type C = (x: number, y: number, z: number) => void;
  interface D {
    e(): void;
    f: (x: number) => void;
  }
  class G {
    constructor(x: number) {}
  }`;
  expect(typescriptFunctions(text).map(({ name, lines, parameters }) => [name, lines, parameters])).toEqual([
    ['a', 5, 1],
    ['b', 3, 2],
    ['C', 0, 3],
    ['e', 0, 0],
    ['f', 0, 1],
    ['function', 1, 1],
  ]);
  expect(
    wgslFunctions('@compute @workgroup_size(64)\nfn main(\n  a: u32\n) {\n  if (a > 0u) {\n  }\n}\nfn b() {\n}\n'),
  ).toEqual([
    { name: 'main', lines: 7 },
    { name: 'b', lines: 2 },
  ]);
  expect(functions.length).toBeGreaterThan(3000);
  expect(functions.map(({ name }) => name)).toContain('shaders/mpr.wgsl mpr');
});
