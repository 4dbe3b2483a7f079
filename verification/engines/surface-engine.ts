/** Has a tester answer for a family of bodies on meshes or compounds, and judges the answers. */
import type { Tester } from '../../src/api/types.ts';
import type { SurfaceFamily } from '../families/surface-families.ts';
import {
  createSurfaceJudge,
  SURFACE_FAULTS,
  type SurfaceAnswer,
  type SurfaceFault,
} from '../judges/surface-contacts.ts';

export interface SurfaceFindings {
  /** Cases that overlap the ground, and their listed contacts. */
  cases: number;
  slots: number;
  /** The numbers of the cases with each fault. */
  faults: Record<SurfaceFault, number[]>;
}

interface Contact {
  distance: number;
  normal: ArrayLike<number>;
  pointA: ArrayLike<number>;
}

function answerOf({ distance, normal, pointA }: Contact): SurfaceAnswer {
  return { depth: -distance, normal: Array.from(normal), point: Array.from(pointA) };
}

/** Bodies, the first of which is the ground, and a pair of each other body with it. */
export interface SurfaceScene {
  bodies: { shapes: Uint32Array; positions: Float32Array; quaternions: Float32Array };
  pairs: Uint32Array;
}

/** The answers for a scene: a contact per pair, all that are listed, and the manifolds. */
export interface SurfaceAnswers {
  contacts: Iterable<Contact>;
  list: Iterable<Contact & { pair: number }>;
  manifolds: Iterable<{ pair: number; points: { length: number } }>;
}

/** The answers of a tester's queries. */
async function byQueries(tester: Tester, { bodies, pairs }: SurfaceScene): Promise<SurfaceAnswers> {
  const contacts = await tester.contacts(bodies, pairs);
  const list = await tester.contacts(bodies, pairs, { parts: 'all' });
  return { contacts, list, manifolds: await tester.manifolds(bodies, pairs) };
}

export async function judgeFamily(tester: Tester, family: SurfaceFamily, answer = byQueries): Promise<SurfaceFindings> {
  const { ground, cases } = family;
  const descriptions = [...new Set(cases.map(({ shape }) => shape))];
  const ids = [ground, ...descriptions].map((shape) => tester.addShape(shape));
  const bodies = {
    shapes: Uint32Array.of(ids[0], ...cases.map(({ shape }) => ids[1 + descriptions.indexOf(shape)])),
    positions: Float32Array.of(0, 0, 0, ...cases.flatMap(({ position }) => position)),
    quaternions: Float32Array.of(0, 0, 0, 1, ...cases.flatMap(({ quaternion }) => quaternion)),
  };
  const pairs = Uint32Array.from(cases.flatMap((_, i) => [0, i + 1]));
  const given = await answer(tester, { bodies, pairs });
  const contacts = Array.from(given.contacts, answerOf);
  const lists = cases.map((): SurfaceAnswer[] => []);
  for (const item of given.list) lists[item.pair].push(answerOf(item));
  const pointCounts = cases.map((): number[] => []);
  for (const { pair, points } of given.manifolds) pointCounts[pair].push(points.length);
  for (const id of ids) tester.removeShape(id);
  const judge = createSurfaceJudge(family);
  const faults = Object.fromEntries(Object.keys(SURFACE_FAULTS).map((kind) => [kind, [] as number[]]));
  const findings = { cases: 0, slots: 0, faults } as SurfaceFindings;
  for (const [i, body] of cases.entries()) {
    const answers = { contact: contacts[i], list: lists[i], pointCounts: pointCounts[i] };
    const found = judge.judge(body, answers);
    if (!found) continue;
    findings.cases++;
    findings.slots += lists[i].length;
    for (const fault of found) findings.faults[fault].push(i);
  }
  return findings;
}
