/** Targets and peers name cases and calls that exist. */
import { describe, expect, it } from 'vitest';
import { CASES } from './cases.ts';
import { PEER_CALLS, peerCallsFor } from './peers/catalogue.ts';
import { RATE_TARGETS, RATIO_TARGETS, THIN_TARGETS } from './targets.ts';

describe('peers and targets', () => {
  it('name cases and calls that there are', () => {
    expect(new Set(PEER_CALLS.map(({ id }) => id)).size).toBe(PEER_CALLS.length);
    for (const { case: name, peer, prepared } of RATIO_TARGETS) {
      const found = CASES.find((each) => each.name === name)!;
      const types = { boxes: 'box', hull32: 'hull', rectangles: 'rectangle', polygon8: 'polygon' } as const;
      const calls = peerCallsFor(
        found.query,
        found.workload,
        new Set([types[found.workload as keyof typeof types]]),
        'prepared',
      ).map(({ id }) => id);
      expect(calls).toContain(peer);
      if (prepared) expect(calls).toContain(prepared);
    }
    for (const { case: name } of [...RATE_TARGETS, ...THIN_TARGETS])
      expect(CASES.map((each) => each.name)).toContain(name);
  });

  it('only take shapes that they have', () => {
    expect(
      peerCallsFor('intersects', 'mixed', new Set(['box', 'sphere']), 'prepared').map(({ peer }) => peer),
    ).not.toContain('three');
    expect(peerCallsFor('intersects', 'boxes', new Set(['box']), 'prepared').map(({ peer }) => peer)).toContain(
      'three',
    );
    expect(peerCallsFor('contacts', 'rectangles', new Set(['rectangle']), 'prepared').map(({ id }) => id)).toEqual([
      'rapier2d:contactShape',
      'rapier2d:contactCollider',
    ]);
  });
});
