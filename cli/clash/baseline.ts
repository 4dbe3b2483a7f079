/** The baseline of a clash check: an earlier report, whose clashes are known. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { badFile, naming } from '../report/read.ts';
import type { BaselineFacts } from './clash-report.ts';
import { pairKey } from './labels.ts';
import { readClashes, readClashFile } from './read-clashes.ts';
import type { KnownClash } from './verdicts.ts';

export interface Baseline {
  facts: Omit<BaselineFacts, 'found'>;
  /** By `pairKey`. */
  known: ReadonlyMap<string, KnownClash>;
}

/** Reads and checks a report of all pairs. Errors are `CommandError`s of one line that starts with the file's name. */
export async function readBaseline(file: string): Promise<Baseline> {
  const report = await readClashFile(file);
  if (report.header.shard !== null) {
    const { index, count } = report.header.shard;
    const message = `shard is ${index} of ${count}, expected the report of all pairs; merge makes it from the shards`;
    throw badFile(file, new NarrowphaseError('INVALID_INPUT', message));
  }
  const known = new Map<string, KnownClash>();
  for await (const clashes of readClashes(report)) {
    for (const { a, copyA, b, copyB, category, distance } of clashes) {
      known.set(pairKey(a, copyA, b, copyB), { category, distance });
    }
  }
  const sha256 = await naming(file, () => hashOf(file));
  return { facts: { file, sha256, clashes: report.header.count }, known };
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
