/**
 * Both faces of a manifold as seen along its normal, and the corners of their common region. In 2-D both edges from the side,
 * with the normal upwards.
 */

import type { ManifoldStep, PlanarManifoldStep } from 'narrowphase/cpu';
import { ballAround, makeProjector, PLANAR_ORBIT } from './camera.ts';
import type { CanvasView } from './canvas-view.ts';
import { short, text } from './detail-frame.ts';
import type { Vec } from './linear.ts';
import type { Palette } from './palette.ts';
import { dotAt, polyline, type Sketch } from './sketch.ts';

export function drawClipping(view: CanvasView, step: ManifoldStep | PlanarManifoldStep, palette: Palette): void {
  const isPlanar = 'edgeA' in step;
  const [faceA, faceB] = (isPlanar ? [step.edgeA, step.edgeB] : [step.faceA, step.faceB]).map(flat);
  const corners = flat(step.corners.map(({ position }) => position));
  const all = [...faceA, ...faceB, ...corners];
  if (all.length === 0)
    return text(view, view.size[0] / 2, view.size[1] / 2, 'Nothing to clip', palette.muted, 'center');
  const { centre, radius } = ballAround(all);
  const zoom = (0.33 * Math.min(...view.size)) / radius;
  const sketch: Sketch = {
    context: view.context,
    camera: makeProjector(PLANAR_ORBIT, centre, zoom, view.size),
    size: view.size,
  };
  for (const [face, color] of [
    [faceA, palette.a],
    [faceB, palette.b],
  ] as const)
    // prettier-ignore
    polyline(sketch, face, { color, width: 2, isClosed: face.length > 2, fill: face.length > 2 ? color : undefined });
  if (!isPlanar)
    polyline(sketch, aroundMiddle(corners), { color: palette.ink, width: 1.5, isClosed: true, dash: [4, 3] });
  step.corners.forEach(({ distance, isChosen }, i) => {
    dotAt(
      sketch,
      corners[i],
      isChosen ? palette.mark : palette.stage,
      isChosen ? 5.5 : 4,
      isChosen ? palette.stage : palette.ink,
    );
    if (!isChosen) return;
    const [x, y] = sketch.camera.project(corners[i]);
    const isLeft = x < view.size[0] / 2;
    const isLow = y > view.size[1] / 2;
    text(view, x + (isLeft ? -9 : 9), y + (isLow ? 16 : -8), short(distance), palette.ink, isLeft ? 'right' : 'left');
  });
  text(view, 8, 16, isPlanar ? 'Edge of A' : 'Face of A', palette.a);
  text(view, 8, 31, isPlanar ? 'Edge of B' : 'Face of B', palette.b);
  text(view, view.size[0] - 8, 16, 'points of the manifold', palette.mark, 'right');
}

/** The common region is convex: its corners by their angle. */
function aroundMiddle(corners: readonly Vec[]): Vec[] {
  const [u, v] = [0, 1].map((k) => corners.reduce((sum, corner) => sum + corner[k], 0) / corners.length);
  const angle = ([x, y]: Vec): number => Math.atan2(y - v, x - u);
  return [...corners].sort((p, q) => angle(p) - angle(q));
}

function flat(points: readonly (readonly number[])[]): Vec[] {
  return points.map(([u, v]) => [u, v, 0]);
}
