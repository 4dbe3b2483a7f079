/**
 * Links every kernel and writes what the package needs of them to src/generated:
 *
 * - kernel-table.ts: the modules, bindings and workgroup size of each kernel, and the bundles that hold its modules
 * - kernels/: the bundles of WGSL modules, without comments, which are loaded when a kernel is first compiled
 * - layouts.ts: byte layout of each record, reflected from the linked text
 * - constants.ts: the constants of shaders/shared that the CPU mirror shares
 * - records.ts: the modules of records with their comments, for callers' shaders
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WgslReflect } from 'wgsl_reflect/wgsl_reflect.module.js';
import { IMPORT, linkModules } from './link-wgsl.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shaders = join(root, 'shaders');
const out = join(root, 'src', 'generated');
const HEADER = '// Made by scripts/build-shaders.mjs from shaders/; do not edit.\n\n';
const RECORDS = [
  'Shape',
  'Pose',
  'Velocity',
  'Parameters',
  'ListParameters',
  'RecordParameters',
  'PlaceParameters',
  'Distance',
  'Contact',
  'Manifold',
  'Impact',
  'Counts',
  'PlanarShape',
  'PlanarPose',
  'PlanarVelocity',
  'PlanarDistance',
  'PlanarContact',
  'PlanarManifold',
  'PlanarImpact',
];
const SHARED_CONSTANTS = [
  'shared/constants',
  'shared/shapes',
  'shared/curved',
  'shared/results',
  'shared/list',
  'kernels/lists',
  'kernels/tally',
  'kernels/parameters',
  'kernels/input',
  'feature',
  'contact-face/cylinder',
  'contact-face',
  'manifold/features',
  'triangle',
  'gjk',
  'newton',
  'mpr',
  'polytope/nearest',
  'polytope',
  'epa',
  'approach',
  'cast',
  'facing',
  'impact',
  'queries/pair-unit',
  'planar/shapes',
  'planar/support',
  'planar/gjk',
  'planar/mpr',
  'planar/queries/pair-unit',
  'planar/queries/signed-distance',
  'planar/cast',
  'planar/facing',
  'planar/impact',
  'planar/advance',
  'planar/queries/impacts/straight',
];

/** Stages that many queries do without. Their modules load apart. */
const STAGES = ['closed', 'newton', 'mpr', 'refine', 'arcs'];

const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'];

/** Texts for callers' shaders in records.ts, and the modules that each consists of. */
const CALLERS_MODULES = {
  resultsWgsl: ['shared/results', 'shared/read-results'],
  shapesWgsl: ['shared/shapes'],
  planarResultsWgsl: ['planar/results', 'planar/read-results'],
  planarShapesWgsl: ['planar/shapes'],
};

/** The part of a module that follows this line is not for callers. */
const KERNELS_ALONE = '\n// For kernels alone.\n';

const kernels = readdirSync(join(shaders, 'kernels'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.wgsl'))
  .map((file) => file.replace(/\.wgsl$/, ''))
  .sort()
  .filter((name) => /@compute/.test(readFileSync(join(shaders, 'kernels', `${name}.wgsl`), 'utf8')));

const linked = kernels.map((name) => {
  const modules = linkModules(shaders, `kernels/${name}`);
  return { name, modules, reflection: new WgslReflect([...modules.values()].join('\n')) };
});

mkdirSync(out, { recursive: true });
writeKernels();
write('layouts.ts', layoutsModule());
const constants = evaluateConstants();
write(
  'constants.ts',
  Object.entries(constants)
    .map(([name, value]) => `export const ${name} = ${value};\n`)
    .join(''),
);
write('records.ts', recordsModule());

function write(file, text) {
  writeFileSync(join(out, file), HEADER + text);
}

/**
 * Writes the table of kernels and the bundles of their modules. A module that kernels of one query alone use is in that
 * query's bundle; what several queries in 3-D use is in `common`; what 3-D, 2-D and the tools (lists, counts,
 * copies) share is in `shared`.
 */
function writeKernels() {
  const texts = new Map(linked.flatMap((kernel) => [...kernel.modules]));
  const users = new Map();
  for (const { name, modules } of linked) {
    for (const path of modules.keys()) users.set(path, (users.get(path) ?? new Set()).add(groupOf(name)));
  }
  const bundleOf = new Map([...users].map(([path, groups]) => [path, bundleFor([...groups])]));
  const bundles = [...new Set(bundleOf.values())].sort();
  const entries = linked.map((kernel) => {
    const used = kernel.reflection.entry.compute[0].resources;
    const bindings = [...kernel.reflection.uniforms, ...kernel.reflection.storage]
      .filter((resource) => used.some(({ name }) => name === resource.name))
      .sort((a, b) => a.binding - b.binding)
      .map((resource) => `      ${resource.name}: { binding: ${resource.binding}, type: '${bindingType(resource)}' },`);
    const paths = [...kernel.modules.keys()];
    const needed = [...new Set(paths.map((path) => bundleOf.get(path)))];
    return `  '${kernel.name}': {
    workgroupSize: ${workgroupSize(kernel)},
    bundles: [${needed.map((name) => `'${name}'`).join(', ')}],
    modules: [${paths.map((path) => `'${path}'`).join(', ')}],
    bindings: {\n${bindings.join('\n')}\n    },\n  },`;
  });
  write(
    'kernel-table.ts',
    `/** Kernels by file name: modules in linking order; entry point \`main\`; all bindings in group 0. */
export const kernels = {\n${entries.join('\n')}\n} as const;

export type KernelName = keyof typeof kernels;

/** Loads WGSL modules, by path under shaders/. */
export const bundles: Readonly<Record<string, () => Promise<{ modules: Readonly<Record<string, string>> }>>> = {
${bundles.map((name) => `  ${name}: () => import('./kernels/${name}.ts'),`).join('\n')}
};
`,
  );
  rmSync(join(out, 'kernels'), { recursive: true, force: true });
  mkdirSync(join(out, 'kernels'));
  for (const name of bundles) {
    const modules = [...texts]
      .filter(([path]) => bundleOf.get(path) === name)
      .map(([path, text]) => `  '${path}': /* wgsl */ \`${minified(text)}\`,`);
    write(
      `kernels/${name}.ts`,
      `export const modules: Readonly<Record<string, string>> = {\n${modules.join('\n')}\n};\n`,
    );
  }
}

/** What loads together: a stage in 3-D, the other kernels of a query in 3-D, those of 2-D, or what serves all queries. */
function groupOf(kernel) {
  if (kernel.startsWith('planar/')) return 'planar';
  const stage = STAGES.find((name) => kernel.endsWith(`-${name}`));
  return stage ?? QUERIES.find((query) => kernel === query || kernel.startsWith(`${query}-`)) ?? 'tools';
}

function bundleFor(groups) {
  if (groups.length === 1) return groups[0];
  return groups.every((group) => group !== 'planar' && group !== 'tools') ? 'common' : 'shared';
}

/** Comments, indentation and blank lines take bytes and mean nothing. */
function minified(text) {
  return withoutComments(text).replace(/^[ \t]+/gm, '');
}

function withoutComments(text) {
  return text
    .replace(/[ \t]*\/\/.*$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

function bindingType(resource) {
  if (resource.resourceType === 0) return 'uniform';
  return resource.access === 'read_write' ? 'storage' : 'read-only-storage';
}

function workgroupSize({ name, modules }) {
  const match = /@workgroup_size\((\d+)\)/.exec([...modules.values()].at(-1));
  if (!match) throw new Error(`${name}: no literal @workgroup_size`);
  return Number(match[1]);
}

function layoutsModule() {
  const blocks = RECORDS.map((record) => {
    const struct = linked
      .flatMap(({ reflection }) => reflection.structs)
      .find((candidate) => candidate.name === record);
    if (!struct) throw new Error(`no kernel has a struct ${record}`);
    const fields = struct.members.map((member) => {
      const scalar = /u32|vec\du/.test(member.type.name + (member.type.format?.name ?? ''))
        ? 'u32'
        : /i32|vec\di/.test(member.type.name + (member.type.format?.name ?? ''))
          ? 'i32'
          : 'f32';
      return `    ${member.name}: { offset: ${member.offset}, type: '${scalar}', length: ${componentCount(member.type)} },`;
    });
    return `  ${record}: {\n    size: ${struct.size},\n    fields: {\n${fields.map((line) => `  ${line}`).join('\n')}\n    },\n  },`;
  });
  return (
    `/** Byte layouts of the records in storage and uniform buffers: \`size\` is also the stride in arrays. ` +
    `*/\nexport const layouts = {\n${blocks.join('\n')}\n} as const;\n`
  );
}

function componentCount({ name, count, format }) {
  if (name === 'array') return count * componentCount(format);
  const match = /^vec(\d)/.exec(name);
  return match ? Number(match[1]) : 1;
}

function evaluateConstants() {
  const values = {};
  for (const path of SHARED_CONSTANTS) {
    const text = readFileSync(join(shaders, `${path}.wgsl`), 'utf8');
    for (const [, name, type, value] of text.matchAll(/^const (\w+): (f32|u32) = ([^;]+);/gm)) {
      const expression = value.replaceAll(/\b(0x[\da-f]+|\d+)u\b/g, '$1');
      // Of constants before it, too; integers divide as integers do.
      const number = Number(new Function(...Object.keys(values), `return (${expression})`)(...Object.values(values)));
      values[name] = type === 'u32' ? Math.trunc(number) >>> 0 : number;
    }
  }
  return values;
}

function recordsModule() {
  return Object.entries(CALLERS_MODULES)
    .map(([name, paths]) => {
      const text = paths.map((path) => standAlone(path, paths)).join('\n');
      return `export const ${name}: string = ${JSON.stringify(text)};\n`;
    })
    .join('\n');
}

/**
 * A module's text for callers. u32 constants of modules outside `paths` are numbers there, so that it compiles alone as
 * well as beside those modules.
 */
function standAlone(path, paths) {
  const text = readFileSync(join(shaders, `${path}.wgsl`), 'utf8');
  const names = [...text.matchAll(IMPORT)]
    .filter(([, module]) => !paths.includes(module.slice(2).replaceAll('::', '/')))
    .flatMap(([, , list]) => list.split(',').map((name) => name.trim()))
    .filter(Boolean);
  const [forCallers] = text.split(KERNELS_ALONE);
  const code = forCallers.replace(IMPORT, '').replaceAll(/\n{3,}/g, '\n\n');
  return names.reduce((all, name) => {
    if (!(name in constants)) throw new Error(`${path}.wgsl imports ${name}, which is no shared constant`);
    return all.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${constants[name]}u`);
  }, code);
}
