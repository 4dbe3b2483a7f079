/** Scenes and reports of clash checks. */

import type { Clash, ClashHeader } from '../../cli/clash/clash-report.ts';

export interface ClashJson extends ClashHeader {
  clashes: Clash[];
}

/** One clash of each category, and a pair that is none. */
export const PLANT = {
  version: 1,
  name: 'plant',
  shapes: [
    { id: 'pipe', type: 'cylinder', halfHeight: 2, radius: 0.1 },
    { id: 'beam', type: 'box', halfExtents: [2, 0.1, 0.1] },
    { id: 'bolt', type: 'sphere', radius: 0.01 },
  ],
  bodies: [
    { shape: 'pipe', position: [0, 0, 0], name: 'pipe-1' },
    { shape: 'beam', position: [0, 0, 0.15], name: 'beam-1' },
    { shape: 'beam', position: [0, 1, 0.2], name: 'beam-2' },
    { shape: 'beam', position: [0, -1, 0.23], name: 'beam-3' },
    { shape: 'beam', position: [0, 1.8, 0.3], name: 'beam-4' },
    { shape: 'pipe', position: [8, 0, 0], name: 'pipe-2' },
    { shape: 'pipe', position: [8, 0, 0], name: 'pipe-2 again' },
    { shape: 'bolt', position: [8, 1, 0.05], name: 'lost bolt' },
  ],
  pairs: 'broad-phase',
};

const NAMES = [
  'a, b',
  'say "no"',
  " <b> & 'c' ]]> ",
  'line\r\nand tab\t',
  '\u0007\ufffe\ud800 \u{1f9f1} \u202e',
  '=HYPERLINK("http://x","y")',
  '@SUM(1)',
  '</title><script>alert(1)</script>',
  '<!-- --> <?php ?>',
  '   ',
  '2O2Fr$t4X7Zf8NOew3FNr2',
  '\u00e4\u00f6 \u4e2d',
];

/** A row of crates with odd names, each 0.1 deep in the next. */
export const ODD_NAMES = {
  version: 1,
  name: 'row <of> "crates" & more',
  shapes: [{ type: 'box', halfExtents: [0.5, 0.5, 0.5] }],
  bodies: [...NAMES, 'last'].map((name, i) => ({ shape: 0, position: [0.9 * i, 0, 0], name })),
  pairs: 'broad-phase',
};
