/** The three drawings. They are drawn at most once per frame, and share a camera. */

import { darkTheme } from '../common/dark-theme.ts';
import { byId } from '../common/dom.ts';
import { FIRST_ORBIT, PLANAR_ORBIT } from './camera.ts';
import { createCanvasView, enableTurning } from './canvas-view.ts';
import { drawDetail } from './detail-view.ts';
import { drawDifference } from './difference-view.ts';
import type { Inspection } from './inspection.ts';
import { readPalette } from './palette.ts';
import { drawScene } from './scene-view.ts';

export interface Stage {
  show(inspection: Inspection, at: number): void;
  /** Back to the first camera, for another pair. */
  reset(inspection: Inspection): void;
}

export function createStage(): Stage {
  let shown: { inspection: Inspection; at: number } | undefined;
  let frame = 0;
  let palette = readPalette();
  let orbit = { ...FIRST_ORBIT };

  const draw = (): void => {
    frame = 0;
    if (!shown) return;
    const { inspection, at } = shown;
    drawScene(scene, inspection, at, orbit, palette);
    drawDifference(difference, inspection, at, orbit, palette);
    byId('detail-title').textContent = drawDetail(detail, inspection, at, orbit, palette);
  };
  const schedule = (): void => {
    frame ||= requestAnimationFrame(draw);
  };
  const scene = createCanvasView(byId<HTMLCanvasElement>('scene'), schedule);
  const difference = createCanvasView(byId<HTMLCanvasElement>('difference'), schedule);
  const detail = createCanvasView(byId<HTMLCanvasElement>('detail'), schedule);
  const isFlat = (): boolean => shown?.inspection.isPlanar ?? false;
  for (const view of [scene, difference]) enableTurning(view, () => orbit, isFlat, schedule);
  darkTheme.addEventListener('change', () => {
    palette = readPalette();
    schedule();
  });
  return {
    show(inspection, at) {
      shown = { inspection, at };
      schedule();
    },
    reset({ isPlanar }) {
      orbit = { ...(isPlanar ? PLANAR_ORBIT : FIRST_ORBIT) };
      for (const view of [scene, difference]) {
        view.zoom = 1;
        view.pan = [0, 0];
      }
    },
  };
}
