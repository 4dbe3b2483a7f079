/** Colours of the plan, light and dark. Zones have four hues of equal weight. Walls are grey, doors red. */

import { darkTheme } from '../common/dark-theme.ts';

export interface Palette {
  floor: string;
  wall: string;
  door: string;
  text: string;
  zones: readonly string[];
  /** Colour mixed into that of people who stand still. */
  still: string;
  heading: string;
}

const LIGHT: Palette = {
  floor: '#fdfdfc',
  wall: '#2f3840',
  door: '#d0493f',
  text: '#ffffff',
  zones: ['#2f74d0', '#e07b28', '#189a83', '#9a55c4'],
  still: '#1d242a',
  heading: '#ffffff',
};

const DARK: Palette = {
  floor: '#20262b',
  wall: '#7e8b95',
  door: '#ff7a6b',
  text: '#0f1215',
  zones: ['#6aa9ff', '#ffac5c', '#4fd0b5', '#cf94f2'],
  still: '#3a424a',
  heading: '#12161a',
};

/** Share of `still` in the colour of people who stand still. It falls to 0 at `WALKING_SPEED`, in m/s. */
export const STILL_SHARE = 0.45;
export const WALKING_SPEED = 0.9;

export function palette(): Palette {
  return darkTheme.matches ? DARK : LIGHT;
}

/** Red, green and blue from 0 to 1. */
export function channels(color: string): [number, number, number] {
  const value = parseInt(color.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
