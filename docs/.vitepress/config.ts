/**
 * Configuration of the site that `npm run docs` builds from docs/. scripts/docs-api.mjs and scripts/docs-reports.mjs
 * generate docs/api/ and docs/reports/ first.
 */

import { existsSync, readFileSync } from 'node:fs';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { resolveOutsideLinks } from './outside-links.ts';

const guides: DefaultTheme.SidebarItem[] = [
  { text: 'Getting started', link: '/getting-started' },
  { text: 'Debris in the browser', link: '/guides/debris' },
  { text: 'Crowds', link: '/guides/crowds' },
  { text: 'Is this model free of clashes?', link: '/guides/clash' },
  { text: 'Checks in CI', link: '/guides/ci' },
  { text: 'Engine authors', link: '/guides/engine-authors' },
  { text: 'Bundlers and runtimes', link: '/guides/bundlers' },
];

const manual: DefaultTheme.SidebarItem[] = [
  { text: 'Conventions', link: '/conventions' },
  { text: 'Queries', link: '/queries' },
  { text: 'Compounds and meshes', link: '/parts' },
  { text: 'Motion', link: '/motion' },
  { text: '2-D', link: '/2d' },
  { text: 'GPU batches', link: '/gpu-batches' },
  { text: 'Command line', link: '/cli' },
];

const background: DefaultTheme.SidebarItem[] = [
  { text: 'Algorithms', link: '/algorithms' },
  { text: 'Depth', link: '/depth' },
  { text: 'Accuracy', link: '/accuracy' },
  { text: 'Performance', link: '/performance' },
];

export default defineConfig({
  title: 'narrowphase',
  description: 'GPU-parallel batch collision tests for convex shapes on WebGPU.',
  lang: 'en',
  outDir: '../dist-docs',
  markdown: { config: resolveOutsideLinks },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/getting-started', activeMatch: '^/(getting-started|guides/)' },
      { text: 'Manual', link: '/conventions' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
    ],
    sidebar: [
      { text: 'Guides', items: guides },
      { text: 'Manual', items: manual },
      { text: 'Background', items: background },
      { text: 'API reference', link: '/api/', items: apiGroups() },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
});

/** One group per entry of the package; none if the reference has not been generated. */
function apiGroups(): DefaultTheme.SidebarItem[] {
  const file = new URL('../api/sidebar.json', import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
