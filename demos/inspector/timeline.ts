/** The time line: a coloured part per search, a slider over all steps, and buttons. */

import { byId, create } from '../common/dom.ts';
import type { Phase } from './phases.ts';

export interface Timeline {
  /** Shows other phases. */
  fill(phases: readonly Phase[], steps: number): void;
  show(at: number, phase: Phase, text: string): void;
}

const COLORS: Record<string, string> = {
  GJK: '--a',
  'Swept GJK': '--a',
  EPA: '--good',
  'Velocity EPA': '--good',
  MPR: '--normal',
  SAT: '--b',
  'Swept SAT': '--b',
  Advancement: '--difference',
  Arcs: '--difference',
  Cast: '--a',
  Clipping: '--mark',
  Result: '--ink',
};

/** Room that the label of a part needs, in steps of a short trace. */
const LEAST_SHARE = 0.085;

export function createTimeline(go: (at: number) => void): Timeline {
  const slider = byId<HTMLInputElement>('slider');
  const parts = byId('phases');
  slider.addEventListener('input', () => go(Number(slider.value) - 1));
  return {
    fill(phases, steps) {
      slider.max = String(steps);
      parts.replaceChildren(
        ...phases.map(({ name, first, end }) => {
          const button = create('button', 'phase', create('span', '', name));
          button.type = 'button';
          button.dataset.first = String(first);
          button.title = `${name}: steps ${first + 1} to ${end}`;
          button.style.flexGrow = String(Math.max((end - first) / steps, LEAST_SHARE));
          button.style.setProperty('--color', `var(${COLORS[name] ?? '--muted'})`);
          button.addEventListener('click', () => go(first));
          return button;
        }),
      );
    },
    show(at, phase, text) {
      slider.value = String(at + 1);
      slider.setAttribute('aria-valuetext', `step ${at + 1}: ${text}`);
      byId('step-count').textContent = `${at + 1} of ${slider.max}`;
      byId('step-phase').textContent = phase.name;
      byId('step-text').textContent = text;
      for (const button of parts.querySelectorAll('button'))
        button.setAttribute('aria-current', String(Number(button.dataset.first) === phase.first));
    },
  };
}
