/**
 * Completes the pages when they are built or served. In place of these comments, pages get:
 *
 * - `<!-- head -->`: what all pages have in their head, and in built pages a Content-Security-Policy that permits nothing
 *   from other hosts;
 * - `<!-- name -->`: the link to the start page, and the page's title as its heading;
 * - `<!-- open about -->` and `<!-- about -->`: a button, and the dialog that it opens with the text of README.md;
 * - `<!-- gallery -->`: a card for each demo.
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

const OPEN_ABOUT = '<button id="open-about" type="button" class="button">About</button>';

export function completePages(): Plugin {
  return {
    name: 'narrowphase-demos',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { filename, server }) =>
        html
          // Vite's own client adds style elements to served pages.
          .replace('<!-- head -->', () => head(server ? undefined : POLICY))
          .replace('<!-- name -->', () => nameOf(html))
          .replace('<!-- open about -->', OPEN_ABOUT)
          .replace('<!-- about -->', () => aboutOf(dirname(filename)))
          .replace('<!-- gallery -->', () => GALLERY.map(cardOf).join('\n')),
    },
  };
}

function head(policy: string | undefined): string {
  return [
    '<meta charset="utf-8" />',
    ...(policy ? [`<meta http-equiv="Content-Security-Policy" content="${policy}" />`] : []),
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    '<meta name="color-scheme" content="light dark" />',
    '<link rel="icon" href="data:," />',
    '<link rel="stylesheet" href="/theme.css" />',
  ].join('\n    ');
}

/** Titles are like "Heap · narrowphase". */
function nameOf(html: string): string {
  const name = /<title>(.*) · narrowphase<\/title>/.exec(html)?.[1];
  if (!name) throw new Error('expected a title like "Heap · narrowphase"');
  return `<a href="../">narrowphase</a>\n      <h1>${name}</h1>`;
}

/** A dialog with the README of a demo, without its first heading and picture, which the page itself has. */
function aboutOf(folder: string): string {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  const body = markdownIt({ html: false, linkify: false }).render(
    text.replace(/^# .*\n/, '').replace(/^!\[.*\)\n/m, ''),
  );
  return `<dialog id="about" class="about" aria-label="About this page">${body}</dialog>`;
}

function cardOf({ folder, title, sentence }: GalleryDemo): string {
  return `<a class="demo" href="${folder}/">
    <img src="${folder}/screenshot.webp" alt="" loading="lazy" />
    <strong>${title}</strong>
    <span>${sentence}</span>
  </a>`;
}
