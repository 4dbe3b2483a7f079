/**
 * Completes the pages when they are built or served: the text of the demo's README.md in place of `<!-- about -->`, a
 * card for each demo in place of `<!-- gallery -->`, and in built pages a Content-Security-Policy that permits nothing
 * from other hosts.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import markdownIt from 'markdown-it';
import type { Plugin } from 'vite';
import { GALLERY } from './gallery.ts';
import type { GalleryDemo } from './gallery.ts';

/** three.js decodes images from `blob:` addresses; files that a user drops are read through them too. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ');

const ABOUT = '<!-- about -->';
const CARDS = '<!-- gallery -->';

export function completePages(): Plugin {
  return {
    name: 'narrowphase-demos',
    transformIndexHtml: {
      order: 'pre',
      handler(html, { filename, server }) {
        const page = html
          .replace(ABOUT, () => aboutOf(dirname(filename)))
          .replace(CARDS, () => GALLERY.map(cardOf).join('\n'));
        if (server) return page; // Vite's own client adds style elements to served pages.
        return page.replace(
          '<meta charset="utf-8" />',
          `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />`,
        );
      },
    },
  };
}

/** The README of a demo as HTML, without its first heading and picture, which the page itself has. */
function aboutOf(folder: string): string {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  return markdownIt({ html: false, linkify: false }).render(text.replace(/^# .*\n/, '').replace(/^!\[.*\)\n/m, ''));
}

function cardOf({ folder, title, sentence }: GalleryDemo): string {
  return `<a class="demo" href="${folder}/">
    <img src="${folder}/screenshot.webp" alt="" loading="lazy" />
    <strong>${title}</strong>
    <span>${sentence}</span>
  </a>`;
}
