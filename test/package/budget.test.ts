/**
 * How much a page loads (DESIGN's budgets), minified and gzipped: what `createTester` reaches by static imports, what a
 * page that asks for contacts of boxes fetches in a browser, and `narrowphase/wgsl`.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { launchBrowser, openPage } from '../setup/launch.ts';
import { serve } from '../../verification/engines/static-server.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

interface Chunk {
  fileName: string;
  code: string;
  imports: string[];
  isEntry: boolean;
}

/** The chunks that a bundler makes of a program, minified. `narrowphase` is the built package. */
async function bundle(program: string): Promise<Map<string, Chunk>> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: dist,
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === 'program' ? '\0program' : undefined),
        load: (id) => (id === '\0program' ? program : undefined),
      },
    ],
    resolve: {
      alias: [
        { find: 'narrowphase/wgsl', replacement: join(dist, 'wgsl.js') },
        { find: 'narrowphase', replacement: join(dist, 'index.js') },
      ],
    },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: { program: 'program' },
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const { output } = result as Extract<typeof result, { output: unknown }>;
  const chunks = output.flatMap((part) => (part.type === 'chunk' ? [part as Chunk] : []));
  return new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
}

function zipped(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}

/** Bytes of the entry and of all that it imports statically. */
function staticBytes(chunks: Map<string, Chunk>): number {
  const reached = new Set([...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const fileName of reached) for (const other of chunks.get(fileName)!.imports) reached.add(other);
  return Array.from(reached, (fileName) => zipped(chunks.get(fileName)!.code)).reduce((sum, bytes) => sum + bytes);
}

test('createTester loads less than 45 kB at once, and the kernels are not among it', async () => {
  const chunks = await bundle("export { createTester } from 'narrowphase';");
  const bytes = staticBytes(chunks);
  console.log(`createTester: ${bytes} bytes`);
  expect(bytes).toBeLessThan(45_000);
  const all = [...chunks.values()].map(({ code }) => zipped(code)).reduce((sum, size) => sum + size);
  expect(all).toBeGreaterThan(3 * bytes);
});

test('narrowphase/wgsl loads less than 6 kB', async () => {
  const bytes = staticBytes(await bundle("export { resultsWgsl, shapesWgsl } from 'narrowphase/wgsl';"));
  console.log(`narrowphase/wgsl: ${bytes} bytes`);
  expect(bytes).toBeLessThan(6_000);
});

/** As `BOXES`, but a query that fails is asked again. */
const RETRY = `
  import { createTester } from 'narrowphase';
  const tester = await createTester({ backend: 'webgpu' });
  const ball = tester.addShape({ type: 'sphere', radius: 1 });
  const bodies = {
    shapes: Uint32Array.of(ball, ball),
    positions: new Float32Array(6),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const ask = () => tester.contacts(bodies, Uint32Array.of(0, 1));
  const { code, message, cause } = await ask().catch((error) => error);
  const contacts = await ask();
  document.title = JSON.stringify({ code, message, cause: String(cause), distance: contacts.distance[0] });
`;

const BOXES = `
  import { createTester } from 'narrowphase';
  const tester = await createTester({ backend: 'webgpu' });
  const crate = tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const bodies = {
    shapes: Uint32Array.of(crate, crate),
    positions: Float32Array.of(0, 0, 0, 0.9, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const contacts = await tester.contacts(bodies, Uint32Array.of(0, 1));
  document.title = 'done ' + contacts.distance[0].toFixed(3);
`;

test('a page that asks for contacts of boxes on WebGPU fetches less than 90 kB', async () => {
  const chunks = await bundle(BOXES);
  const texts = Object.fromEntries(Array.from(chunks, ([fileName, { code }]) => [`/${fileName}`, code]));
  const html = '<!doctype html><title>boxes</title><script type="module" src="/program.js"></script>';
  const server = await serve({}, { ...texts, '/index.html': html });
  const browser = await launchBrowser('chrome');
  try {
    const { page, complaints } = await openPage(browser, 'about:blank');
    const fetched: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.js')) fetched.push(pathname);
    });
    await page.goto(server.origin);
    await page.waitForFunction(() => document.title.startsWith('done'), { timeout: 100_000 });
    expect(await page.title()).toBe('done -0.100');
    expect(complaints).toEqual([]);
    const bytes = fetched.map((path) => zipped(texts[path])).reduce((sum, size) => sum + size);
    console.log(`contacts of boxes: ${bytes} bytes in ${fetched.length} files`);
    expect(new Set(fetched).size).toBe(fetched.length);
    expect(bytes).toBeLessThan(90_000);
  } finally {
    await browser.close();
    await server.close();
  }
});

test('a kernel whose text can’t be fetched is named, and the next call tries again', async () => {
  const chunks = await bundle(RETRY);
  const texts = Object.fromEntries(Array.from(chunks, ([fileName, { code }]) => [`/${fileName}`, code]));
  const html = '<!doctype html><title></title><script type="module" src="/program.js"></script>';
  const server = await serve({}, { ...texts, '/index.html': html });
  const browser = await launchBrowser('chrome');
  try {
    const { page } = await openPage(browser, 'about:blank');
    await page.setRequestInterception(true);
    let refused = 0;
    page.on('request', (request) => {
      const isKernels = /\/contacts-[\w-]{8}\.js$/.test(request.url());
      if (isKernels && refused++ === 0) void request.abort();
      else void request.continue();
    });
    await page.goto(server.origin);
    await page.waitForFunction(() => document.title !== '', { timeout: 100_000 });
    const { code, message, cause, distance } = JSON.parse(await page.title()) as Record<string, unknown>;
    expect(refused).toBeGreaterThan(1);
    expect(code).toBe('SHADER');
    expect(message).toMatch(/^kernel contacts-closed: its text \(\w+\) could not be loaded: /);
    expect(cause).toContain('TypeError');
    expect(distance).toBeCloseTo(-2, 5);
  } finally {
    await browser.close();
    await server.close();
  }
});
