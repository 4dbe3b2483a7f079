/** Parameters of the address: plan, number of people, seed, and whether the crowd starts at once. */

import { SCENES } from './scenes.ts';

export interface Settings {
  scene: string;
  /** Undefined: a number that suits the backend. */
  people: number | undefined;
  seed: number;
  isRunning: boolean;
}

const MOST_PEOPLE = 20_000;

/** Phones start with the smallest plan, in which people are more than dots. */
export function settingsOf(parameters: URLSearchParams): Settings {
  const scene = parameters.get('scene') ?? (matchMedia('(max-width: 720px)').matches ? 'doors' : 'station');
  if (!Object.hasOwn(SCENES, scene))
    throw new Error(`?scene=${scene} is unknown, expected ${Object.keys(SCENES).join(', ')}`);
  const run = parameters.get('run') ?? '1';
  if (run !== '0' && run !== '1') throw new Error(`?run=${run} is unknown, expected 0 or 1`);
  return {
    scene,
    people: wholeNumber(parameters, 'agents', 1, MOST_PEOPLE),
    seed: wholeNumber(parameters, 'seed', 0, 2 ** 32 - 1) ?? 1,
    isRunning: run === '1',
  };
}

function wholeNumber(parameters: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new Error(`?${name}=${text} is not a whole number from ${least} to ${most.toLocaleString('en')}`);
  return value;
}
