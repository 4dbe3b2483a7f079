/** Colours of the view, for light and dark. A and B have the colours that BCF viewpoints give them. */

import { darkTheme } from '../common/dark-theme.ts';
import type { Category } from '../../cli/clash/categories.ts';

export interface Colors {
  /** Tints for the bodies of the whole model, so that neighbours can be told apart. */
  bodies: readonly string[];
  ghost: string;
  edge: string;
  a: string;
  b: string;
  depth: string;
}

const LIGHT: Colors = {
  bodies: ['#b4c1cd', '#d6cdbd', '#b9c9bd', '#c9bfcb', '#cfd5da', '#a9b7bd'],
  ghost: '#8a959f',
  edge: '#66727c',
  a: '#1c7ed6',
  b: '#e8590c',
  depth: '#111418',
};
const DARK: Colors = {
  bodies: ['#6f7f8e', '#8d8474', '#72877a', '#84798a', '#8a939b', '#62737b'],
  ghost: '#93a0ab',
  edge: '#aab5be',
  a: '#4aa3f5',
  b: '#ff7a2e',
  depth: '#ffffff',
};

export const CATEGORY_COLORS: Record<Category, string> = {
  overlap: '#d6293e',
  contained: '#7c4dff',
  duplicate: '#d63aa6',
  touching: '#6b8f71',
  clearance: '#0e9aae',
};

export function currentColors(): Colors {
  return darkTheme.matches ? DARK : LIGHT;
}
