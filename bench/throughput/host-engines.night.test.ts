/** Whole queries of few pairs, on the engines that `npm run bench -- --cases host` takes by default, and by peers. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildPrograms } from './build.ts';
import { parseOptions } from './options.ts';
import { measureHost } from './run/host.ts';

const folder = mkdtempSync(join(tmpdir(), 'narrowphase-bench-'));
beforeAll(buildPrograms);
afterAll(() => rmSync(folder, { recursive: true }));

it('every subject answers like the reference, with its time on the main thread and its parts', async () => {
  const args = ['--cases', 'host/contacts,host/impacts', '--pairs', '500', '--rounds', '1'];
  const { cases } = await measureHost(parseOptions(args)!, folder, () => {});
  expect(cases.map(({ name }) => name)).toEqual(['host/contacts/500', 'host/impacts/500']);
  for (const { query, subjects } of cases) {
    const engines = subjects.filter(({ kind }) => kind === 'engine');
    expect(engines.map(({ id }) => id).slice(1)).toEqual(['chrome', 'cpu']);
    expect(subjects.length - engines.length).toBe(query === 'contacts' ? 3 : 1);
    for (const { id, failure, verdict, pairs, samples } of subjects) {
      expect([id, failure, pairs, samples.length]).toEqual([id, null, 500, 1]);
      expect([id, verdict]).not.toEqual([id, 'differs']);
    }
    for (const { id, verdict, samples } of engines) {
      expect([id, verdict]).toEqual([id, 'agrees']);
      for (const { mainThreadMs, parts } of Object.values(samples[0].whole!)) {
        expect(mainThreadMs).toBeGreaterThan(0);
        expect(Object.keys(parts)).toEqual(expect.arrayContaining(['compile', 'kernels', 'readBack']));
      }
    }
  }
});
