/**
 * Rewrites links that lead out of docs/, which work in the repository. A link to a report leads to its page of the
 * site. Any other link leads to the repository that package.json names; if it names none, only the link's text stays.
 */

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const sources: string | undefined = repository?.url?.replace(/^git\+/, '').replace(/\.git$/, '');

export function resolveOutsideLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('outside-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      if (!children) continue;
      for (const open of children.filter(({ type }) => type === 'link_open')) {
        const link = outsideLink(String(open.attrGet('href') ?? ''), env.relativePath as string);
        if (link) open.attrSet('href', link);
        if (link !== '') continue;
        // Links don't nest, so the next closing token belongs to this one.
        const at = children.indexOf(open);
        const end = children.findIndex(({ type }, i) => i > at && type === 'link_close');
        children.splice(end, 1);
        children.splice(at, 1);
      }
    }
  });
}

/** The new address: undefined for a link that stays as it is, empty for a link without a target. */
function outsideLink(href: string, page: string): string | undefined {
  if (/^([a-z]+:|[/#])/.test(href)) return undefined;
  const path = posix.join('docs', posix.dirname(page), href);
  if (path.startsWith('docs/')) return undefined;
  const report = /^bench\/results\/([\w-]+\.md(?:#.*)?)$/.exec(path)?.[1];
  if (report) return `/reports/${report}`;
  return sources ? `${sources}/tree/HEAD/${path}` : '';
}
