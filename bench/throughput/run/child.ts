/**
 * The program of a child process: one subject, named by the first argument, that answers one message after the other.
 */

import { browserSubject } from '../engines/browser.ts';
import { engineSubject } from '../engines/engine.ts';
import { finderSubject } from '../engines/finder.ts';
import { peerSubject } from '../peers/peer.ts';
import type { Reply, Request, SubjectSpec } from '../protocol.ts';
import { referenceSubject } from '../engines/reference.ts';

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

function subjectOf(spec: SubjectSpec): object {
  switch (spec.kind) {
    case 'engine':
      return spec.engine.name === 'chrome' || spec.engine.name === 'firefox'
        ? browserSubject(spec.engine)
        : engineSubject(spec.engine);
    case 'peer':
      return peerSubject(spec.call);
    case 'reference':
      return referenceSubject();
    case 'finder':
      return finderSubject();
  }
}

const methods = subjectOf(JSON.parse(process.argv[2]) as SubjectSpec) as Methods;

process.on('message', ({ id, method, args }: Request) => {
  methods[method](...args).then(
    (value) => reply({ id, value }),
    (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
// The benchmark is gone, or done with this subject.
process.on('disconnect', () => process.exit());

function reply(message: Reply): void {
  process.send!(message);
}
