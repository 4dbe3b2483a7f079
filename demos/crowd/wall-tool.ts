/** The tool that draws walls: the button that chooses it, the wall that follows the pointer, and undo. */

import { byId } from '../common/dom.ts';
import type { DragTool } from './camera.ts';
import type { Obstacle } from './scenes.ts';
import { wall } from './scenes.ts';
import type { Point } from './simulation.ts';

export interface WallEvents {
  /** Draws a wall, or returns the reason why it can't be there. */
  add(from: Point, to: Point): Promise<string | undefined>;
  undo(): void;
  clear(): void;
  previewChanged(): void;
}

export interface WallTool {
  /** undefined: it is not chosen. */
  chosen(): DragTool | undefined;
  /** The wall that follows the pointer. */
  preview(): Obstacle | undefined;
  /** Shows how many walls there are to undo. */
  showCount(count: number): void;
}

const ADVICE = 'Drag to draw a wall · arrow keys or two fingers move the view';

export function createWallTool(events: WallEvents): WallTool {
  const button = byId('draw-wall');
  const hint = byId('hint');
  let isChosen = false;
  let ends: [Point, Point] | undefined;

  function choose(choice: boolean): void {
    isChosen = choice;
    button.setAttribute('aria-pressed', String(isChosen));
    hint.textContent = ADVICE;
    hint.hidden = !isChosen;
  }

  const tool: DragTool = {
    drag(from, to) {
      ends = [from, to];
      events.previewChanged();
    },
    end(isDone) {
      const drawn = ends;
      ends = undefined;
      events.previewChanged();
      if (isDone && drawn)
        events.add(...drawn).then(
          (reason) => {
            hint.textContent = reason ? `No wall there. ${reason}.` : ADVICE;
          },
          () => {}, // The page reports errors.
        );
    },
  };

  button.addEventListener('click', () => choose(!isChosen));
  byId('undo-wall').addEventListener('click', events.undo);
  byId('clear-walls').addEventListener('click', events.clear);
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isChosen) choose(false);
  });

  return {
    chosen: () => (isChosen ? tool : undefined),
    preview: () => ends && wall(...ends[0], ...ends[1]),
    showCount(count) {
      for (const id of ['undo-wall', 'clear-walls']) byId<HTMLButtonElement>(id).disabled = count === 0;
    },
  };
}
