/** Whatever the answer of an engine, `merge` takes the reports of its shards and gives the report of the whole. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Answer, CommandQuery } from '../../verification/engines/engine.ts';
import { QUERIES } from '../../verification/engines/engine.ts';
import { mergeReports } from '../../cli/merge.ts';
import { csvReport } from '../../cli/report/csv.ts';
import type { ReportEngine, Shard } from '../../cli/report/report-header.ts';
import { shardOf } from '../../cli/report/report-header.ts';
import { jsonReport } from '../../cli/report/json.ts';
import { junitReport } from '../../cli/report/junit.ts';
import type { Report } from '../../cli/report/report.ts';
import { makeReport } from '../../cli/run.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import { Status } from '../../src/api/types.ts';
import type { StatusCounts } from '../../src/api/types.ts';

const folder = mkdtempSync(join(tmpdir(), 'narrowphase-'));
afterAll(() => rmSync(folder, { recursive: true }));

const F32 = 3.4028234663852886e38;
const float = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e-45, -1e-45, 1.1754943e-38, F32, -F32, 0.1, -16777217),
);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 5e-324, 1e30, -1e30, 0.1 + 0.2, 1e21, 1e-7),
);
const size = fc.oneof(
  fc.float({ min: 0, max: F32, noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e-45, 1e-300, 0.1, F32),
);
const vectorOf = (number: fc.Arbitrary<number>) => fc.tuple(number, number, number);
const name = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    '__proto__',
    '\ud800',
    '"',
    '\\',
    '\u2028',
    '],"contacts":[',
    '\n  ]\n}\n',
    '{',
    '\0',
    '\ufeff',
    '=1',
    'x'.repeat(256),
  ),
);
const pair = fc.record({
  status: fc.constantFrom(...Object.values(Status).filter((status) => typeof status === 'number')),
  isListed: fc.boolean(),
  distance: float,
  normal: vectorOf(float),
  pointA: vectorOf(double),
  pointB: vectorOf(double),
  features: fc.tuple(fc.nat(2 ** 32 - 1), fc.nat(2 ** 32 - 1)),
  iterations: fc.nat(2 ** 16 - 1),
});
type Pair = typeof pair extends fc.Arbitrary<infer Value> ? Value : never;
const run = fc.record({
  sceneName: name,
  file: name,
  names: fc.array(fc.option(name, { nil: undefined }), { minLength: 2, maxLength: 5 }),
  pairs: fc.array(pair, { maxLength: 8 }),
  wide: fc.boolean(),
  query: fc.constantFrom(...QUERIES),
  margin: fc.option(size, { nil: undefined }),
  tolerance: fc.option(size, { nil: undefined }),
  allowAll: fc.boolean(),
  failOnOverlap: fc.boolean(),
  shards: fc.integer({ min: 1, max: 5 }),
  description: fc.string({ unit: 'binary' }),
});

/** As the tester would give it: what overlaps is listed, and its distance is not above 0. */
function answerOf(
  pairs: readonly Pair[],
  { firstPair, pairs: count }: Shard,
  query: CommandQuery,
  Points: typeof Float32Array | typeof Float64Array,
): Answer {
  const asked = pairs.slice(firstPair, firstPair + count).map((each, i) => ({ ...each, index: firstPair + i }));
  const listed = asked.filter(
    ({ status, isListed }) =>
      status === Status.Overlapping ||
      (isListed && status !== Status.InvalidInput && status !== Status.CapacityExceeded),
  );
  const distance = ({ status, distance: d }: Pair): number =>
    status === Status.Overlapping ? -Math.abs(d) : Math.abs(d);
  return {
    count: listed.length,
    pair: Uint32Array.from(listed, ({ index }) => index),
    status: Uint8Array.from(listed, ({ status }) => status),
    statusCounts: statusCountsOf(asked),
    ...(query !== 'intersects' && {
      distance: Float32Array.from(listed, distance),
      normal: Float32Array.from(listed.flatMap(({ normal }) => normal)),
      pointA: Points.from(listed.flatMap(({ pointA }) => pointA.map(inF32))),
      pointB: Points.from(listed.flatMap(({ pointB }) => pointB.map(inF32))),
    }),
    ...(query === 'contacts' && {
      featureA: Uint32Array.from(listed, ({ features }) => features[0]),
      featureB: Uint32Array.from(listed, ({ features }) => features[1]),
      iterations: Uint16Array.from(listed, ({ iterations }) => iterations),
    }),
  };
}

function statusCountsOf(pairs: readonly Pair[]): StatusCounts {
  const count = (status: Status): number => pairs.filter((each) => each.status === status).length;
  return [count(0), count(1), count(2), count(3), count(4)];
}

function inF32(x: number): number {
  return Math.abs(x) > F32 ? Math.sign(x) * F32 : x;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

test('the reports of any shards are merged to that of the whole, byte for byte, also formatted anew', async () => {
  const seen = { listed: 0, zeroGaps: 0, unanswered: 0, byPair: 0, byTolerance: 0, empty: 0 };
  await fc.assert(
    fc.asyncProperty(
      run,
      async ({
        sceneName,
        file,
        names,
        pairs,
        wide,
        query,
        margin,
        tolerance,
        allowAll,
        failOnOverlap,
        shards,
        description,
      }) => {
        const bodies = names.map((each, i) => ({
          shape: 0,
          position: [i, 0, 0],
          ...(each !== undefined && { name: each }),
        }));
        const hasNames = names.filter((each) => each !== undefined).length > 1;
        const flat = pairs.flatMap((_, i) => [i % names.length, (i + 1) % names.length]);
        const text = JSON.stringify({
          version: 1,
          name: sceneName,
          shapes: [{ type: 'sphere', radius: 1 }],
          bodies,
          pairs: pairs.map((_, i) => [flat[2 * i], flat[2 * i + 1]]),
          ...(allowAll && hasNames && { allowed: [['*', '*']] }),
        });
        const sceneFile = { file, sha256: 'a'.repeat(64), scene: parseScene(text) };
        const options = {
          file,
          query,
          margin,
          tolerance: query === 'contacts' ? tolerance : undefined,
          limit: 20,
          failOnOverlap,
        };
        const engine: ReportEngine = {
          name: 'cpu',
          backend: 'cpu',
          runtime: description,
          adapter: { vendor: '', architecture: description, description, isSoftware: true },
          fallback: null,
        };
        const reportOf = (shard: Shard | null): Report => {
          const answer = answerOf(
            pairs,
            shard ?? shardOf(1, 1, pairs.length),
            query,
            wide ? Float64Array : Float32Array,
          );
          return makeReport(sceneFile, options, {
            generator: 'narrowphase',
            engine,
            pairs: Uint32Array.from(flat),
            shard,
            answer,
          });
        };
        const whole = reportOf(null);
        seen.listed += whole.header.hits;
        seen.zeroGaps += whole.closest.filter(
          ({ status, distance }) => status === 'separated' && distance === 0,
        ).length;
        seen.unanswered += whole.listed.notConverged;
        seen.byPair += whole.header.allowed?.byPair ?? 0;
        seen.byTolerance += whole.header.allowed?.byTolerance ?? 0;
        seen.empty += Number(whole.header.hits === 0);
        const files: string[] = [];
        for (let i = 1; i <= shards; i++) {
          const json = await textOf(jsonReport(reportOf(shardOf(i, shards, pairs.length))));
          files.push(join(folder, `shard-${i}.json`));
          writeFileSync(files[i - 1], i % 2 === 0 ? json : JSON.stringify(JSON.parse(json), null, '\t'.repeat(i - 1)));
        }
        const merged = await mergeReports(files, { limit: 20, failOnOverlap: false });
        for (const form of [jsonReport, csvReport, junitReport])
          expect(await textOf(form(merged))).toBe(await textOf(form(whole)));
        expect(JSON.parse(JSON.stringify(merged.closest))).toEqual(JSON.parse(JSON.stringify(whole.closest)));
        expect(merged.header.check).toEqual(whole.header.check);
      },
    ),
    { numRuns: 500, seed: 11 },
  );
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(5);
});
