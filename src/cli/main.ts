#!/usr/bin/env node
/**
 * The `narrowphase` command line: help, version, and one module per command, which is loaded when the command is
 * called. `exit.ts` lists the exit codes.
 */

import { createRequire } from 'node:module';
import { alternatives } from '../util/known.ts';
import { CommandError, ExitCode, usageError } from './exit.ts';
import { HELP } from './help.ts';
import { print } from './write-output.ts';
import { printable } from './terminal-text.ts';

/** A command gets its arguments and the program's name and version. */
type Command = (args: string[], generator: string) => Promise<ExitCode>;

const COMMANDS: Record<string, () => Promise<Command>> = {
  run: async () => (await import('./run.ts')).run,
  clash: async () => (await import('./clash.ts')).clash,
  merge: async () => (await import('./merge.ts')).merge,
  inspect: async () => (await import('./inspect.ts')).inspect,
  verify: async () => (await import('./verify.ts')).verify,
  conformance: async () => (await import('./conformance.ts')).conformance,
  devices: async () => (await import('./devices.ts')).devices,
};

async function main(args: string[]): Promise<ExitCode> {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  const beforeFiles = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (beforeFiles.includes('--help') || beforeFiles.includes('-h')) {
    await print([HELP]);
    return ExitCode.Done;
  }
  const [command, ...rest] = args;
  if (command === '--version') {
    await print([`${version}\n`]);
    return ExitCode.Done;
  }
  const expected = `expected ${alternatives(Object.keys(COMMANDS))}`;
  if (command === undefined) throw usageError(`no command, ${expected}`);
  if (!Object.hasOwn(COMMANDS, command)) throw usageError(`unknown command ${JSON.stringify(command)}, ${expected}`);
  const perform = await COMMANDS[command]();
  return perform(rest, `narrowphase ${version}`);
}

// A program that a signal ends must still delete its temporary files and close its browser. Both happen on `exit`.
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const)
  process.once(signal, () => process.exit(128 + number));
// Nothing reads stderr any more. The command continues without notices.
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => {
  process.stderr.write(`narrowphase: ${error.stack}\n`);
  process.exit(ExitCode.CannotRun);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommandError) {
    process.exitCode = error.exitCode;
    process.stderr.write(`${printable(error.message)}\n`);
  } else {
    process.exitCode = ExitCode.CannotRun;
    process.stderr.write(`narrowphase: ${error instanceof Error ? error.stack : String(error)}\n`);
  }
}
