/** Compiles the kernels of cases by RADV, Mesa's driver of AMD cards, which compiles for cards that are not there. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Case } from './cases.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const LAYER = 'VK_LAYER_NARROWPHASE_spirv';

/** Cards by the names of Mesa. */
export const FAMILIES = { navi31: 'RDNA 3', navi21: 'RDNA 2', vega10: 'GCN' } as const;
export type Family = keyof typeof FAMILIES;

/** What the compiler says of a kernel. */
export interface Statistics {
  /** Vector registers, and those that were spilled to memory. */
  registers: number;
  spilled: number;
  /** Bytes of memory per lane, of private arrays and of spilled registers. */
  scratch: number;
  /** Bytes per workgroup. */
  workgroup: number;
  /** Waves that a SIMD has in flight, of 64 lanes. */
  waves: number;
  instructions: number;
  /** An estimate of cycles per wave, which assumes numbers of rounds for loops: for variants of one kernel. */
  throughput: number;
  milliseconds: number;
}

export interface Kernel extends Statistics {
  name: string;
  entryPoint: string;
  /** `NAME=VALUE`, with spaces between them. */
  constants: string;
  /** The first case that has it. */
  case: string;
}

interface Module {
  file: string;
  label: string;
  case: string;
}

/** Where Mesa's drivers are described. */
const DRIVER_FOLDERS = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d'];

/** The description of a driver. Throws if there is none. */
function driver(name: 'lvp' | 'radeon'): string {
  const files = DRIVER_FOLDERS.filter(existsSync).flatMap((folder) =>
    readdirSync(folder).map((file) => join(folder, file)),
  );
  const found = files.find((file) => new RegExp(`/${name}_icd[^/]*\\.json$`).test(file));
  if (!found) throw new Error(`no Vulkan driver ${name} (on Debian 12: mesa-vulkan-drivers of bookworm-backports)`);
  return found;
}

function source(name: string): string {
  return join(import.meta.dirname, name);
}

async function buildPrograms(folder: string): Promise<void> {
  const layer = join(folder, 'libspirv-layer.so');
  await run('gcc', ['-O1', '-Wall', '-shared', '-fPIC', '-o', layer, source('spirv-layer.c')]);
  await run('gcc', ['-O1', '-Wall', '-o', join(folder, 'compile-stats'), source('compile-stats.c'), '-lvulkan']);
  const description = {
    file_format_version: '1.2.0',
    layer: {
      name: LAYER,
      type: 'GLOBAL',
      library_path: layer,
      api_version: '1.3.0',
      implementation_version: '1',
      description: 'writes shader modules to files',
    },
  };
  writeFileSync(join(folder, 'layer.json'), JSON.stringify(description));
}

/** The modules of a case that no case before had. `known`: hashes of their code. */
async function collect(folder: string, build: string, { name }: Case, known: Set<string>): Promise<Module[]> {
  const modules = join(folder, `modules-${known.size}-${name.replaceAll(/\W/g, '-')}`);
  mkdirSync(modules);
  const env = {
    ...process.env,
    VK_DRIVER_FILES: driver('lvp'),
    // The tester also dispatches kernels, which lavapipe compiles then.
    GALLIVM_PERF: 'nopt',
    LP_NATIVE_VECTOR_WIDTH: '128',
    VK_ADD_LAYER_PATH: folder,
    VK_INSTANCE_LAYERS: LAYER,
    SPIRV_FOLDER: modules,
  };
  await run('node', ['scripts/run-ts.mjs', 'bench/compilers/collect.ts', build, name], { cwd: ROOT, env });
  const files = readdirSync(modules).filter((file) => file.endsWith('.spv'));
  if (files.length === 0) throw new Error(`${name} has made no kernel`);
  return files.sort().flatMap((file) => {
    const path = join(modules, file);
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    if (known.has(hash)) return [];
    known.add(hash);
    const label = readFileSync(path.replace(/spv$/, 'txt'), 'utf8');
    return label === '' ? [] : [{ file: path, label, case: name }];
  });
}

/** The driver tells scratch memory for so many lanes. */
const LANES = 64;

async function compile(folder: string, modules: readonly Module[], family: Family): Promise<Kernel[]> {
  const env = {
    ...process.env,
    RADV_FORCE_FAMILY: family,
    VK_DRIVER_FILES: driver('radeon'),
    MESA_SHADER_CACHE_DISABLE: '1',
  };
  const files = modules.map(({ file }) => file);
  const { stdout } = await run(join(folder, 'compile-stats'), files, { env, maxBuffer: 2 ** 26 });
  const [head, ...rows] = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  if (rows.length !== modules.length) throw new Error(`${rows.length} of ${modules.length} kernels were compiled`);
  return rows.map((row, i) => {
    const number = (name: string): number => {
      const column = head.indexOf(name);
      if (column < 0) throw new Error(`the driver does not tell ${name}`);
      return Number(row[column]);
    };
    const words = modules[i].label.split(' ');
    return {
      name: words[0].replace(/^kernels\./, ''),
      entryPoint: words.at(-1)!,
      constants: words.slice(1, -1).join(' '),
      case: modules[i].case,
      registers: number('VGPRs'),
      spilled: number('Spilled VGPRs'),
      scratch: number('Scratch size') / LANES,
      workgroup: number('LDS size'),
      waves: number('Subgroups per SIMD'),
      instructions: number('Instructions'),
      throughput: number('Inverse Throughput'),
      milliseconds: number('milliseconds'),
    };
  });
}

/** The kernels that a build in a folder has for the cases, each once, compiled for each family of cards. */
export async function compileKernels(
  build: string,
  cases: readonly Case[],
  families: readonly Family[],
): Promise<Map<Family, Kernel[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'narrowphase-compilers-'));
  try {
    await buildPrograms(folder);
    const modules: Module[] = [];
    const known = new Set<string>();
    for (const each of cases) modules.push(...(await collect(folder, build, each, known)));
    const compiled = new Map<Family, Kernel[]>();
    for (const family of families) compiled.set(family, await compile(folder, modules, family));
    return compiled;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
