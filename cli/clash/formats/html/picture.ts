/**
 * Pictures of clashes as SVG: both bodies' outlines, the point, and the depth or gap between two arrow heads. They need
 * no style sheet: colours of the bodies suit light and dark pages, and everything else has the colour of the text.
 */

import { vec3 } from '../../../../src/cpu/math.ts';
import { escaped } from '../../../report/xml.ts';
import type { Clash } from '../../clash-report.ts';
import { distanceText } from '../../describe.ts';
import type { Body } from '../../solids/body.ts';
import { reachOf } from '../../solids/solid.ts';
import { drawingOf, hullSeen, type Drawing } from './drawing.ts';
import type { View } from './outline.ts';
import { clipped, hullOf, type Point } from './polygon.ts';
import { bestView } from './view.ts';

const WIDTH = 240;
const HEIGHT = 180;
/** Half of the overview's width or height, in halves of the smaller body's extent in it. */
const OVERVIEW = 1.75;
/** A body seen as a point counts as this wide, as a share of its size. */
const LEAST_EXTENT = 1e-3;
/** If the distance is shorter than this in the overview, a close-up shows it with the other length. In pixels. */
const SHORTEST = 24;
const CLOSE_UP = 80;
/** Distances below this share of the smaller body's size are rounding, and get no close-up. */
const ROUNDING = 1e-6;

const COLOURS = { a: '#3b8ede', b: '#e8772e' } as const;

type Bodies = readonly [Body, Body];

/** One or two pictures: an overview around the smaller body, and a close-up of the distance if that is short in it. */
export function picturesOf(clash: Clash, bodies: Bodies, up: 'y' | 'z'): string[] {
  const view = bestView(clash, bodies, up === 'y' ? vec3(0, 1, 0) : vec3(0, 0, 1));
  const depth = Math.abs(clash.distance);
  const { middle, halfExtents } = smallerSeen(bodies, view, clash);
  const [halfWidth, halfHeight] = halfExtents.map((half) =>
    Math.max(OVERVIEW * half, depth, LEAST_EXTENT * clash.size, Number.MIN_VALUE),
  );
  const scale = Math.min(WIDTH / halfWidth, HEIGHT / halfHeight) / 2;
  const overview = pictureOf(clash, bodies, centredAt(middle, view), scale, 'overview');
  if (depth * scale >= SHORTEST || depth <= ROUNDING * clash.size) return [overview];
  return [overview, pictureOf(clash, bodies, view, CLOSE_UP / depth, 'close-up')];
}

/** The rectangle around the smaller body's outline, in the view's axes and the scene's unit. */
function smallerSeen(bodies: Bodies, view: View, { size }: Clash): { middle: Point; halfExtents: Point } {
  const [reachA, reachB] = bodies.map(({ whole }) => reachOf(whole) || Infinity);
  const outline = hullSeen(reachA <= reachB ? bodies[0] : bodies[1], view, size);
  const [[left, right], [bottom, top]] = [0, 1].map((axis) => {
    const values = outline.map((point) => point[axis]);
    return [Math.min(...values), Math.max(...values)];
  });
  return { middle: [(left + right) / 2, (bottom + top) / 2], halfExtents: [(right - left) / 2, (top - bottom) / 2] };
}

function centredAt([x, y]: Point, view: View): View {
  const { centre, right, up } = view;
  const moved = (axis: 'x' | 'y' | 'z'): number => centre[axis] + x * right[axis] + y * up[axis];
  return { ...view, centre: vec3(moved('x'), moved('y'), moved('z')) };
}

/** `scale` is in pixels per unit of the scene. */
function pictureOf(clash: Clash, bodies: Bodies, view: View, scale: number, kind: string): string {
  const frame = { halfWidth: (0.75 * WIDTH) / scale, halfHeight: (0.75 * HEIGHT) / scale };
  const [a, b] = bodies.map((body) => inPixels(drawingOf(body, view, frame), scale));
  const title = escaped(`${kind}: ${clash.category} of ${clash.a} (A) and ${clash.b} (B), ${distanceText(clash)}`);
  const placeA = letterPlace(a);
  return [
    `<svg class="${kind}" viewBox="${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`,
    ` role="img" aria-label="${title}"><title>${title}</title>`,
    shapeOf(b, COLOURS.b, ' stroke-dasharray="5 3"'),
    shapeOf(a, COLOURS.a, ''),
    letter('A', placeA, COLOURS.a),
    letter('B', letterPlace(b, placeA), COLOURS.b),
    arrow(clash, view, scale),
    '</svg>',
  ].join('');
}

/** y points down in SVG. */
function inPixels({ areas, lines }: Drawing, scale: number): Drawing {
  const pixel = ([x, y]: Point): Point => [x * scale, -y * scale];
  return {
    areas: areas.map((area) => area.map(pixel)),
    lines: lines.map(([from, to]) => [pixel(from), pixel(to)] as const),
  };
}

function shapeOf({ areas, lines }: Drawing, colour: string, more: string): string {
  const filled = areas.map((area) => `M${area.map(placeText).join('L')}Z`).join('');
  const drawn = lines.map(([from, to]) => `M${placeText(from)}L${placeText(to)}`).join('');
  const fill = filled && `<path d="${filled}" fill="${colour}" fill-opacity="0.22"/>`;
  return drawn ? `${fill}<path d="${drawn}" fill="none" stroke="${colour}" stroke-width="1.5"${more}/>` : fill;
}

/** Corners of a body that are smaller than this get their letter outside. In pixels. */
const SMALL = 34;

/** At a corner of the body, the one that is farthest from the other letter or from the middle of the picture. */
function letterPlace({ areas, lines }: Drawing, other: Point = [0, 0]): Point | undefined {
  const visible = clipped(hullOf([...areas.flat(), ...lines.flat()]), WIDTH / 2 - 12, HEIGHT / 2 - 12);
  if (visible.length === 0) return undefined;
  const middle = [0, 1].map((axis) => visible.reduce((sum, point) => sum + point[axis], 0) / visible.length);
  const away = ([x, y]: Point): number => Math.hypot(x - other[0], y - other[1]);
  const [x, y] = visible.reduce((farthest, point) => (away(point) > away(farthest) + 1 ? point : farthest));
  const reach = Math.hypot(x - middle[0], y - middle[1]);
  // Inwards by 14 pixels, or outwards by 10.
  const share = reach === 0 ? 0 : (reach < SMALL ? -10 : 14) / reach;
  return [x + (middle[0] - x) * share, y + (middle[1] - y) * share];
}

function letter(text: string, place: Point | undefined, colour: string): string {
  if (!place) return '';
  const [x, y] = place;
  return (
    `<text x="${short(x)}" y="${short(y + 4.5)}" font-size="13" font-family="sans-serif" font-weight="bold" ` +
    `text-anchor="middle" fill="${colour}">${text}</text>`
  );
}

/** The point, and a line along the normal from A's surface to B's with heads at both ends. */
function arrow({ point, normal, distance }: Clash, { centre, right, up }: View, scale: number): string {
  const seen = (p: readonly number[]): Point => [
    scale * (right.x * p[0] + right.y * p[1] + right.z * p[2]),
    -scale * (up.x * p[0] + up.y * p[1] + up.z * p[2]),
  ];
  const [x, y] = seen([point[0] - centre.x, point[1] - centre.y, point[2] - centre.z]);
  const [nx, ny] = seen(normal.map((n) => (n * distance) / 2));
  const length = Math.hypot(nx, ny);
  const dot = `<circle cx="${short(x)}" cy="${short(y)}" r="2.5" fill="currentColor"/>`;
  if (length < 3) return dot;
  const [ux, uy] = [nx / length, ny / length];
  const head = (side: number): string => {
    const [tipX, tipY] = [x + side * nx, y + side * ny];
    const size = Math.min(6, length);
    const wing = (way: number): Point => [
      tipX - side * size * ux - way * size * 0.4 * uy,
      tipY - side * size * uy + way * size * 0.4 * ux,
    ];
    return `M${placeText(wing(1))}L${placeText([tipX, tipY])}L${placeText(wing(-1))}`;
  };
  const line = `M${placeText([x - nx, y - ny])}L${placeText([x + nx, y + ny])}`;
  return `<path d="${line}${head(1)}${head(-1)}" fill="none" stroke="currentColor" stroke-width="1.5"/>${dot}`;
}

function placeText([x, y]: Point): string {
  return `${short(x)} ${short(y)}`;
}

/** Tenths of a pixel. */
function short(x: number): string {
  return String(Math.round(x * 10) / 10 + 0);
}
