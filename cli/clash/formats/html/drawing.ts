/**
 * Drawings of bodies of any shape: areas to fill and lines. Of a mesh the lines are its silhouette: edges between a
 * triangle that is seen from outside and one that is seen from inside, and edges of one triangle.
 */

import type { Mesh } from '../../../../src/shapes/parts.ts';
import type { Body } from '../../solids/body.ts';
import { outlineOf, projected, type View } from './outline.ts';
import { areaOf, clipped, hullOf, type Point } from './polygon.ts';

export interface Drawing {
  /** Convex polygons, counter-clockwise. */
  areas: Point[][];
  lines: (readonly [Point, Point])[];
}

/** The part of a picture that is drawn: a rectangle around the middle of the view. */
export interface Frame {
  halfWidth: number;
  halfHeight: number;
}

/** Triangles that are filled, and lines of a silhouette, at most. Meshes of more triangles have lines only. */
const MOST_AREAS = 300;
const MOST_LINES = 600;

export function drawingOf({ whole, parts, mesh }: Body, view: View, frame: Frame): Drawing {
  const within = (polygon: readonly Point[]): Point[] => clipped(polygon, frame.halfWidth, frame.halfHeight);
  if (mesh) {
    const points = verticesSeen({ whole, parts, mesh }, view, 1);
    return drawingOfMesh(mesh.mesh, points, within);
  }
  const far = 4 * (frame.halfWidth + frame.halfHeight);
  const areas = parts.map((part) => within(outlineOf(part, view, far))).filter((area) => area.length > 0);
  const lines = areas.flatMap((area) => area.map((point, i) => [point, area[(i + 1) % area.length]] as const));
  return { areas, lines };
}

function drawingOfMesh({ indices }: Mesh, points: readonly Point[], within: (polygon: Point[]) => Point[]): Drawing {
  const triangles: { corners: number[]; area: Point[] }[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [indices[t], indices[t + 1], indices[t + 2]];
    const area = within(corners.map((v) => points[v]));
    if (area.length > 2) triangles.push({ corners, area });
  }
  const lines = silhouetteOf(
    triangles.map(({ corners }) => corners),
    points,
  )
    .map((line) => within([...line]))
    .filter((line) => line.length > 1)
    .map(([from, to]) => [from, to] as const);
  const isShort = triangles.length <= MOST_AREAS;
  return {
    areas: isShort ? triangles.map(({ area }) => (areaOf(area) < 0 ? [...area].reverse() : area)) : [],
    lines: longest(lines),
  };
}

function longest(lines: Drawing['lines']): Drawing['lines'] {
  if (lines.length <= MOST_LINES) return lines;
  const length = ([[ax, ay], [bx, by]]: Drawing['lines'][number]): number => Math.hypot(bx - ax, by - ay);
  return [...lines].sort((p, q) => length(q) - length(p)).slice(0, MOST_LINES);
}

/** Vertices in one place of the picture count as one, so that triangles beside each other share their edges. */
function silhouetteOf(triangles: readonly number[][], points: readonly Point[]): (readonly [Point, Point])[] {
  const keyOf = (v: number): string => `${points[v][0]},${points[v][1]}`;
  const edges = new Map<string, { line: readonly [Point, Point]; turns: number; count: number }>();
  for (const corners of triangles) {
    const turn = Math.sign(areaOf(corners.map((v) => points[v])));
    corners.forEach((from, k) => {
      const to = corners[(k + 1) % 3];
      const key = [keyOf(from), keyOf(to)].sort().join(' ');
      const edge = edges.get(key) ?? { line: [points[from], points[to]] as const, turns: 0, count: 0 };
      edge.turns += turn;
      edge.count++;
      edges.set(key, edge);
    });
  }
  return [...edges.values()]
    .filter(({ turns, count }) => Math.abs(turns) < count || count === 1)
    .map(({ line }) => line);
}

/** Vertices of a mesh as seen, each `step`-th. */
function verticesSeen({ whole, mesh }: Body, view: View, step: number): Point[] {
  const { positions } = mesh!.mesh;
  return Array.from({ length: Math.ceil(positions.length / 3 / step) }, (_, i) => {
    const at = 3 * i * step;
    return projected(whole, positions[at], positions[at + 1], positions[at + 2], view);
  });
}

/** Vertices of a mesh that an outline is made of. */
const MOST_VERTICES = 2000;

/** The hull of what is seen of a body. A half-space reaches `far`. */
export function hullSeen(body: Body, view: View, far: number): Point[] {
  const { parts, mesh } = body;
  if (!mesh) return hullOf(parts.flatMap((part) => outlineOf(part, view, far)));
  return hullOf(verticesSeen(body, view, Math.ceil(mesh.mesh.positions.length / 3 / MOST_VERTICES)));
}
