/**
 * Signed distances of points from a body as a solid: what its convex parts fill, or what a closed mesh encloses. An open
 * mesh is its surface.
 */

import { subtract, transformBack, vec3, type Mat3, type Vec3 } from '../../../src/cpu/math.ts';
import type { Body } from './body.ts';
import { createNearestTriangle, nearestTriangle, triangleDistance } from './nearest-triangle.ts';
import { pointDistance } from './point-distance.ts';

/** Points have the world's axes and are relative to the position of the body. */
export interface Cover {
  /** Signed distance. Inside it is a bound: no point outside is nearer. */
  gapAt(p: Vec3): number;
  /** How deep a point is inside, as `gapAt` tells it; 0 outside. */
  depthAt(p: Vec3): number;
  /** The convex part or the triangle that decided the last gap. */
  region(): number;
  /** Distance of a point from a region; 0 or less inside. It is a convex function of the point. */
  gapOf(region: number, p: Vec3): number;
}

export function createCover(body: Body): Cover {
  return body.mesh ? coverOfMesh(body) : coverOfParts(body);
}

function coverOfParts({ whole, parts }: Body): Cover {
  const places = parts.map(({ position }) => subtract(position, whole.position, vec3()));
  const at = vec3();
  let region = 0;
  const gapOf = (index: number, p: Vec3): number => {
    const { shape, rotation, scale } = parts[index];
    intoFrame(p, rotation, places[index], scale, at);
    return scale * pointDistance(shape, at.x, at.y, at.z);
  };
  const gapAt = (p: Vec3): number => {
    let least = Infinity;
    for (let index = 0; index < parts.length; index++) {
      const gap = gapOf(index, p);
      if (gap >= least) continue;
      least = gap;
      region = index;
    }
    return least;
  };
  return { gapAt, depthAt: (p) => Math.max(-gapAt(p), 0), region: () => region, gapOf };
}

function coverOfMesh({ whole, mesh: solid }: Body): Cover {
  const { mesh, isInside } = solid!;
  const { rotation, scale } = whole;
  const origin = vec3();
  const at = vec3();
  const nearest = createNearestTriangle();
  return {
    region: () => nearest.triangle,
    gapOf(region, p) {
      return scale * triangleDistance(mesh, region, intoFrame(p, rotation, origin, scale, at));
    },
    gapAt(p) {
      const { x, y, z } = intoFrame(p, rotation, origin, scale, at);
      const gap = scale * nearestTriangle(mesh, at, nearest).distance;
      return isInside(x, y, z) ? -gap : gap;
    },
    depthAt(p) {
      const { x, y, z } = intoFrame(p, rotation, origin, scale, at);
      return isInside(x, y, z) ? scale * nearestTriangle(mesh, at, nearest).distance : 0;
    },
  };
}

function intoFrame(p: Vec3, rotation: Mat3, origin: Vec3, scale: number, to: Vec3): Vec3 {
  to.x = p.x - origin.x;
  to.y = p.y - origin.y;
  to.z = p.z - origin.z;
  transformBack(rotation, to, to);
  to.x /= scale;
  to.y /= scale;
  to.z /= scale;
  return to;
}
