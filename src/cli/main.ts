#!/usr/bin/env node
/** The `narrowphase` command line: help, version, and one module a command. Exit codes stand in `exit.ts`. */

import { createRequire } from 'node:module';
import { CommandError, ExitCode, usageError } from './exit.ts';
import { print, printable } from './output.ts';
import { run } from './run.ts';

const HELP = `narrowphase: batch collision tests of convex shapes on WebGPU

Usage
  narrowphase run SCENE [options]     run one query over a scene file

Options of run
  --engine auto|dawn|cpu   where it runs (default auto: WebGPU if there is any
                           adapter, otherwise the CPU)
  --query intersects|distances|contacts
                           what is asked of each pair (default contacts)
  --margin M               pairs up to M apart are hits (default: the scene's
                           margin, otherwise 0; for distances every pair is one)
  --format table|json      what is printed (default table)
  --limit N                rows of contacts in the table (default 10)
  --out FILE               write the JSON report, with all hits, to FILE
  --fail-on-overlap        exit with 1 if any pair overlaps or has no answer

  --help, --version

Exit codes
  0  done
  1  the check failed (--fail-on-overlap)
  2  bad usage or bad input
  3  could not run: no adapter for the engine, device lost, out of memory,
     report not written

Reports go to stdout; progress, notices and errors to stderr.
`;

async function main(args: string[]): Promise<ExitCode> {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  const beforeFiles = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (beforeFiles.includes('--help') || beforeFiles.includes('-h')) {
    await print([HELP]);
    return ExitCode.Done;
  }
  const [command, ...rest] = args;
  switch (command) {
    case '--version':
      await print([`${version}\n`]);
      return ExitCode.Done;
    case 'run':
      return await run(rest, `narrowphase ${version}`);
    case undefined:
      throw usageError('no command, expected run');
    default:
      throw usageError(`unknown command ${JSON.stringify(command)}, expected run`);
  }
}

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
