/**
 * How `narrowphase conformance` ends: the engines of the machine are stood in for by ones that are right, wrong, dead
 * or missing.
 */

import { beforeEach, expect, test, vi } from 'vitest';
import { conformance } from '../../cli/conformance.ts';
import { openCpu } from '../../verification/engines/cpu.ts';
import type { Engine, Reply } from '../../verification/engines/engine.ts';
import type { FoundEngine } from '../../cli/open-engine.ts';
import { ExitCode } from '../../cli/exit.ts';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { giveUpOn } from '../helpers/tampering.ts';

const { engines, printed } = vi.hoisted(() => ({ engines: [] as FoundEngine[], printed: [] as string[] }));

vi.mock(import('../../cli/open-engine.ts'), async (original) => ({
  ...(await original()),
  everyEngine: async function* () {
    yield* engines;
  },
}));
vi.mock(import('../../cli/write-output.ts'), async (original) => ({
  ...(await original()),
  print: async (pieces) => {
    for await (const piece of pieces) printed.push(piece);
  },
}));

beforeEach(() => {
  engines.length = 0;
  printed.length = 0;
});

/** The engine `cpu` with `change` made to its replies. */
async function found(change: (reply: Reply) => void = () => {}): Promise<FoundEngine> {
  const engine = await openCpu();
  const ask: Engine['ask'] = async (question) => {
    const reply = await engine.ask(question);
    change(reply);
    return reply;
  };
  return { name: 'cpu', detail: '', engine: { ...engine, ask } };
}

const missing: FoundEngine = { name: 'chrome', detail: 'hardware', reason: 'no graphics device' };

async function exitCode(...all: FoundEngine[]): Promise<number> {
  engines.push(...all);
  return conformance(['--pairs', '10', '--judged', '2', '--families', 'sphere/box,box/hull'], 'test');
}

test('0 where every engine is right, though others are not available', async () => {
  expect(await exitCode(missing, await found())).toBe(ExitCode.Done);
  expect(printed.join('')).toContain('chrome (hardware) is not available: no graphics device');
});

test('1 where one is wrong', async () => {
  const wrong = await found(({ answer }) => answer.hit?.fill(1));
  expect(await exitCode(await found(), wrong)).toBe(ExitCode.CheckFailed);
  expect(printed.join('')).toContain('the list of hits says other than the list of all pairs');
});

test('1 where one dies; the next is asked all the same', async () => {
  const dying = await found(() => {
    throw new NarrowphaseError('DEVICE_LOST', 'chrome gave no answer');
  });
  expect(await exitCode(dying, await found())).toBe(ExitCode.CheckFailed);
  expect(printed.join('')).toContain('- cpu died: chrome gave no answer');
  expect(printed.join('').match(/^\| cpu \|.*\|$/gm)).toHaveLength(2);
});

test('1 where one has no answer to any pair', async () => {
  const silent = await found((reply) => {
    const pairs = reply.answer.statusCounts.reduce((sum, n) => sum + n);
    reply.answer = { ...giveUpOn(reply.answer), statusCounts: [0, 0, pairs, 0, 0] };
  });
  expect(await exitCode(silent)).toBe(ExitCode.CheckFailed);
  expect(printed.join('')).toContain('× no answer where there is one');
});
