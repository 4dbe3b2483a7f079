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

export async function judgeFamily(tester: Tester, family: SurfaceFamily): Promise<SurfaceFindings> {
  const { ground, cases } = family;
  const descriptions = [...new Set(cases.map(({ shape }) => shape))];
  const ids = [ground, ...descriptions].map((shape) => tester.addShape(shape));
  const bodies = {
    shapes: Uint32Array.of(ids[0], ...cases.map(({ shape }) => ids[1 + descriptions.indexOf(shape)])),
    positions: Float32Array.of(0, 0, 0, ...cases.flatMap(({ position }) => position)),
    quaternions: Float32Array.of(0, 0, 0, 1, ...cases.flatMap(({ quaternion }) => quaternion)),
  };
  const pairs = Uint32Array.from(cases.flatMap((_, i) => [0, i + 1]));
  const contacts = Array.from(await tester.contacts(bodies, pairs), answerOf);
  const lists = cases.map((): SurfaceAnswer[] => []);
  for (const item of await tester.contacts(bodies, pairs, { parts: 'all' })) lists[item.pair].push(answerOf(item));
  const pointCounts = cases.map((): number[] => []);
  for (const { pair, points } of await tester.manifolds(bodies, pairs)) pointCounts[pair].push(points.length);
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
