/** The site that `npm run docs` builds, in headless Chrome: it needs no other host, and no link is dead. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../package/projects.ts';
import { launchBrowser, openPage } from '../setup/launch.ts';
import { serve } from '../../verification/engines/static-server.ts';
import type { StaticServer } from '../../verification/engines/static-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = join(root, 'dist-docs');

/** What a page asks of another host is refused, which the console reports. Icons of the theme are `data:` URLs. */
const OWN_HOST = { 'content-security-policy': "default-src 'self' 'unsafe-inline'; img-src 'self' data:" };

const differential = readFileSync(join(root, 'verification/fixtures/differential.json'), 'utf8');
const keptPairs = new Set((JSON.parse(differential) as { cases: { name: string }[] }).cases.map(({ name }) => name));

let server: StaticServer;
let browser: Browser;

beforeAll(async () => {
  await run('npm', ['run', 'docs:build'], root);
  server = await serve(
    { '/': built },
    { '/other-host.html': '<script src="https://example.com/a.js"></script>' },
    OWN_HOST,
  );
  browser = await launchBrowser();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('a page that asks another host for something is noticed', async () => {
  const { page, complaints } = await openPage(browser, `${server.origin}/other-host.html`);
  await page.close();
  expect(complaints.join('\n')).toMatch(/example\.com/);
});

describe('all pages', () => {
  const anchors = new Map<string, string[]>();
  const links: { from: string; to: string }[] = [];
  const complained: string[] = [];

  beforeAll(async () => {
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
    const paths = files.map((path) => path.replaceAll('\\', '/')).sort();
    // The demos are not pages of VitePress; test/demos/ opens them.
    for (const path of paths) if (path.startsWith('live/')) anchors.set(`/${path}`, []);
    const pages = paths.filter((path) => !path.startsWith('live/'));
    for (const path of pages) readLinks(path);
    await Promise.all([openInOneTab(pages), openInOneTab(pages)]);
  }, 300_000);

  test('are those of docs/ and of the reference', () => {
    const paths = [...anchors.keys()];
    expect(paths).toEqual(
      expect.arrayContaining([
        '/index.html',
        '/queries.html',
        '/api/narrowphase/createTester.html',
        '/reports/bench.html',
      ]),
    );
  });

  test('lead to every demo', () => {
    const demos = [...anchors.keys()].filter((path) => /^\/live\/\w+\/index.html$/.test(path));
    expect(demos.length).toBeGreaterThan(0);
    const linked = links.filter(({ from }) => from === 'index.html').map(({ to }) => new URL(to).pathname);
    expect(linked).toEqual(expect.arrayContaining(demos));
  });

  test('open without complaints', () => expect(complained).toEqual([]));

  test('have no dead link and no dead anchor', () => {
    const own = links.filter(({ to }) => to.startsWith(server.origin));
    expect(own.length).toBeGreaterThan(anchors.size);
    expect(own.filter(({ to }) => !isAlive(new URL(to))).map(({ from, to }) => `${from}: ${to}`)).toEqual([]);
  });

  /** What VitePress has written. Vue makes more: 404.html has no links until then. */
  function readLinks(path: string): void {
    const html = readFileSync(join(built, path), 'utf8');
    anchors.set(`/${path}`, attributes(html, /<[^>]*\sid="([^"]*)"/g));
    const hrefs = attributes(html, /<a\b[^>]*\shref="([^"]*)"/g);
    links.push(...hrefs.map((href) => ({ from: path, to: new URL(href, `${server.origin}/${path}`).href })));
  }

  async function openInOneTab(left: string[]): Promise<void> {
    const { page, complaints } = await openPage(browser, `${server.origin}/${left[0]}`);
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      await page.goto(`${server.origin}/${file}`, { waitUntil: 'load' });
      await untilMounted(page);
      const found = await page.evaluate(() => ({
        ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
        hrefs: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href),
      }));
      const from = file;
      anchors.get(`/${from}`)!.push(...found.ids);
      links.push(...found.hrefs.map((to) => ({ from, to })));
      complained.push(...complaints.splice(0).map((complaint) => `${from}: ${complaint}`));
    }
    await page.close();
  }

  function isAlive({ pathname, hash }: URL): boolean {
    const ids = anchors.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const anchor = decodeURIComponent(hash.slice(1));
    // The inspector's address names a pair.
    if (pathname === '/live/inspector/index.html' && anchor.startsWith('case=')) return keptPairs.has(anchor.slice(5));
    return ids !== undefined && (anchor === '' || ids.includes(anchor));
  }
});

test('search finds the page of a type', async () => {
  const { page, complaints } = await openPage(browser, `${server.origin}/index.html`);
  await untilMounted(page);
  await page.click('#local-search button, .VPNavBarSearch button');
  await page.waitForSelector('.VPLocalSearchBox input');
  await page.type('.VPLocalSearchBox input', 'MassProperties');
  // Results change while the word is typed.
  const found = '.VPLocalSearchBox .results a[href^="/api/narrowphase/MassProperties.html"]';
  await page.waitForSelector(found);
  await page.click(found);
  await page.waitForFunction(() => document.querySelector('h1')?.textContent?.includes('MassProperties'));
  await page.close();
  expect(complaints).toEqual([]);
});

/** The values of an attribute in HTML. */
function attributes(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value]) => value.replaceAll('&amp;', '&'));
}

/** Until Vue has taken over the page. */
async function untilMounted(page: Page): Promise<void> {
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
}
