/** The backend that the address asks for. */

import type { TesterOptions } from 'narrowphase';

export type BackendChoice = NonNullable<TesterOptions['backend']>;

/** `?backend=cpu` or `?backend=webgpu` in the address; otherwise a hardware adapter or the CPU. */
export function backendChoice(parameters: URLSearchParams): BackendChoice {
  const choice = parameters.get('backend') ?? 'auto';
  if (choice === 'auto' || choice === 'webgpu' || choice === 'cpu') return choice;
  throw new Error(`?backend=${choice} is unknown, expected auto, webgpu or cpu`);
}
