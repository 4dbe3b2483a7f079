/** Blocks of the fuzz in processes of their own, which run this program again with `--child`. */

import { fork } from 'node:child_process';

/** Milliseconds that a block may go without beginning another call: software adapters compile for minutes. */
const SILENCE_MS = 600_000;

type Message = { index: number } | { report: unknown };

/** lavapipe compiles in a third of the time if LLVM does not optimise the kernels. */
const QUICK_TO_COMPILE = { GALLIVM_PERF: 'nopt', LP_NATIVE_VECTOR_WIDTH: '128' };

/**
 * A block's report. If its process dies or falls silent, one with a finding: `what` names the calls, and the index of the
 * one under way follows. `onCall` is told of each call before it begins.
 */
export function runInProcess<Report>(
  args: readonly string[],
  what: string,
  failed: (findings: string[]) => Report,
  onCall?: (index: number) => void,
): Promise<Report> {
  return new Promise((resolve) => {
    const child = fork(process.argv[1], ['--child', ...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...QUICK_TO_COMPILE, ...process.env },
    });
    let index = -1;
    let report: Report | undefined;
    let isSilent = false;
    const silence = (): NodeJS.Timeout =>
      setTimeout(() => {
        isSilent = true;
        child.kill('SIGKILL');
      }, SILENCE_MS);
    let timer = silence();
    child.on('message', (message: Message) => {
      clearTimeout(timer);
      timer = silence();
      if ('report' in message) report = message.report as Report;
      else {
        index = message.index;
        onCall?.(index);
      }
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const end = isSilent ? `hangs for ${SILENCE_MS / 1000} s` : `ends the process with ${signal ?? code}`;
      resolve(report ?? failed([`${what} ${index} ${end}`]));
    });
  });
}

/** Runs a block in the process that `runInProcess` started, and ends it. */
export async function reportOf(run: (onCall: (index: number) => void) => Promise<unknown>): Promise<never> {
  await tell({ report: await run((index) => void tell({ index })) });
  process.exit(0);
}

function tell(message: Message): Promise<void> {
  return new Promise((resolve) => void process.send!(message, () => resolve()));
}
