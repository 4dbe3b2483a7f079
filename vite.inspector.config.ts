/**
 * The build of the demo Inspector that the package ships, for `narrowphase inspect --open`. The page imports the built
 * library beside it, so that the package has no second copy.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { completePages } from './demos/complete-pages.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Entries of the library, by their source and by what a page at the root of `dist/` calls them. */
const LIBRARY: Record<string, string> = {
  [path('src/index.ts')]: '/index.js',
  [path('src/cpu.ts')]: '/cpu.js',
};

/** Leaves the library out of the page. */
const builtLibrary: Plugin = {
  name: 'built-library',
  enforce: 'pre',
  async resolveId(source, importer) {
    const known: Record<string, string> = { narrowphase: '/index.js', 'narrowphase/cpu': '/cpu.js' };
    if (source in known) return { id: known[source], external: 'absolute' };
    if (!importer || !source.endsWith('.ts')) return null;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    return resolved && resolved.id in LIBRARY ? { id: LIBRARY[resolved.id], external: 'absolute' } : null;
  },
};

export default defineConfig({
  root: path('demos'),
  base: './',
  publicDir: false,
  plugins: [builtLibrary, completePages()],
  build: {
    target: 'es2022',
    outDir: path('dist/pages'),
    emptyOutDir: true,
    modulePreload: false,
    rolldownOptions: { input: path('demos/inspector/index.html') },
  },
});
