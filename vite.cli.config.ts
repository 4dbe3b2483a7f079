/**
 * The build of the command line with its browser page. It is separate from the library's build, so that neither affects
 * how the other is cut into chunks.
 */
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { cpuWorker } from './scripts/cpu-worker-plugin.ts';

/** The chunk of glTF Transform, which is loaded when a glTF file is read. Its licenses are to go with it. */
const GLTF_TRANSFORM = 'gltf-transform';
const LICENSES = ['@gltf-transform/core/LICENSE.md', 'property-graph/LICENSE'];

function licenseText(file: string): string {
  return `/*!\n${file.replace(/\/[^/]*$/, '')}\n\n${readFileSync(`node_modules/${file}`, 'utf8').trim()}\n*/`;
}

export default defineConfig({
  plugins: [cpuWorker()],
  build: {
    target: 'es2022',
    minify: false,
    emptyOutDir: false,
    lib: { entry: { narrowphase: 'cli/main.ts', page: 'verification/engines/page.ts' }, formats: ['es'] },
    rolldownOptions: {
      external: [/^node:/, ...builtinModules, 'webgpu', 'puppeteer'],
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'cli/[name].js',
        codeSplitting: { groups: [{ name: GLTF_TRANSFORM, test: /node_modules.(@gltf-transform|property-graph)/ }] },
        banner: ({ name }) => (name === GLTF_TRANSFORM ? LICENSES.map(licenseText).join('\n') : ''),
      },
    },
  },
});
