/** The panel's buttons and fields, and the keys that do the same as the buttons. */

import { byId, showNotice } from '../common/dom.ts';
import type { BodyStyle } from './body-meshes.ts';
import { figure } from './figures.ts';
import type { SceneName } from './scenes.ts';
import { LEAST_BODIES } from './size.ts';

export interface ControlActions {
  pause(): void;
  step(): void;
  reset(): void;
  throwBall(): void;
  /** Starts another scene, or the same with another number of bodies. */
  change(scene: SceneName, count: number): void;
  setStyle(style: BodyStyle): void;
}

export interface Controls {
  scene(): SceneName;
  /** The number of bodies, as the field has it. */
  count(): string;
  style(): BodyStyle;
  showPaused(isPaused: boolean): void;
}

export interface Shown {
  scene: SceneName;
  count: number;
  style: BodyStyle;
}

/** `most`: the largest number of bodies that the field takes. */
export function enableControls({ scene, count, style }: Shown, most: number, actions: ControlActions): Controls {
  const { pause, step, reset, throwBall } = actions;
  for (const [id, action] of Object.entries({ pause, step, reset, throw: throwBall })) {
    byId(id).addEventListener('click', action);
  }
  const keys: Record<string, () => void> = { ' ': pause, '.': step, r: reset, t: throwBall };
  document.addEventListener('keydown', (event) => {
    if (event.target instanceof HTMLElement && /INPUT|SELECT|BUTTON/.test(event.target.tagName)) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  const sceneField = byId<HTMLSelectElement>('scene');
  const countField = byId<HTMLInputElement>('count');
  sceneField.value = scene;
  countField.value = String(count);
  const chosenScene = (): SceneName => sceneField.value as SceneName;
  const changeFields = (): void => {
    const amount = Math.round(Number(countField.value));
    if (amount >= LEAST_BODIES && amount <= most) actions.change(chosenScene(), amount);
    else showNotice('warning', 'Bodies', `Expected a number from ${LEAST_BODIES} to ${figure(most)}`);
  };
  const viewField = byId<HTMLSelectElement>('view-mode');
  viewField.value = style;
  const changeStyle = (): void => {
    const chosen = viewField.value as BodyStyle;
    byId('forces').hidden = chosen === 'solid';
    actions.setStyle(chosen);
  };
  viewField.addEventListener('change', changeStyle);
  byId('forces').hidden = style === 'solid';
  sceneField.addEventListener('change', changeFields);
  countField.addEventListener('change', changeFields);

  return {
    scene: chosenScene,
    count: () => countField.value,
    style: () => viewField.value as BodyStyle,
    showPaused(isPaused) {
      const button = byId('pause');
      button.textContent = isPaused ? 'Run' : 'Pause';
      button.setAttribute('aria-pressed', String(isPaused));
    },
  };
}
