/** The built command line as a child process, in a folder of its own. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import type { ReportContact } from '../../src/cli/report/contacts.ts';
import type { ReportHeader } from '../../src/cli/report/report-header.ts';

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
  /**
   * Runs `narrowphase` with these arguments. `closeEarly`: its stdout is closed after the first piece that comes.
   * `input`: what it reads on stdin.
   */
  narrowphase(
    args: string[],
    options?: { env?: Record<string, string>; closeEarly?: boolean; input?: string },
  ): Promise<Ended>;
  /** Writes a file: text and bytes as they are, anything else as JSON. */
  write(name: string, content: unknown): string;
  read(name: string): string;
  files(): string[];
}

/** A temporary folder to run in, removed after the test file. */
export function makeWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'narrowphase-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    narrowphase: (args, { env, closeEarly = false, input = '' } = {}) =>
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
