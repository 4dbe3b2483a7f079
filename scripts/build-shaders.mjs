/**
 * Links every kernel and writes the results to src/generated:
 *
 * - kernel-table.ts: the modules, bindings and workgroup size of each kernel, and the bundles that contain its modules
 * - search-kernels.ts: the same of the kernels that search for pairs
 * - kernels/: the bundles of WGSL modules, without comments, which are loaded when a kernel is first compiled
 * - layouts.ts: byte layout of each record, reflected from the linked text
 * - constants.ts: the constants that TypeScript shares
 * - records.ts: the modules of records with their comments, for callers' shaders
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WgslReflect } from 'wgsl_reflect/wgsl_reflect.module.js';
import { constantsModule, evaluateConstants } from './shaders/constants.mjs';
import { readKernels } from './shaders/kernel-files.mjs';
import { bundleModule, bundlesOf, searchModule, tableModule } from './shaders/kernel-table.mjs';
import { layoutsModule } from './shaders/layouts.mjs';
import { linkModules } from './shaders/link.mjs';
import { recordsModule } from './shaders/records.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shaders = join(root, 'shaders');
const out = join(root, 'src', 'generated');
const HEADER = '// Made by scripts/build-shaders.mjs from shaders/; do not edit.\n\n';

const kernels = readKernels(shaders).map((kernel) => {
  const modules = linkModules(shaders, `kernels/${kernel.name}`, kernel);
  return { name: kernel.name, modules, reflection: new WgslReflect([...modules.values()].join('\n')) };
});
const texts = new Map(kernels.flatMap(({ modules }) => [...modules]));
const bundleOf = bundlesOf(kernels);
const constants = evaluateConstants(texts);

rmSync(join(out, 'kernels'), { recursive: true, force: true });
mkdirSync(join(out, 'kernels'), { recursive: true });
write('kernel-table.ts', tableModule(kernels, bundleOf));
write('search-kernels.ts', searchModule(kernels, bundleOf));
for (const bundle of new Set(bundleOf.values())) write(`kernels/${bundle}.ts`, bundleModule(bundle, texts, bundleOf));
const reflections = kernels.map(({ reflection }) => reflection);
write('layouts.ts', layoutsModule(reflections));
write('constants.ts', constantsModule(constants));
write('records.ts', recordsModule(shaders, constants));

function write(file, text) {
  writeFileSync(join(out, file), HEADER + text);
}
