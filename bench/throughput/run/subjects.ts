/** The engines of this machine, and what is known of those and of the peers that took part. */

import { PEERS, type PeerName } from '../peers/catalogue.ts';
import type { BenchReport, CaseReport, EngineReport } from '../report/report.ts';
import type { EngineSpec, FinderSubject, FoundEngine, SubjectInfo } from '../protocol.ts';
import type { SubjectResult } from './case.ts';
import { startChild } from './child-process.ts';

const FIND_MS = 60_000;

export async function findEngines(): Promise<FoundEngine[]> {
  const finder = startChild<FinderSubject>({ kind: 'finder' });
  try {
    return await finder.call('find', FIND_MS);
  } finally {
    await finder.end();
  }
}

export function nameOf(found: FoundEngine): EngineSpec['name'] {
  return 'engine' in found ? found.engine.name : found.name;
}

export function describeEngines(found: FoundEngine[], cases: CaseReport[]): EngineReport[] {
  return found.map((entry) => {
    const name = nameOf(entry);
    const { opened, reason } = firstSeen(cases, (id) => id === name);
    const { vendor, architecture, description, isSoftware } = opened?.adapter ?? {};
    const told = [vendor, architecture, description].filter(Boolean).join(', ') || (opened?.adapter ? 'not told' : '');
    const adapter = told === '' ? null : name === 'cpu' ? told : `${told} (${isSoftware ? 'software' : 'hardware'})`;
    return { name, runtime: opened?.runtime ?? null, adapter, unavailable: 'engine' in entry ? reason : entry.reason };
  });
}

export function describePeers(peers: readonly PeerName[], cases: CaseReport[]): BenchReport['peers'] {
  return PEERS.filter((name) => peers.includes(name)).map((name) => {
    const { opened, reason } = firstSeen(cases, (id) => id.startsWith(`${name}:`));
    return { name, runtime: opened?.runtime ?? null, unavailable: reason };
  });
}

/** What the first of these subjects that came up runs on; the reason where none did. */
function firstSeen(
  cases: CaseReport[],
  isIt: (id: string) => boolean,
): { opened: SubjectInfo | null; reason: string | null } {
  const all: SubjectResult[] = cases.flatMap(({ subjects }) => subjects.filter(({ id }) => isIt(id)));
  const opened = all.find((subject) => subject.opened !== null)?.opened ?? null;
  return { opened, reason: opened !== null || all.length === 0 ? null : all[0].failure };
}
