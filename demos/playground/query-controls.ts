/** The controls of the scene as a whole: its dimension, the examples, and what is asked about the bodies. */

import { byId } from '../common/dom.ts';
import type { Backend } from './answer.ts';
import { EXAMPLES, firstExample } from './examples.ts';
import type { PlaygroundScene } from './scene.ts';

const LARGEST = 1000;

export interface QueryActions {
  /** Replaces the scene, with a new view. */
  load(scene: PlaygroundScene): void;
  changeQuery(change: Partial<Pick<PlaygroundScene, 'algorithm' | 'margin' | 'duration'>>): void;
  changeBackend(backend: Backend): void;
}

export function enableQueryControls({ load, changeQuery, changeBackend }: QueryActions): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('[name=dimension]')) {
    input.addEventListener('change', () => load(firstExample(Number(input.value) as 2 | 3)));
  }
  const examples = byId<HTMLSelectElement>('examples');
  examples.append(...EXAMPLES.map(({ name }, i) => new Option(name, String(i))));
  examples.addEventListener('change', () => {
    const example = EXAMPLES[Number(examples.value)];
    if (examples.value !== '' && example) load(example.scene);
    examples.value = '';
  });
  const algorithm = byId<HTMLSelectElement>('algorithm');
  algorithm.addEventListener('change', () => {
    changeQuery({ algorithm: algorithm.value as PlaygroundScene['algorithm'] });
  });
  const backend = byId<HTMLSelectElement>('backend');
  backend.addEventListener('change', () => changeBackend(backend.value as Backend));
  for (const field of ['margin', 'duration'] as const) {
    const input = byId<HTMLInputElement>(field);
    input.addEventListener('input', () => {
      const value = input.valueAsNumber;
      if (value >= 0 && value <= LARGEST) changeQuery({ [field]: value });
    });
  }
}

export function showQuery({ dimension, algorithm, margin, duration }: PlaygroundScene, backend: Backend): void {
  document.querySelector<HTMLInputElement>(`[name=dimension][value="${dimension}"]`)!.checked = true;
  byId<HTMLSelectElement>('algorithm').value = algorithm;
  byId<HTMLSelectElement>('backend').value = backend;
  byId<HTMLInputElement>('margin').value = String(margin);
  byId<HTMLInputElement>('duration').value = String(duration);
}

/** Whether WebGPU can be chosen; `reason`: why it cannot. */
export function offerWebGpu(isOffered: boolean, reason = ''): void {
  const select = byId<HTMLSelectElement>('backend');
  select.title = reason;
  select.querySelector<HTMLOptionElement>('[value=webgpu]')!.disabled = !isOffered;
}
