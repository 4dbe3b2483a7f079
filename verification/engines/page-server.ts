/**
 * Serves a page to a browser on this machine, and exchanges tasks and outcomes with it. It listens only on the loopback
 * interface, and every address contains a secret, so that no other page can take part.
 */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { decodeMessage, encodeMessage } from './binary-message.ts';
import type { BinaryMessage } from './binary-message.ts';
import type { Outcome, Task } from './messages.ts';

/** A request for a task waits at most this long: browsers and proxies end longer requests in various ways. */
const POLL_MS = 20_000;
/** Far more than the answer for the largest chunk takes. */
const MAX_OUTCOME_BYTES = 2 ** 30;

/** The built module that runs in the page. */
const MODULE = 'page.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>narrowphase</title>
    <link rel="icon" href="data:," />
    <script type="module" src="${MODULE}"></script>
  </head>
  <body></body>
</html>
`;

export interface PageServer {
  /** Address of the page. */
  url: string;
  /** Has the page carry out a task; one at a time. */
  exchange(task: BinaryMessage<Task>): Promise<BinaryMessage<Outcome>>;
  /** Rejects the exchange under way, if there is one. */
  fail(error: Error): void;
  /** Drops the current exchange, because its page is gone. */
  reset(): void;
  close(): Promise<void>;
}

export async function servePage(): Promise<PageServer> {
  const secret = randomUUID();
  const modules = join(packageFolder(), 'dist');
  let task: BinaryMessage<Task> | undefined;
  let poll: ServerResponse | undefined;
  let settle: { resolve: (outcome: BinaryMessage<Outcome>) => void; reject: (error: unknown) => void } | undefined;

  /** Sends a waiting task to a waiting request. */
  function deliver(): void {
    if (!task || !poll) return;
    const parts = encodeMessage(task);
    const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
    poll.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
    for (const part of parts) poll.write(part);
    poll.end();
    task = undefined;
    poll = undefined;
  }

  function waitForTask(response: ServerResponse): void {
    poll = response;
    const timer = setTimeout(() => {
      if (poll !== response) return;
      poll = undefined;
      response.writeHead(204).end();
    }, POLL_MS);
    response.on('close', () => {
      clearTimeout(timer);
      if (poll === response) poll = undefined;
    });
    deliver();
  }

  async function takeOutcome(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const waiting = settle;
    try {
      const outcome = decodeMessage<Outcome>(await readBody(request));
      response.writeHead(204).end();
      waiting?.resolve(outcome);
    } catch (error) {
      response.writeHead(400).end();
      waiting?.reject(error);
    }
  }

  async function sendFile(path: string, response: ServerResponse): Promise<void> {
    const isModule = /^(?:[\w-]+\/)?[\w.-]+\.js$/.test(path);
    const body = path === '' ? PAGE : isModule ? await readFile(join(modules, path)).catch(() => undefined) : undefined;
    if (path === MODULE && body === undefined) {
      settle?.reject(
        new NarrowphaseError('WEBGPU_UNAVAILABLE', `${join(modules, MODULE)} is missing: the package was not built`),
      );
    }
    const type = path === '' ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  }

  const server = createServer((request, response) => {
    const [, given, ...rest] = (request.url ?? '').split('/');
    const path = rest.join('/');
    if (given !== secret) response.writeHead(404).end();
    else if (path === 'task') waitForTask(response);
    else if (path === 'outcome' && request.method === 'POST') void takeOutcome(request, response);
    else void sendFile(path, response);
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}/`,
    exchange(next) {
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        task = next;
        deliver();
      });
    },
    fail(error) {
      settle?.reject(error);
    },
    reset() {
      task = undefined;
      settle = undefined;
    },
    close() {
      return new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
}

async function readBody(request: IncomingMessage): Promise<ArrayBuffer> {
  const size = Number(request.headers['content-length']);
  if (!(size <= MAX_OUTCOME_BYTES))
    throw new Error(`the page sent ${request.headers['content-length']} bytes, expected at most ${MAX_OUTCOME_BYTES}`);
  const body = new Uint8Array(size);
  let offset = 0;
  for await (const chunk of request) {
    body.set(chunk as Uint8Array, offset);
    offset += (chunk as Uint8Array).length;
  }
  if (offset !== size) throw new Error(`the page sent ${offset} bytes of ${size}`);
  return body.buffer;
}

/** The package's root folder: built modules are at different depths in it. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
