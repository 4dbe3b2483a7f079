/**
 * The build of the command line with its browser page. It is separate from the library's build, so that neither affects
 * how the other is cut into chunks.
 */
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { cpuWorker } from './scripts/cpu-worker-plugin.ts';

export default defineConfig({
  plugins: [cpuWorker()],
  build: {
    target: 'es2022',
    minify: false,
    emptyOutDir: false,
    lib: { entry: { narrowphase: 'src/cli/main.ts', page: 'verification/engines/page.ts' }, formats: ['es'] },
    rolldownOptions: {
      external: [/^node:/, ...builtinModules, 'webgpu', 'puppeteer'],
      output: { entryFileNames: '[name].js', chunkFileNames: 'cli/[name].js' },
    },
  },
});
