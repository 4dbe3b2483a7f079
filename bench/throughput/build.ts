/** Bundles the program of the child processes and the page of the browsers into bench/dist: both run as plain modules. */

import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

export async function buildPrograms(): Promise<void> {
  const shared = { configFile: false, root: ROOT, logLevel: 'error', publicDir: false } as const;
  const outDir = 'bench/dist';
  await build({
    ...shared,
    build: {
      ssr: 'bench/throughput/run/child.ts',
      outDir,
      target: 'node20',
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
    },
  });
  await build({
    ...shared,
    build: {
      outDir,
      target: 'es2022',
      emptyOutDir: false,
      minify: false,
      lib: { entry: { page: 'bench/throughput/engines/page.ts' }, formats: ['es'], fileName: '[name]' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
}
