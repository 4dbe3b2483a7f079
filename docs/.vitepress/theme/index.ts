/** VitePress's own theme without its web font, with tables that fit narrow screens and a gallery of the demos. */

import Theme from 'vitepress/theme-without-fonts';
import type { Theme as ThemeDescription } from 'vitepress';
import { DemoGallery } from './demo-gallery.ts';
import './style.css';

export default {
  extends: Theme,
  enhanceApp: ({ app }) => void app.component('DemoGallery', DemoGallery),
} satisfies ThemeDescription;
