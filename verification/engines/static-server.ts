/** A static server on localhost. Pages on localhost are a secure context, which WebGPU needs. */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

export interface StaticServer {
  /** `http://localhost:<port>`, without a slash at the end. */
  origin: string;
  close(): Promise<void>;
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Serves `folders`, which maps URL prefixes to folders, and `texts`, which maps URL paths to files' contents. The
 * longest prefix wins. Prefixes begin and end with a slash. All answers have `headers`.
 */
export async function serve(
  folders: Record<string, string>,
  texts: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<StaticServer> {
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const content = async (path: string): Promise<string | Buffer | undefined> => {
    if (path in texts) return texts[path];
    const prefix = prefixes.find((candidate) => path.startsWith(candidate));
    if (prefix === undefined) return undefined;
    // `normalize` of an absolute path can't go above its root.
    return readFile(join(folders[prefix], normalize(`/${path.slice(prefix.length)}`))).catch(() => undefined);
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const body = path === '/favicon.ico' ? '' : await content(path);
    response.writeHead(body === undefined ? 404 : 200, {
      ...headers,
      'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
    });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
