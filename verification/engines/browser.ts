/**
 * Engines `chrome` and `firefox`: the built package in a headless browser of this machine, on a page that the command
 * line serves to it.
 *
 * A browser that dies, or gives no answer within the time limit, is restarted once with the same bodies and the same
 * question. A second failure is an error.
 */

import type { Browser, Page } from 'puppeteer';
import { NarrowphaseError } from '../../src/api/errors.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Bodies } from '../../src/api/types.ts';
import type { Answer, Engine, ImpactAnswer, ImpactReply, Question, Reply } from './engine.ts';
import type { BinaryMessage, MessageArray } from './binary-message.ts';
import { closeBrowser, launchBrowser } from './launch.ts';
import type { BrowserName } from './find-browser.ts';
import type { AdapterKind } from './launch.ts';
import type { Outcome, Task } from './messages.ts';
import { servePage } from './page-server.ts';
import type { PageServer } from './page-server.ts';

export interface BrowserOptions {
  /** Milliseconds within which the browser must start and answer each question. */
  timeout: number;
  /** Called with the reason when the browser is restarted. */
  notice: (text: string) => void;
}

/** A started browser with the page open. */
interface Session {
  browser: Browser;
  /** Why the browser or the page is gone. */
  loss?: BrowserLost;
}

/** If the browser takes longer to start, or the page to load, it hangs. */
const START_MS = 45_000;

type OpenedMessage = Extract<Outcome, { kind: 'opened' }>;

/** Throws `WEBGPU_UNAVAILABLE` if there is no browser, or it has no adapter of the kind. */
export async function openBrowser(name: BrowserName, kind: AdapterKind, options: BrowserOptions): Promise<Engine> {
  const server = await serve();
  const supervisor = supervise(name, kind, options, server);
  try {
    const { opened, version } = await supervisor.start();
    if (kind === 'hardware' && opened.description.isSoftware) {
      throw new NarrowphaseError('WEBGPU_UNAVAILABLE', `${version} has no hardware adapter`);
    }
    return {
      facts: { name, backend: opened.backend, runtime: version, adapter: opened.description },
      adapter: opened.adapter,
      load: (shapes, bodies) => supervisor.load(shapes, bodies),
      ask: (question) => supervisor.ask(question),
      impacts: (pairs, duration) => supervisor.impacts(pairs, duration),
      close: () => supervisor.close(),
    };
  } catch (error) {
    await supervisor.close();
    throw error;
  }
}

function supervise(name: BrowserName, kind: AdapterKind, { timeout, notice }: BrowserOptions, server: PageServer) {
  const startLimit = Math.min(timeout, START_MS);
  let session: Session | undefined;
  let loaded: BinaryMessage<Task> | undefined;
  let hasOpened = false;
  let hasRestarted = false;

  async function begin(): Promise<{ opened: OpenedMessage; version: string }> {
    try {
      const started = await open();
      hasOpened = true;
      return started;
    } catch (error) {
      if (error instanceof NarrowphaseError || error instanceof BrowserLost) throw error;
      throw new BrowserLost(`${name} did not start: ${firstLine(error)}`, { cause: error });
    }
  }

  /** Starts the browser and opens the page, which tells what it runs on. */
  async function open(): Promise<{ opened: OpenedMessage; version: string }> {
    const browser = await launchBrowser(name, kind, startLimit);
    const started: Session = { browser };
    session = started;
    const page = await browser.newPage();
    watch(name, browser, page, (loss) => {
      started.loss ??= loss;
      if (session === started) server.fail(loss);
    });
    const answer = exchange({ head: { kind: 'open' }, arrays: {} }, startLimit);
    // The page's answer comes once it has loaded. If it can't be opened, `goto` gives the reason.
    const [outcome] = await Promise.all([answer, page.goto(server.url, { waitUntil: 'load', timeout: startLimit })]);
    return { opened: outcome.head as OpenedMessage, version: versionText(await browser.version()) };
  }

  async function exchange(task: BinaryMessage<Task>, limit = timeout): Promise<BinaryMessage<Outcome>> {
    if (session?.loss) throw session.loss;
    const outcome = await within(limit, server.exchange(task), `${name} gave no answer`);
    if (outcome.head.kind !== 'failed') return outcome;
    const { code, message } = outcome.head;
    throw code === null
      ? new BrowserLost(`the page in ${name} failed: ${message}`)
      : new NarrowphaseError(code, message);
  }

  async function end(): Promise<void> {
    server.reset();
    const ended = session;
    session = undefined;
    if (ended) await closeBrowser(ended.browser);
  }

  /** Calls `attempt`. If the browser is lost, calls it once more in a new one, which `prepare` brings up to date. */
  async function retrying<T>(attempt: () => Promise<T>, prepare: () => Promise<unknown>): Promise<T> {
    for (let next = attempt; ;) {
      try {
        return await next();
      } catch (error) {
        if (!isLoss(error)) throw error;
        await end();
        if (hasRestarted) {
          const code = hasOpened ? 'DEVICE_LOST' : 'WEBGPU_UNAVAILABLE';
          throw new NarrowphaseError(code, `${error.message}; it had been started again once`, { cause: error });
        }
        hasRestarted = true;
        notice(`${error.message}; starting it again`);
        next = async () => {
          await prepare();
          return attempt();
        };
      }
    }
  }

  const reopen = async (): Promise<void> => {
    await begin();
    if (loaded) await exchange(loaded);
  };

  return {
    start: () => retrying(begin, () => Promise.resolve()),
    async load(shapes: readonly ShapeDescription[], bodies: Bodies): Promise<void> {
      const task: BinaryMessage<Task> = { head: { kind: 'load', shapes }, arrays: arraysOf(bodies) };
      await retrying(() => exchange(task), reopen);
      loaded = task;
    },
    async ask({ pairs, margin, ...question }: Question): Promise<Reply> {
      const arrays: Record<string, MessageArray> = { pairs: pairs as Uint32Array<ArrayBuffer> };
      if (margin !== undefined) arrays.margin = Float64Array.of(margin);
      const outcome = await retrying(() => exchange({ head: { kind: 'ask', question }, arrays }), reopen);
      const { count, statusCounts, timings } = outcome.head as Extract<Outcome, { kind: 'answered' }>;
      return { answer: { count, statusCounts, ...outcome.arrays } as Answer, timings };
    },
    async impacts(pairs: Uint32Array, duration: number): Promise<ImpactReply> {
      const arrays = { pairs: pairs as Uint32Array<ArrayBuffer>, duration: Float64Array.of(duration) };
      const outcome = await retrying(() => exchange({ head: { kind: 'impacts' }, arrays }), reopen);
      const { count, statusCounts, timings } = outcome.head as Extract<Outcome, { kind: 'answered' }>;
      return { answer: { count, statusCounts, ...outcome.arrays } as ImpactAnswer, timings };
    },
    async close(): Promise<void> {
      await end();
      await server.close();
    },
  };
}

/** The browser failed, not the question. */
class BrowserLost extends Error {}

function isLoss(error: unknown): error is Error {
  return error instanceof BrowserLost || (error instanceof NarrowphaseError && error.code === 'DEVICE_LOST');
}

/** Calls `onLoss` when browser or page are gone. Several events may report that. */
function watch(name: BrowserName, browser: Browser, page: Page, onLoss: (loss: BrowserLost) => void): void {
  browser.once('disconnected', () => onLoss(new BrowserLost(`${name} ended`)));
  page.once('error', (error) => onLoss(new BrowserLost(`the page in ${name} crashed: ${firstLine(error)}`)));
  page.once('close', () => onLoss(new BrowserLost(`the page in ${name} was closed`)));
  page.once('pageerror', (error) => onLoss(new BrowserLost(`the page in ${name} failed: ${firstLine(error)}`)));
}

async function serve(): Promise<PageServer> {
  try {
    return await servePage();
  } catch (cause) {
    throw new NarrowphaseError(
      'WEBGPU_UNAVAILABLE',
      `no page can be served on this machine's loopback interface: ${firstLine(cause)}`,
      { cause },
    );
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0];
}

/** `Chrome 156.0.8078.79` from a browser's own version text. */
function versionText(version: string): string {
  const text = version.replace('Headless', '').replace('/', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

async function within<T>(milliseconds: number, promise: Promise<T>, failure: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BrowserLost(`${failure} within ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

function arraysOf(bodies: Bodies): Record<string, MessageArray> {
  return Object.fromEntries(Object.entries(bodies).filter(([, array]) => array !== undefined)) as Record<
    string,
    MessageArray
  >;
}
