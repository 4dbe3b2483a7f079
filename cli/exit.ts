import type { NarrowphaseError } from '../src/api/errors.ts';

/**
 * Exit codes. 0: done. 1: the requested check failed. 2: bad usage or bad input. 3: the command can't run on this
 * machine: no adapter for the named engine, device lost, out of memory, or a report that could not be written.
 */
export const ExitCode = { Done: 0, CheckFailed: 1, BadInput: 2, CannotRun: 3 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Ends a command with `exitCode` after printing `message`, one line, on stderr. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** An error that the package threw about a scene, or while it answered it. */
export function sceneError(file: string, error: NarrowphaseError): CommandError {
  const isBad = error.code === 'INVALID_INPUT' || error.code === 'LIMIT_EXCEEDED';
  return new CommandError(isBad ? ExitCode.BadInput : ExitCode.CannotRun, `${file}: ${error.message}`, {
    cause: error,
  });
}

/** Bad usage of the command line. */
export function usageError(message: string): CommandError {
  return new CommandError(ExitCode.BadInput, `narrowphase: ${message} (see narrowphase --help)`);
}

/** The text of an error, or of any other value that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
