/** Bundles programs and pages of tests and benchmarks into one module each, including their dynamic imports. */
import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const COMMON = { configFile: false, root: ROOT, publicDir: false } as const;

/** The text of a module for browsers. Imports that the page's import map resolves stay imports. */
export async function bundlePage(entry: string): Promise<string> {
  const result = await build({
    ...COMMON,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'page' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [{ output }] = result as Extract<typeof result, unknown[]>;
  return output[0].code;
}

export interface Program {
  /** Path of the source, from the root. */
  entry: string;
  /** Name of the output in dist-bench. */
  file: string;
  /** Packages that are not bundled. */
  external?: string[];
  /** Names and the expressions that replace them. */
  define?: Record<string, string>;
}

/** Writes a program for Node to dist-bench. As a plain module it runs up to twice as fast as through Vite's runner. */
export async function bundleProgram({ entry, file, external = [], define }: Program): Promise<void> {
  await build({
    ...COMMON,
    logLevel: 'error',
    define,
    ssr: { noExternal: true, external },
    build: {
      ssr: entry,
      outDir: 'dist-bench',
      target: 'node20',
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: file, codeSplitting: false } },
    },
  });
}
