/**
 * Colours of the view. Bodies have muted colours, so that the contacts stand out. One palette per theme; the page's own
 * colours are in theme.css.
 */

import { Color } from 'three';
import { darkTheme } from '../common/dark-theme.ts';
import type { Kind } from './kinds.ts';

export interface Palette {
  bodies: Record<Kind, string>;
  picked: string;
  /** Light from above and from below, and the sun. */
  sky: string;
  ground: string;
  skyIntensity: number;
  sunIntensity: number;
  /** From touching to the deepest contact. */
  depths: readonly [string, string, string];
}

const LIGHT: Palette = {
  bodies: {
    bunny: '#e8e2d6',
    teapot: '#a9bac6',
    hull: '#c9c6bf',
    box: '#c3ad97',
    capsule: '#aebaa4',
    sphere: '#8e9aa5',
    triangle: '#bfadb6',
    cylinder: '#a8b5b2',
    cone: '#c4a78f',
    ellipsoid: '#9c97ad',
    halfspace: '#e9ecee',
    compound: '#b3a6a0',
    mesh: '#a3a3ad',
    floor: '#e9ecee',
  },
  picked: '#2f7de1',
  sky: '#ffffff',
  ground: '#8d8780',
  skyIntensity: 1.25,
  sunIntensity: 2.5,
  depths: ['#f4b400', '#ee5a24', '#b3124f'],
};

const DARK: Palette = {
  ...LIGHT,
  bodies: { ...LIGHT.bodies, bunny: '#cfc4ae', teapot: '#84a2b7', halfspace: '#454d54', floor: '#454d54' },
  picked: '#4c9bff',
  sky: '#c9d8e6',
  ground: '#3b3f45',
  skyIntensity: 1.1,
  sunIntensity: 1.9,
  depths: ['#ffd34d', '#ff7a3d', '#ff3d81'],
};

export function currentPalette(): Palette {
  return darkTheme.matches ? DARK : LIGHT;
}

/** The colour of a depth, as a share of the deepest. */
export function depthColor({ depths }: Palette, share: number, target = new Color()): Color {
  const [low, middle, high] = depths;
  const at = Math.min(1, Math.max(0, share)) * 2;
  return at <= 1 ? target.set(low).lerp(new Color(middle), at) : target.set(middle).lerp(new Color(high), at - 1);
}

/** The same colours as a gradient for style sheets. */
export function depthGradient(palette: Palette): string {
  const stops = Array.from({ length: 9 }, (_, i) => depthColor(palette, i / 8).getStyle());
  return `linear-gradient(90deg, ${stops.join(', ')})`;
}
