/** `narrowphase inspect`: prints a capture, the reference's steps for it, and both answers, or shows it in a page. */

import type { Capture } from '../src/api/types.ts';
import { NarrowphaseError, parseCapture, traceCapture, type PlanarTraceStep, type TraceStep } from '../src/cpu.ts';
import { parseJson } from './scene/json.ts';
import { oneOf, parseCommand } from './arguments.ts';
import { exactJson } from './exact-json.ts';
import { CommandError, errorText, ExitCode, usageError } from './exit.ts';
import { openBrowser, servePage } from './inspect/open-page.ts';
import { referenceItems } from './inspect/reference.ts';
import { inspectText, type Inspection } from './inspect/text.ts';
import { readText } from './read-text.ts';
import { print } from './write-output.ts';

const FORMATS = ['text', 'json'] as const;
const MOST_BYTES = 256 * 2 ** 20;

/** Runs the command; `generator` names program and version in the report. */
export async function inspect(args: string[], generator: string): Promise<ExitCode> {
  const { values, positionals } = parseCommand(args, {
    format: { type: 'string' },
    open: { type: 'boolean', default: false },
  });
  if (positionals.length !== 1) throw usageError(`inspect takes one capture, ${positionals.length} given`);
  if (values.open && values.format !== undefined)
    throw usageError('--format and --open are both given, expected one of them: --open prints no report');
  const format = oneOf('--format', values.format ?? 'text', FORMATS);
  const [file] = positionals;
  const inspection = await read(file);
  if (values.open) return open(inspection.capture);
  const report = { version: 1, command: 'inspect', generator, file, ...inspection };
  await print([format === 'json' ? `${exactJson(report)}\n` : inspectText(file, inspection)]);
  return ExitCode.Done;
}

/** Serves the page until a signal ends the program. */
async function open(capture: Capture): Promise<ExitCode> {
  const address = await servePage(capture);
  await print([`Inspector: ${address}\nCtrl-C ends it.\n`]);
  openBrowser(address);
  return new Promise(() => {});
}

/** Errors are one line that starts with the file's name. */
async function read(file: string): Promise<Inspection> {
  try {
    const capture = parseCapture(parseJson(await readText(file, MOST_BYTES, file === '-' ? process.stdin : undefined)));
    if (hasParts(capture)) return { capture, steps: stepsOfParts(capture), reference: await referenceItems(capture) };
    const steps = traceCapture(capture);
    const last = steps.at(-1)!;
    return { capture, steps, reference: last.type === 'result' ? [{ ...last.result }] : [] };
  } catch (error) {
    throw new CommandError(ExitCode.BadInput, `${file}: ${errorText(error)}`, { cause: error });
  }
}

/** The steps of the two parts that decide; none if `decidingParts` rejects the capture. */
function stepsOfParts(capture: Capture): (TraceStep | PlanarTraceStep)[] {
  try {
    return traceCapture(capture);
  } catch (error) {
    if (error instanceof NarrowphaseError) return [];
    throw error;
  }
}

function hasParts({ shapes }: Capture): boolean {
  return shapes.some(({ type }) => type === 'compound' || type === 'mesh' || type === 'chain');
}
