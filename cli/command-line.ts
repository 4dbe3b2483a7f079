/** The command line: help, version, and one module per command, which is loaded when the command is called. */

import { alternatives } from '../src/util/known.ts';
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

/**
 * Runs the command that `args` name, with the streams, folder and environment of the process. Returns the exit code;
 * errors are printed on stderr.
 */
export async function commandLine(args: string[], version: string): Promise<ExitCode> {
  try {
    return await perform(args, version);
  } catch (error) {
    if (error instanceof CommandError) {
      process.stderr.write(`${printable(error.message)}\n`);
      return error.exitCode;
    }
    process.stderr.write(`narrowphase: ${error instanceof Error ? error.stack : String(error)}\n`);
    return ExitCode.CannotRun;
  }
}

async function perform(args: string[], version: string): Promise<ExitCode> {
  const beforeFiles = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (beforeFiles.includes('--help') || beforeFiles.includes('-h')) {
    await print([HELP]);
    return ExitCode.Done;
  }
  const [name, ...rest] = args;
  if (name === '--version') {
    await print([`${version}\n`]);
    return ExitCode.Done;
  }
  const expected = `expected ${alternatives(Object.keys(COMMANDS))}`;
  if (name === undefined) throw usageError(`no command, ${expected}`);
  if (!Object.hasOwn(COMMANDS, name)) throw usageError(`unknown command ${JSON.stringify(name)}, ${expected}`);
  const command = await COMMANDS[name]();
  return command(rest, `narrowphase ${version}`);
}
