/** Projections of two cores on the axes of the separating-axis test, for traces. */
import { type Vec2, copy, dot, rotate, rotateBack, scale, vec2 } from '../math.ts';
import type { PlanarPair } from '../pair.ts';
import { corner, cornerA, cornerB, createCorner, edgeCount, support } from '../support.ts';

export interface SatProjection {
  body: 'a' | 'b';
  edge: number;
  /** Unit vector in A's frame: out of A, or into B. */
  direction: Vec2;
  lowA: number;
  highA: number;
  lowB: number;
  highB: number;
}

const edge = createCorner();
const opposite = vec2();
const turned = vec2();
const at = vec2();

/** On the normals of A's edges, then on those of B's. In the pair's unit. */
export function satProjections(pair: PlanarPair): SatProjection[] {
  const { coreA, coreB, rotation } = pair;
  const projections: SatProjection[] = [];
  for (let i = 0; i < edgeCount(coreA); i++) {
    const direction = copy(corner(coreA, i, edge).normal, vec2());
    projections.push({ body: 'a', edge: i, direction, ...along(pair, direction) });
  }
  for (let i = 0; i < edgeCount(coreB); i++) {
    const direction = scale(rotate(rotation, corner(coreB, i, edge).normal, turned), -1, vec2());
    projections.push({ body: 'b', edge: i, direction, ...along(pair, direction) });
  }
  return projections;
}

function along(pair: PlanarPair, direction: Vec2): Pick<SatProjection, 'lowA' | 'highA' | 'lowB' | 'highB'> {
  const { coreA, coreB, rotation } = pair;
  scale(direction, -1, opposite);
  const heightOfA = (towards: Vec2): number => dot(direction, cornerA(pair, support(coreA, towards), at));
  const heightOfB = (towards: Vec2): number =>
    dot(direction, cornerB(pair, support(coreB, rotateBack(rotation, towards, turned)), at));
  return {
    lowA: heightOfA(opposite),
    highA: heightOfA(direction),
    lowB: heightOfB(opposite),
    highB: heightOfB(direction),
  };
}
