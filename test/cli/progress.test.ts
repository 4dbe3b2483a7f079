import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createRandom, unitVector } from '../../verification/families/random.ts';
import { CRATES, makeWorkplace, PROGRAM } from './cli.ts';

const { folder, program, write } = makeWorkplace();

const random = createRandom(8);
const ball = { type: 'hull', points: Array.from({ length: 200 }, () => unitVector(random, [0, 0, 0])).flat() };
/** Seconds of work for the CPU. */
const SLOW = {
  ...CRATES,
  shapes: [ball],
  bodies: Array.from({ length: 200 }, (_, i) => ({ shape: 0, position: [0.01 * i, 0, 0] })),
};
const ARGS = ['run', 'slow.json', '--engine', 'cpu', '--limit', '0'];
const LINE = /contacts: \d+ % of 19,900 pairs, \S+ a second, \d+ s left/;

/** Runs under `script` of util-linux, which gives a terminal; what would stand on it. */
function onTerminal(args: string[]): Promise<string> {
  const quoted = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  return new Promise((done, fail) => {
    const child = spawn('script', ['--quiet', '--return', '--command', quoted, '/dev/null'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    child
      .on('error', fail)
      .on('close', (code) => (code === 0 ? done(text) : fail(new Error(`ended with ${code}: ${text}`))));
  });
}

test('a terminal gets a line of progress, which is gone when the table comes', async () => {
  write('slow.json', SLOW);
  const text = await onTerminal(ARGS);
  expect(text).toMatch(LINE);
  const table = text.slice(text.indexOf('\r\ncandidates '));
  expect(table).not.toMatch(LINE);
  const beforeTable = text.slice(0, text.indexOf('crates\r\n======'));
  expect(beforeTable.endsWith('\r\u001b[2K')).toBe(true);
});

test('a pipe gets none', async () => {
  write('slow.json', SLOW);
  const { code, stdout, stderr } = await program(ARGS);
  expect(code, stderr).toBe(0);
  expect(stderr).toBe('narrowphase: 19,900 candidate pairs of 200 bodies on cpu\n');
  expect(stdout).not.toMatch(LINE);
});
