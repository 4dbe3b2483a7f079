/**
 * Bundles the child processes' program and the browsers' page into bench/dist, so that what is timed runs as plain
 * modules.
 */

import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

export async function buildSubjects(): Promise<void> {
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
