/**
 * The rectangle of least area around points of a plane, by rotating calipers: one of its sides holds an edge of their
 * convex hull. Freeman and Shapira, "Determining the minimum-area encasing rectangle for an arbitrary closed curve"
 * (1975); Toussaint, "Solving geometric problems with the rotating calipers" (1983).
 */
import { hullCorners } from './polygon.ts';

export interface Rectangle {
  area: number;
  /** Unit vector along one side. */
  x: number;
  y: number;
}

/** The rectangle of least area around points x, y. That of points in one place has its side along x. */
export function leastRectangle(points: Float64Array): Rectangle {
  const corners = hullCorners(points);
  const count = corners.length;
  const xs = corners.map((corner) => points[2 * corner]);
  const ys = corners.map((corner) => points[2 * corner + 1]);
  const best: Rectangle = { area: count > 1 ? Infinity : 0, x: 1, y: 0 };
  /** From a corner on, counter-clockwise, to the one farthest along a direction. */
  const climb = (from: number, x: number, y: number): number => {
    let at = from;
    for (let steps = 0; steps < count; steps++) {
      const next = (at + 1) % count;
      if ((xs[next] - xs[at]) * x + (ys[next] - ys[at]) * y <= 0) break;
      at = next;
    }
    return at;
  };
  let [front, top, back] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    if (next === i) break;
    const length = Math.hypot(xs[next] - xs[i], ys[next] - ys[i]);
    const x = (xs[next] - xs[i]) / length;
    const y = (ys[next] - ys[i]) / length;
    front = climb(i === 0 ? next : front, x, y);
    top = climb(i === 0 ? front : top, -y, x);
    back = climb(i === 0 ? top : back, -x, -y);
    const width = (xs[front] - xs[back]) * x + (ys[front] - ys[back]) * y;
    const height = (ys[top] - ys[i]) * x - (xs[top] - xs[i]) * y;
    if (width * height < best.area) Object.assign(best, { area: width * height, x, y });
  }
  return best;
}
