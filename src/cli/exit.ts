/**
 * How a command ends. 0: done. 1: the check that was asked for failed. 2: bad usage or bad input. 3: it could not run
 * here: no adapter for the engine that was named, device lost, out of memory, a report that could not be written.
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

/** Bad usage of the command line. */
export function usageError(message: string): CommandError {
  return new CommandError(ExitCode.BadInput, `narrowphase: ${message} (see narrowphase --help)`);
}

/** The text of an error, whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
