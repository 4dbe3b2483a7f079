/** Whole queries in the benchmark: their command lines, and their rows in reports. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../options.ts';
import { parseOptions as parseAgainst } from './against-options.ts';
import { HOST_CASES } from './cases.ts';
import { parseOptions } from './options.ts';
import { peerCallsFor } from './peers/catalogue.ts';
import { hostMarkdown, type HostReport } from './report/host.ts';
import type { SubjectResult } from './run/case.ts';
import type { Query } from '../../verification/workloads/query.ts';
import type { WholeQuery } from './protocol.ts';

describe('the command line', () => {
  it('measures whole queries only by name, at four numbers of pairs', () => {
    expect(parseOptions([])!.hostCases).toEqual([]);
    expect(parseOptions(['--cases', 'host'])).toMatchObject({ cases: [], curves: false, hostCases: HOST_CASES });
    const contacts = parseOptions(['--cases', 'host/contacts,boxes/contacts/50'])!;
    expect(contacts.hostCases.map(({ pairs }) => pairs)).toEqual([1024, 16_384, 262_144, 1_048_576]);
    expect(contacts.cases.map(({ name }) => name)).toEqual(['boxes/contacts/50']);
  });

  it('takes one number of pairs for each query', () => {
    const { hostCases } = parseOptions(['--cases', 'host/impacts,host/contacts', '--pairs', '500'])!;
    expect(hostCases.map(({ name, pairs }) => [name, pairs])).toEqual([
      ['host/contacts/500', 500],
      ['host/impacts/500', 500],
    ]);
  });

  it('compares whole queries of two builds', () => {
    const dist = mkdtempSync(join(tmpdir(), 'narrowphase-other-'));
    try {
      expect(() => parseAgainst(['--dist', dist])).toThrow('expected the dist folder of another build');
      writeFileSync(join(dist, 'node.js'), '');
      const given = ['--dist', dist, '--engines', 'chrome,dawn-lavapipe', '--cases', 'host/contacts'];
      expect(parseAgainst(given)).toMatchObject({ dist, engines: ['dawn-lavapipe', 'chrome'], rounds: 9 });
      expect(parseAgainst(given)!.cases).toHaveLength(4);
      expect(parseAgainst([...given, '--pairs', '262144'])!.cases).toMatchObject([{ name: 'host/contacts/262144' }]);
      expect(parseAgainst(['--dist', dist])!.cases).not.toContainEqual(HOST_CASES[0]);
      expect(() => parseAgainst(['--dist', dist, '--cases', 'host/rays'])).toThrow(UsageError);
    } finally {
      rmSync(dist, { recursive: true });
    }
  });
});

describe('peers', () => {
  it('that take the caller’s arrays are calls of Rapier, Jolt and PhysX, and only those', () => {
    for (const query of ['intersects', 'distances', 'contacts'] as const)
      expect(peersOf(query)).toEqual(['rapier', 'jolt', 'physx']);
    expect(peersOf('manifolds')).toEqual(['rapier']);
    expect(peersOf('impacts')).toEqual(['rapier']);
    expect(peerCallsFor('contacts', 'boxes', new Set(['box']), 'prepared').map(({ id }) => id)).not.toContain(
      'rapier:arrays-contactShape',
    );
  });
});

describe('the report', () => {
  it('has a dash for each part that a build does not tell', () => {
    const text = hostMarkdown(sampleReport([subject('dawn', whole(20, { kernels: 2, readBack: 3 }))]));
    expect(text).toContain('## 1,024 pairs over 2,048 bodies');
    expect(text).toContain('| contacts | dawn | 1,024 | 20.0 | 10.0 | 20.0 | 10.0 | – | – | – | 2.00 | 3.00 | – |');
  });

  it('tells that a subject ran fewer pairs, and that a peer keeps the main thread for the whole loop', () => {
    const peer = { ...subject('rapier:arrays-contactShape', undefined), kind: 'peer' as const, pairs: 512 };
    expect(hostMarkdown(sampleReport([peer]))).toMatch(
      /\| contacts \| rapier Shape\.contactShape, prediction 0 \| 512 \| 20\.0 \| 20\.0 \| – \| – \|/,
    );
  });

  it('names what failed', () => {
    const failed = { ...subject('chrome', undefined), samples: [], failure: 'no adapter' };
    expect(hostMarkdown(sampleReport([failed]))).toContain('| contacts | chrome: no adapter | – |');
  });
});

function peersOf(query: Query): string[] {
  return peerCallsFor(query, 'boxes', new Set(['box']), 'host').map(({ peer }) => peer);
}

function whole(ms: number, parts: WholeQuery['parts']): WholeQuery {
  return { ms, calls: 1, mainThreadMs: ms / 2, parts };
}

function subject(id: string, query: WholeQuery | undefined): SubjectResult {
  return {
    id,
    kind: 'engine',
    opened: null,
    loaded: null,
    pairs: 1024,
    samples: [{ ms: 20, ...(query && { whole: { fresh: query, target: query } }) }],
    agreement: null,
    verdict: 'agrees',
    iterations: null,
    failure: null,
  };
}

function sampleReport(subjects: SubjectResult[]): HostReport {
  return {
    version: 1,
    generator: 'narrowphase 0.0.0',
    command: 'npm run bench -- --cases host',
    date: '2026-01-01',
    seconds: 60,
    machine: { cpu: 'A', cores: 2, memoryGiB: 8, os: 'Linux', node: '20', loadAtStart: 0 },
    rounds: 1,
    seed: 1,
    engines: [],
    peers: [],
    cases: [{ name: 'host/contacts/1024', workload: 'boxes', query: 'contacts', hitRate: 0.5, pairs: 1024, subjects }],
  };
}
