/** Kernels that are made from one file: what `@kernel` and `@if` mean, and what is refused, by file and line. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
// @ts-expect-error: scripts have no types
import { readKernels as readUntyped } from '../../scripts/shaders/kernel-files.mjs';
// @ts-expect-error: scripts have no types
import { linkModules as linkUntyped } from '../../scripts/shaders/link.mjs';

interface KernelFile {
  name: string;
  file: string;
  text: string;
}

const readKernels = readUntyped as (folder: string) => KernelFile[];
const linkModules = linkUntyped as (folder: string, path: string, entry: KernelFile) => Map<string, string>;

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** A folder of shaders with these files. */
function shaders(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'narrowphase-shaders-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const TEMPLATE = `// A template.
@kernel(both-first) // the first
@kernel(both-second)
@if(both-first) import package::ways::{first};
@if(both-second) import package::ways::{second};
@if(both-first || both-second) const SAME: u32 = 1u;

@compute @workgroup_size(64)
fn main() {
  @if(both-first) let a = first(SAME);
  @if(both-second) let a = second(
    SAME
  );
}
`;
const WAYS = 'fn first(x: u32) -> u32 { return x; }\nfn second(x: u32) -> u32 { return 2u * x; }\n';

const SHADERS = fileURLToPath(new URL('../../shaders/', import.meta.url));

test('no line of WGSL is longer than 120 columns', () => {
  const files = readdirSync(SHADERS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.wgsl'));
  expect(files.length).toBeGreaterThan(100);
  const longLines = files.flatMap((file) =>
    readFileSync(join(SHADERS, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => (line.length > 120 ? [`${file}:${i + 1}`] : [])),
  );
  expect(longLines).toEqual([]);
});

/** The linked text of the package's kernels, without comments, by name. */
const linked = new Map(
  readKernels(SHADERS).map((kernel) => {
    const modules = linkModules(SHADERS, `kernels/${kernel.name}`, kernel);
    return [kernel.name, [...modules.values()].join('\n').replace(/\/\/.*$/gm, '')];
  }),
);

test('no kernel uses trigonometry of WGSL, which may be off by 2^-11', () => {
  const users = [...linked].filter(([, text]) => /\b(a?cos|a?sin|a?tan|atan2)h?\(/.test(text)).map(([name]) => name);
  expect(users).toEqual([]);
});

/** Declarations of a module or a kernel, by name. */
function declarationsOf(code: string): Map<string, string> {
  const declarations = code.matchAll(
    /^(?:@[^\n]*?\s)?(?:struct|const|override|alias|var(?:<[^>]*>)?)\s+(\w+)[^;{]*(?:;|\{[^}]*\}|$)/gm,
  );
  return new Map(Array.from(declarations, ([text, name]) => [name, text]));
}

/** The overrides that a declaration depends on, by way of types and constants. */
function overridesIn(name: string, declarations: Map<string, string>): string[] {
  const text = declarations.get(name) ?? '';
  if (text.startsWith('override')) return [name];
  const named = new Set(text.match(/[A-Za-z_]\w*/g) ?? []);
  named.delete(name);
  return [...named].flatMap((other) => overridesIn(other, declarations));
}

/** Workgroup variables whose size depends on an override. */
function sizedByOverride(code: string): string[] {
  const declarations = declarationsOf(code);
  return [...declarations].flatMap(([name, text]) => {
    const overrides = text.startsWith('var<workgroup>') ? overridesIn(name, declarations) : [];
    return overrides.map((override) => `${name} by ${override}`);
  });
}

test('an override that sizes workgroup memory is found, also by way of an alias, a struct and a constant', () => {
  const code = `override A: u32 = 1u;
override B: u32 = 2u * A;
const C: u32 = 4u;
struct Row {
  sums: array<u32, B>,
}
alias Rows = array<Row, C>;
var<workgroup> direct: array<u32, A>;
var<workgroup> rows: Rows;
var<workgroup> constant: array<vec2u, 2u * C>;
var<private> other: u32 = A;`;
  expect(sizedByOverride(code)).toEqual(['direct by A', 'rows by B']);
});

// WebKit has given such arrays no length, without an error (kishimisu/WebGPU-Radix-Sort#10).
test('no kernel sizes workgroup memory by an override', () => {
  const found = Array.from(linked, ([name, code]) => {
    return { name, count: code.match(/^var<workgroup>/gm)?.length ?? 0, sized: sizedByOverride(code) };
  });
  expect(found.filter(({ count }) => count > 0).length).toBeGreaterThan(15);
  expect(found.filter(({ sized }) => sized.length > 0)).toEqual([]);
});

test('a file without @kernel is a kernel of its own name; others are modules', () => {
  const folder = shaders({
    'kernels/planar/alone.wgsl': '@compute @workgroup_size(64)\nfn main() {}\n',
    'kernels/parameters.wgsl': 'const A: u32 = 1u;\n',
  });
  expect(readKernels(folder).map(({ name, file }) => [name, file])).toEqual([
    ['planar/alone', 'kernels/planar/alone.wgsl'],
  ]);
});

test('each kernel of a template has its own statements, on the lines of the template', () => {
  const folder = shaders({ 'kernels/both.wgsl': TEMPLATE, 'ways.wgsl': WAYS });
  const kernels = readKernels(folder);
  expect(kernels.map(({ name }) => name)).toEqual(['both-first', 'both-second']);
  const texts = kernels.map((kernel) =>
    linkModules(folder, `kernels/${kernel.name}`, kernel).get(`kernels/${kernel.name}`)!,
  );
  expect(texts[0].split('\n')[9]).toBe('  let a = first(SAME);');
  expect(texts[1].split('\n').slice(10, 13)).toEqual(['  let a = second(', '    SAME', '  );']);
  for (const text of texts) {
    expect(text).toContain('const SAME: u32 = 1u;');
    expect(text).not.toMatch(/@if|@kernel|import/);
    expect(text.split('\n').length).toBe(TEMPLATE.split('\n').length);
  }
  expect(texts[0]).not.toContain('second');
  expect(texts[1]).not.toContain('first');
});

test('kernels in a folder are named by it', () => {
  const folder = shaders({ 'kernels/planar/both.wgsl': TEMPLATE, 'ways.wgsl': WAYS });
  expect(readKernels(folder).map(({ name }) => name)).toEqual(['planar/both-first', 'planar/both-second']);
});

test.each([
  ['an import that nothing uses', 'let a = second(', 'let a = third(', /both\.wgsl:5: imports second without using it/],
  [
    'a condition on no kernel',
    '@if(both-second) let',
    '@if(both-third) let',
    /both\.wgsl:11: @if names both-third, expected a kernel of this file: both-first, both-second/,
  ],
  [
    'a kernel like all others',
    '@kernel(both-second)',
    '@kernel(both-second)\n@kernel(both-third)',
    /both\.wgsl:4: kernel both-third has no statement of its own/,
  ],
  [
    'a condition on a block',
    '@if(both-first) let a = first(SAME);',
    '@if(both-first) if (true) { let a = first(SAME); }',
    /both\.wgsl:10: @if stands before a block or a loop/,
  ],
  [
    'a condition within a line',
    '  @if(both-first) let',
    '  let b = 1; @if(both-first) let',
    /both\.wgsl:10: @if can't be read here/,
  ],
  [
    'an import of nothing',
    'ways::{first}',
    'ways::{fist}',
    /both\.wgsl:4: imports fist, which ways\.wgsl does not declare/,
  ],
  [
    'an import in another form',
    'import package::ways::{first}',
    'import ways::{first}',
    /both\.wgsl:4: an import that is not of the form/,
  ],
])('%s is refused by file and line', (_, from, to, message) => {
  const folder = shaders({ 'kernels/both.wgsl': TEMPLATE.replace(from, to), 'ways.wgsl': WAYS });
  expect(() => readKernels(folder).map((kernel) => linkModules(folder, `kernels/${kernel.name}`, kernel))).toThrow(
    message,
  );
});

test('a kernel is made from one file', () => {
  const alone = '@compute @workgroup_size(64)\nfn main() {}\n';
  const folder = shaders({ 'kernels/both.wgsl': TEMPLATE, 'kernels/both-first.wgsl': alone, 'ways.wgsl': WAYS });
  expect(() => readKernels(folder)).toThrow(/wgsl makes kernel both-first, and so does kernels\/both/);
});

/** What stands in the brackets of each call of a function, and how the text before it ends. */
function callsOf(name: string, code: string): { before: string; inside: string }[] {
  return [...code.matchAll(RegExp(`\\b${name}\\(`, 'g'))].map(({ index, 0: call }) => {
    let depth = 1;
    let end = index + call.length;
    for (; depth > 0; end++) depth += code[end] === '(' ? 1 : code[end] === ')' ? -1 : 0;
    return { before: code.slice(0, index), inside: code.slice(index + call.length, end - 1) };
  });
}

// On D3D12 such a read is an interlocked operation: all invocations of a dispatch would wait at one address.
test('kernels read the counts of work lists once per workgroup, and pairs of lists without atomics', () => {
  const ofLists = [...linked].filter(([, code]) => code.includes('workLists'));
  expect(ofLists.length).toBeGreaterThan(10);
  for (const [name, code] of ofLists) {
    expect(code, name).toMatch(/struct WorkLists \{\s*header: array<atomic<u32>, LIST_HEADER>,\s*pairs: array<u32>,/);
    const inOneInvocation = code.replace(/if \(localIndex == 0u\) \{[^}]*\}/g, '');
    expect(inOneInvocation, name).not.toContain('atomicLoad(&workLists');
  }
});

test('the lanes of a pair have read its record before one of them stores its normal there', () => {
  const code = linked.get('contacts-arcs')!;
  const main = code.slice(code.indexOf('fn main('));
  expect(main).toMatch(
    /loadEpaStart\(index\)[^}]*if \(LANES > 1u\) \{[^}]*storageBarrier\(\);\s*\}\s*if \([^{]*laneOf\(\) == 0u\) \{\s*storeArcsNormal/,
  );
});

// What is not a number becomes any integer, which clamps of f32 before do not change.
test('an integer that f32 arithmetic ends in is clamped as an integer', () => {
  const unclamped = new Set<string>();
  let count = 0;
  for (const code of linked.values()) {
    for (const type of ['u32', 'vec2u', 'vec3u', 'vec4u']) {
      for (const { before, inside } of callsOf(type, code)) {
        if (!/\d\.\d|0x[\da-f.]+p|\bf32\(|\b(clamp|floor|round|trunc|ceil|inverseSqrt|sqrt)\(/.test(inside)) continue;
        if (/^u32\(|^[\w.]+ (==|<|>)/.test(inside) || /bitcast/.test(inside)) continue;
        count++;
        if (!/\bmin\($/.test(before)) unclamped.add(inside);
      }
    }
  }
  expect(count).toBeGreaterThan(10);
  // Of integers.
  expect([...unclamped]).toEqual(['clamp(greatest - least + 1, vec3i(1), vec3i(3))']);
});
