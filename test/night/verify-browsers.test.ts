/** `narrowphase verify` through all kernels in browsers. test/cli/verify.test.ts verifies quick pairs there. */

import { expect, test } from 'vitest';
import { makeWorkplace } from '../cli/cli.ts';
import { crowd, renumbered, type Report } from '../cli/verify-report.ts';

const { narrowphase, write } = makeWorkplace();

test.each(['chrome', 'firefox'])(
  '%s answers every pair right, and its worst pairs again with the same errors',
  async (engine) => {
    const report = async (file: string, ...args: string[]): Promise<Report> => {
      const options = ['--engine', engine, '--worst', '3', '--format', 'json', ...args];
      const { code, stdout, stderr } = await narrowphase(['verify', file, ...options]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as Report;
    };
    const first = await report(write('crowd.json', crowd()), '--replay', 'again.json');
    expect(first).toMatchObject({ pairs: 400, passed: true, engine: { name: engine, backend: 'webgpu' } });
    expect(renumbered((await report('again.json')).worst)).toEqual(renumbered(first.worst));
  },
);
