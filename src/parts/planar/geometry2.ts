/** Compounds and chains in 2-D. Their parts have the pose of their body. */
import { makePlanarTree } from '../../broad-phase/planar-trees.ts';
import type { PairOptions } from '../../cpu/asked-pairs.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import {
  planarContact,
  planarDistance,
  planarImpact,
  planarIntersects,
  planarShapeOf,
} from '../../cpu/parts/planar-parts.ts';
import { copy } from '../../cpu/math.ts';
import { createPairResult } from '../../cpu/queries/result.ts';
import { planarPartCount } from '../../shapes/planar-parts.ts';
import type { DepthBounds, PartDistances, PartGeometry } from '../part-geometry.ts';
import { keptTree } from '../../bvh/kept-trees.ts';
import { createOutline, greatestHeight, leastHeight, placeOutline } from './outline.ts';
import { planarRule } from './planar-rule.ts';

const asked: PairOptions = { margin: 0, leadStage: 'newton' };
const MEETING: PairOptions = { margin: 0, leadStage: 'sat' };
const result = createPairResult();

function createDistances(places: PairPlaces): PartDistances {
  return {
    begin() {},
    distance(partA, partB, most, direction) {
      asked.margin = most;
      planarDistance(places, partA, partB, asked, result);
      copy(result.normal, direction);
      return result.distance;
    },
    meet(partA, partB) {
      planarIntersects(places, partA, partB, MEETING, result);
      return result.hit;
    },
  };
}

/** How far a part has to move along the normal of a chain's segment. Parts of compounds have no bound. */
function createDepthBounds(places: PairPlaces): DepthBounds {
  const outline = createOutline();
  return {
    begin() {},
    boundOf(partA, partB) {
      const [chainA, chainB] = [planarShapeOf(places.a).parts, planarShapeOf(places.b).parts];
      const isA = chainA?.type === 'chain';
      const chain = isA ? chainA : chainB;
      if (chain?.type !== 'chain') return Infinity;
      placeOutline(places, isA ? partB : partA, isA, outline);
      const { points } = chain;
      const at = 2 * (isA ? partA : partB);
      const next = at + 2 === points.length ? 0 : at + 2;
      const [ex, ey] = [points[next] - points[at], points[next + 1] - points[at + 1]];
      const length = Math.hypot(ex, ey);
      const [x, y] = [ey / length, -ex / length];
      const plane = points[at] * x + points[at + 1] * y;
      const up = plane - leastHeight(outline, x, y);
      const down = greatestHeight(outline, x, y) - plane;
      const scale = (isA ? places.a : places.b).scale;
      return scale * (up < 0 || down < 0 || !chain.isFront ? Math.min(up, down) : up);
    },
  };
}

export const partGeometry2: PartGeometry = {
  prepareTree: (shape) => keptTree(planarShapeOf({ shape }), makePlanarTree),
  *prepareMotion() {},
  partCount(shape) {
    const { parts } = planarShapeOf({ shape });
    return parts ? planarPartCount(parts) : 1;
  },
  isCurved: () => false,
  areMeshes: () => false,
  contact: planarContact,
  distance: planarDistance,
  impact: planarImpact,
  createDistances,
  createDepthBounds,
  halfspaceOf: () => undefined,
  surface: planarRule,
};
