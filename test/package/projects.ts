/** The packed package, and empty projects that install it. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const executable = promisify(execFile);

/** Runs a program to its end; the error of one that fails holds what it printed. */
export async function run(
  command: string,
  parameters: string[],
  cwd: string,
  timeout = 240_000,
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await executable(command, parameters, {
      cwd,
      timeout,
      shell: process.platform === 'win32',
      env: cleanEnvironment(),
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${parameters.join(' ')} failed in ${cwd}\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Without what npm and vitest set for their own children. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const own =
    /^(npm_(package|lifecycle|command|execpath|config_local_prefix)|INIT_CWD|NODE_ENV|VITEST|TEST|NODE_PATH|NODE_OPTIONS)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** An empty folder outside the repository, and so out of reach of its node_modules. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'narrowphase-package-'));
}

/** `npm pack` into `folder`, with dist/ as it is; the tarball's path. */
export async function pack(folder: string, timeout?: number): Promise<string> {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], root, timeout);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  return join(folder, tarball!);
}

/**
 * A new project with the tarball installed and `files` written. `tools` are packages linked from the repository's own
 * node_modules: what a user would install from the registry, which the tests do without.
 */
export async function makeProject(
  folder: string,
  tarball: string,
  tools: string[],
  files: Record<string, string>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], folder);
  for (const tool of tools) {
    const link = join(folder, 'node_modules', tool);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', tool), link, 'junction');
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** Runs the program that a linked tool's package.json names `name`. */
export function runTool(folder: string, tool: string, script: string, parameters: string[]) {
  return run(process.execPath, [join(folder, 'node_modules', tool, script), ...parameters], folder);
}
