#!/usr/bin/env node
/**
 * The program `narrowphase`: the command line in a process of its own, with its signals and its exit code. `exit.ts`
 * lists the exit codes.
 */

import { createRequire } from 'node:module';
import { commandLine } from './command-line.ts';
import { ExitCode } from './exit.ts';

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

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
process.exitCode = await commandLine(process.argv.slice(2), version);
