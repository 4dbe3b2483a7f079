/** The drawing that suits the step: bounds, projections, the Gauss sphere, or the clipped faces. */

import type { Orbit } from './camera.ts';
import { drawAdvance, drawBounds, drawCast, drawCrossing } from './bounds-chart.ts';
import { clear, type CanvasView } from './canvas-view.ts';
import { drawClipping } from './clip-view.ts';
import { drawGaussSphere } from './gauss-view.ts';
import type { Inspection } from './inspection.ts';
import type { Palette } from './palette.ts';
import { drawSatBars } from './sat-bars.ts';

const CROSSING_TITLE = 'How far the difference reaches beyond the edge';

/** Draws, and returns the drawing's title. */
export function drawDetail(
  view: CanvasView,
  inspection: Inspection,
  at: number,
  orbit: Orbit,
  palette: Palette,
): string {
  clear(view);
  const { steps, times } = inspection;
  const step = steps[at];
  switch (step.type) {
    case 'sat':
      drawSatBars(view, steps, at, palette);
      return 'Projections on the axes';
    case 'swept-sat':
      drawSatBars(view, steps, at, palette);
      return 'Distances travelled between which the projections overlap';
    case 'manifold':
      drawClipping(view, step, palette);
      return inspection.isPlanar ? 'Edges, with the normal upwards' : 'Faces along the normal';
    case 'advance':
      drawAdvance(view, steps, times, at, palette);
      return 'Separation by time';
    case 'cast':
    case 'cast-end':
      drawCast(view, steps, at, palette);
      return 'Separation along each direction';
    case 'crossing-end':
      drawCrossing(view, steps, at, palette);
      return CROSSING_TITLE;
    case 'crossing':
      if ('face' in step) {
        drawBounds(view, steps, at, palette);
        return 'Bound of the exit';
      }
      drawCrossing(view, steps, at, palette);
      return CROSSING_TITLE;
    case 'gjk':
    case 'gjk-end':
    case 'newton':
    case 'epa-start':
    case 'epa':
    case 'epa-end':
    case 'refine':
      drawBounds(view, steps, at, palette);
      return 'Bounds of the distance between the cores';
    default:
      drawGaussSphere(view, inspection, at, orbit, palette);
      return inspection.isPlanar ? 'Normal' : 'Gauss sphere';
  }
}
