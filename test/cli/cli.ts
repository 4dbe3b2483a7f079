/** The command line in a folder of its own: from source in the test's process, or built as a child process. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { commandLine } from '../../cli/command-line.ts';
import type { ReportContact } from '../../cli/report/contacts.ts';
import type { ReportHeader } from '../../cli/report/report-header.ts';

export const PROGRAM = resolve('dist/narrowphase.js');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A JSON report of `run`. */
export interface Report extends ReportHeader {
  contacts: ReportContact[];
}

export interface Workplace {
  /** Its absolute path. */
  folder: string;
  /** Runs the command line from source in this process, one call after the other. `input`: what it reads on stdin. */
  narrowphase(args: string[], options?: { env?: Record<string, string>; input?: string }): Promise<Ended>;
  /**
   * Runs the built program as a process: for what only a process has, such as its memory, its streams and its exit code.
   * `closeEarly`: its stdout is closed after the first piece that comes.
   */
  program(
    args: string[],
    options?: { env?: Record<string, string>; closeEarly?: boolean; input?: string },
  ): Promise<Ended>;
  /** Writes a file: text and bytes as they are, anything else as JSON. */
  write(name: string, content: unknown): string;
  read(name: string): string;
  files(): string[];
}

/** Calls in this process have its folder and streams to themselves. */
let last: Promise<unknown> = Promise.resolve();

/** A temporary folder to run in, removed after the test file. */
export function makeWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'narrowphase-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    narrowphase(args, { env = {}, input = '' } = {}) {
      const ended = last.then(() => callHere(args, folder, env, input));
      last = ended.catch(() => {});
      return ended;
    },
    program: (args, { env, closeEarly = false, input = '' } = {}) =>
      new Promise((done, fail) => {
        const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env: { ...process.env, ...env } });
        let stdout = '';
        let stderr = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          stdout += text;
          if (closeEarly) child.stdout.destroy();
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
        child.on('error', fail).on('close', (code) => done({ code, stdout, stderr }));
        child.stdin.end(input);
      }),
    write(name, content) {
      writeFileSync(
        join(folder, name),
        typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
      );
      return name;
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    files: () => readdirSync(folder).sort(),
  };
}

/** Lends the command line this process: its folder, its environment and its streams, until the command has ended. */
async function callHere(args: string[], folder: string, env: Record<string, string>, input: string): Promise<Ended> {
  const home = process.cwd();
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  const [stdout, stderr] = [collector(), collector()];
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: stdout.stream, stderr: stderr.stream };
  const spies = Object.entries(streams).map(([name, stream]) =>
    vi.spyOn(process, name as 'stdout', 'get').mockReturnValue(stream as typeof process.stdout),
  );
  process.chdir(folder);
  Object.assign(process.env, env);
  try {
    const code = await commandLine(args, packageJson.version);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(home);
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** A stream that is no terminal, and what was written to it. */
function collector(): { stream: Writable; text: () => string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString('utf8') };
}

/** Two crates that overlap by 0.1 along x, a ball 0.5 beyond the second, and a hull far away. */
export const CRATES = {
  version: 1,
  name: 'crates',
  shapes: [
    { id: 'crate', type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    { id: 'ball', type: 'sphere', radius: 0.5 },
    { id: 'rock', type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
  ],
  bodies: [
    { shape: 'crate', position: [0, 0, 0], name: 'left' },
    { shape: 0, position: [0.9, 0, 0], name: 'right' },
    { shape: 'ball', position: [2.4, 0, 0], scale: 1 },
    { shape: 'rock', position: [50, 0, 0], quaternion: [0, 0, 0, 1] },
  ],
  pairs: 'all',
};
