/** A subject in a process of its own, called by messages. A call that takes too long ends the process. */

import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Reply, Request, SubjectSpec } from '../protocol.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/child.js');

/** A browser's child closes its browser before it goes; one that hangs is killed. */
const GRACE_MS = 6000;

/** `call` of a subject's methods, by name. */
export interface Child<Methods> {
  call<Name extends keyof Methods & string>(
    method: Name,
    timeout: number,
    ...args: Methods[Name] extends (...args: infer Args) => unknown ? Args : never
  ): Promise<Methods[Name] extends (...args: never[]) => Promise<infer Value> ? Value : never>;
  /** Ends the process; gives back when it is gone. */
  end(): Promise<void>;
}

/** All processes under way, ended with the benchmark however it ends. */
const running = new Set<() => void>();
process.on('exit', () => running.forEach((kill) => kill()));

export function startChild<Methods>(spec: SubjectSpec): Child<Methods> {
  const child = fork(PROGRAM, [JSON.stringify(spec)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // First calls compile: a cache on disk would make the second benchmark's shorter than the first's.
    env: { ...process.env, MESA_SHADER_CACHE_DISABLE: 'true' },
  });
  const kill = (): void => void child.kill('SIGTERM');
  running.add(kill);
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastWords = '';
  let gone: Error | undefined;
  let nextId = 0;

  child.stderr!.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-2000)));
  child.on('message', (reply: Reply) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) call?.reject(new Error(reply.error));
    else call?.resolve(reply.value);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(kill);
      const said = lastWords.split('\n').find((line) => /error|abort|panic|fatal|memory/i.test(line));
      gone ??= new Error(`its process ended (${signal ?? `code ${code}`})${said ? `: ${said.trim()}` : ''}`);
      for (const { reject } of waiting.values()) reject(gone);
      waiting.clear();
      resolve();
    });
  });

  async function end(): Promise<void> {
    gone ??= new Error('its process was ended');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  return {
    async call(method, timeout, ...args) {
      if (gone) throw gone;
      const id = nextId++;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const answer = new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        timer = setTimeout(() => {
          gone = new Error(`no answer to ${method} within ${timeout / 1000} s`);
          reject(gone);
          void end();
        }, timeout);
        child.send({ id, method, args } satisfies Request);
      });
      try {
        return (await answer) as never;
      } finally {
        clearTimeout(timer);
      }
    },
    end,
  };
}
