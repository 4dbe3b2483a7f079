/**
 * Rewrites links that lead out of docs/, which work in the repository. A link to a report leads to its page of the site,
 * and a link to a demo to the demo. Any other link leads to the repository on GitHub that package.json names.
 */

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
/** package.json has `github:OWNER/NAME`. */
const sources = `https://github.com/${String(repository).replace(/^github:/, '')}/tree/HEAD`;

export function resolveOutsideLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('outside-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      if (!children) continue;
      for (const open of children.filter(({ type }) => type === 'link_open')) {
        const link = outsideLink(String(open.attrGet('href') ?? ''), env.relativePath as string);
        if (link === undefined) continue;
        open.attrSet('href', link);
        // VitePress opens only its own pages in place.
        if (link.startsWith('/live/')) open.attrSet('target', '_self');
      }
    }
  });
}

/** The new address, or undefined for a link that stays as it is. */
function outsideLink(href: string, page: string): string | undefined {
  if (/^([a-z]+:|[/#])/.test(href)) return undefined;
  const path = posix.join('docs', posix.dirname(page), href);
  if (path.startsWith('docs/')) return undefined;
  const report = /^bench\/results\/([\w-]+\.md(?:#.*)?)$/.exec(path)?.[1];
  if (report) return `/reports/${report}`;
  const [, demo, anchor = ''] = /^demos\/([\w-]+)\/?(#.*)?$/.exec(path) ?? [];
  if (demo) return `/live/${demo}/index.html${anchor}`;
  return `${sources}/${path}`;
}
