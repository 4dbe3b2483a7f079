/**
 * Writes kernel-table.ts (the modules, bindings and workgroup size of each kernel, and the bundles that contain its
 * modules), search-kernels.ts (the same of kernels that search for pairs) and kernels/ (the bundles).
 */

/** Stages that many queries don't need. Their modules are loaded separately. */
const STAGES = {
  newton: /-newton$/,
  gjk: /-gjk$/,
  mpr: /-mpr$/,
  arcs: /-arcs(-points)?$/,
  features: /-features$/,
  epa: /^contacts-epa/,
  refine: /-(refine|outside)$/,
  earliest: /^earliest-/,
};

/** What finds the depth of pairs that have no closed form, and impacts, which use its parts. */
const DEEP = ['epa', 'refine', 'arcs', 'impacts'];

/**
 * What finds the distance or the depth of pairs that neither closed forms nor SAT decide, and distances, few of which
 * they decide.
 */
const SEARCH = ['newton', 'gjk', 'mpr', 'features', 'distances', ...DEEP];

/** Kernels that pack and inspect the input of every query in 3-D, and those for 2-D, velocities and 64-bit positions. */
const INPUT = /^(pack-bodies|inspect-pairs)$/;
const OTHER_INPUT = /^(planar\/)?pack-/;

/** Kernels that find pairs of bodies, and the bodies that rays may meet; and those that find pairs of parts. */
const BROAD_PHASE = /^((planar\/)?broad-phase|tree\/|rays\/)/;
const PARTS = /^part-pairs\//;

/** Kernels that decide about contacts and impacts of pairs of parts, in 3-D and in 2-D. */
const SURFACE = /^(part-pairs\/(propose|deepest|accept-impacts|first-impact)|impacts-rotating-surfaces)$/;
const OF_PLANAR_PARTS = 'propose|accept-impacts|impacts-rotating-surfaces|contacts-features|manifolds-of-contacts';
const PLANAR_SURFACE = new RegExp(`^(part-pairs/planar-(deepest|first-impact)|planar/(${OF_PLANAR_PARTS}))$`);

/** Groups that many pages never load. They don't change where the modules of others are. */
const APART = ['input', 'otherInput', 'arrays', 'broadPhase', 'parts', 'surface', 'planarSurface'];

/** Groups of kernels that find pairs. */
const SEARCHING = ['broadPhase', 'parts', 'surface', 'planarSurface'];

/** Groups that find impacts. What only they share is loaded separately. */
const MOTION = ['impacts', 'planar'];

const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'];

/**
 * The bundle of each module. A module that only the kernels of one group use is in that group's bundle. Modules that
 * several 3-D queries use are in `common`; in `search` if closed forms and SAT do not use them; or in `deep` if only
 * depth and impacts do. What impacts and 2-D share is in `motion`. Modules that 3-D, 2-D and the tools (compaction, counts, copies)
 * share are in `shared`. Modules that only kernels
 * of the input use are in `input`, those that only the broad phase uses in `broadPhase`, with what it shares with kernels over
 * pairs of parts; these kernels don't change where others are. What only these and the arrays of results share, exact
 * arithmetic, is in `exact`.
 *
 * @param {readonly { name: string, modules: ReadonlyMap<string, string> }[]} kernels
 * @returns {Map<string, string>} bundle names by module path
 */
export function bundlesOf(kernels) {
  const users = new Map();
  for (const { name, modules } of kernels) {
    for (const path of modules.keys()) users.set(path, (users.get(path) ?? new Set()).add(groupOf(name)));
  }
  return new Map([...users].map(([path, groups]) => [path, bundleFor([...groups])]));
}

/**
 * The group of kernels that load together: a stage in 3-D, the other kernels of a 3-D query, those of 2-D, the tools for
 * all queries, the input, the arrays of results, or the broad phase.
 */
function groupOf(kernel) {
  if (INPUT.test(kernel)) return 'input';
  if (OTHER_INPUT.test(kernel)) return 'otherInput';
  if (kernel === 'arrays') return 'arrays';
  if (SURFACE.test(kernel)) return 'surface';
  if (PLANAR_SURFACE.test(kernel)) return 'planarSurface';
  if (PARTS.test(kernel)) return 'parts';
  if (BROAD_PHASE.test(kernel)) return 'broadPhase';
  if (kernel.startsWith('planar/')) return 'planar';
  const stage = Object.keys(STAGES).find((name) => STAGES[name].test(kernel));
  return stage ?? QUERIES.find((query) => kernel === query || kernel.startsWith(`${query}-`)) ?? 'tools';
}

function bundleFor(groups) {
  if (groups.length === 1) return groups[0];
  const others = groups.filter((group) => !APART.includes(group));
  if (others.length === 0) return groups.every((group) => SEARCHING.includes(group)) ? 'broadPhase' : 'exact';
  if (others.length === 1) return others[0];
  if (others.every((group) => MOTION.includes(group))) return 'motion';
  if (others.every((group) => DEEP.includes(group))) return 'deep';
  if (others.every((group) => SEARCH.includes(group))) return 'search';
  return others.every((group) => group !== 'planar' && group !== 'tools') ? 'common' : 'shared';
}

/** Whether a kernel is in search-kernels.ts. */
function isSearch({ name }) {
  return [BROAD_PHASE, PARTS, SURFACE, PLANAR_SURFACE].some((group) => group.test(name));
}

function entriesOf(kernels, bundleOf) {
  return kernels.map((kernel) => {
    const paths = [...kernel.modules.keys()];
    const needed = [...new Set(paths.map((path) => bundleOf.get(path)))];
    return `  '${kernel.name}': {
    workgroupSize: ${workgroupSize(kernel)},${strided(kernel)}
    bundles: [${needed.map((name) => `'${name}'`).join(', ')}],
    modules: [${paths.map((path) => `'${path}'`).join(', ')}],
    bindings: {\n${bindingsOf(kernel).join('\n')}\n    },\n  },`;
  });
}

/** The kernels that search for pairs, which many pages never load. */
export function searchModule(kernels, bundleOf) {
  const entries = entriesOf(kernels.filter(isSearch), bundleOf);
  return `/** Kernels that search for pairs, as in kernel-table.ts. */
export const searchKernels = {\n${entries.join('\n')}\n} as const;
`;
}

export function tableModule(kernels, bundleOf) {
  const entries = entriesOf(
    kernels.filter((kernel) => !isSearch(kernel)),
    bundleOf,
  );
  const names = kernels.map(({ name }) => `  | '${name}'`);
  const bundles = [...new Set(bundleOf.values())].sort();
  return `export type KernelName =\n${names.join('\n')};

/**
 * Modules in linking order; all bindings in group 0. The entry point is \`main\`, but \`strided\` on hardware for kernels that
 * are strided there only.
 */
export interface KernelEntry {
  readonly workgroupSize: number;
  readonly strided?: 'main' | 'strided';
  readonly bundles: readonly string[];
  readonly modules: readonly string[];
  readonly bindings: Readonly<Record<string, { readonly binding: number; readonly type: GPUBufferBindingType }>>;
}

/** Kernels by name. Those that search for pairs are added when the first of them is compiled. */
export const kernels = {\n${entries.join('\n')}\n} as unknown as Record<KernelName, KernelEntry>;

/** Loads the kernels that search for pairs. */
export const loadSearchKernels = async (): Promise<Partial<Record<KernelName, KernelEntry>>> =>
  (await import('./search-kernels.ts')).searchKernels;

/** Loads WGSL modules, by path under shaders/. */
export const bundles: Readonly<Record<string, () => Promise<{ modules: Readonly<Record<string, string>> }>>> = {
${bundles.map((name) => `  ${name}: () => import('./kernels/${name}.ts'),`).join('\n')}
};
`;
}

function bindingsOf({ reflection }) {
  const used = reflection.entry.compute[0].resources;
  return [...reflection.uniforms, ...reflection.storage]
    .filter((resource) => used.some(({ name }) => name === resource.name))
    .sort((a, b) => a.binding - b.binding)
    .map((resource) => `      ${resource.name}: { binding: ${resource.binding}, type: '${bindingType(resource)}' },`);
}

function bindingType(resource) {
  if (resource.resourceType === 0) return 'uniform';
  return resource.access === 'read_write' ? 'storage' : 'read-only-storage';
}

/** The entry point whose invocations take several pairs, however many there are. */
function strided({ modules }) {
  const text = [...modules.values()].at(-1);
  if (!text.includes('@builtin(num_workgroups)')) return '';
  return `\n    strided: '${text.includes('fn strided(') ? 'strided' : 'main'}',`;
}

function workgroupSize({ name, modules }) {
  const match = /@workgroup_size\((\d+)\)/.exec([...modules.values()].at(-1));
  if (!match) throw new Error(`${name}: no literal @workgroup_size`);
  return Number(match[1]);
}

/** The module of a bundle. */
export function bundleModule(bundle, texts, bundleOf) {
  const modules = [...texts]
    .filter(([path]) => bundleOf.get(path) === bundle)
    .map(([path, text]) => `  '${path}': /* wgsl */ \`${minified(text)}\`,`);
  return `export const modules: Readonly<Record<string, string>> = {\n${modules.join('\n')}\n};\n`;
}

/** Removes comments, indentation and blank lines. */
function minified(text) {
  return text
    .replace(/[ \t]*\/\/.*$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim()
    .replace(/^[ \t]+/gm, '');
}
