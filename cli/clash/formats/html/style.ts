/** The style sheet of clash reports. Pages name it by its hash, so that no other style is applied. */

import { createHash } from 'node:crypto';

export const STYLE = `
:root { color-scheme: light dark; --text: #1a1d21; --faint: #5b6470; --line: #d5d9de; --page: #ffffff; --card: #f6f7f9;
  --fail: #b3261e; --pass: #1b6e3c; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --faint: #a3abb5; --line: #3a4048; --page: #16181b; --card: #1f2226; --fail: #ff8a80; --pass: #7fd8a0; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 84rem; color: var(--text); background: var(--page);
  font: 0.95rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0 0 0.25rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 1rem; margin: 0 0 0.5rem; }
p { margin: 0.25rem 0; }
a { color: inherit; }
.faint { color: var(--faint); }
.verdict { font-weight: 600; }
.verdict.failed, .fail { color: var(--fail); }
.verdict.passed { color: var(--pass); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; }
table.short { width: auto; }
td.number, th.number { text-align: right; white-space: nowrap; }
.wide { overflow-x: auto; overflow-wrap: normal; }
td.name { min-width: 8rem; overflow-wrap: anywhere; }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(17.5rem, 100%), 1fr)); margin: 1rem 0 0;
  padding: 0; list-style: none; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.9rem; break-inside: avoid; }
.card:target { outline: 2px solid currentColor; }
.pictures { display: flex; flex-wrap: wrap; gap: 0.5rem; }
svg { background: var(--page); border: 1px solid var(--line); border-radius: 0.25rem; width: 100%; max-width: 24rem; height: auto;
  overflow: hidden; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.1rem 0.75rem; margin: 0.6rem 0 0; }
dt { color: var(--faint); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.a { color: #2b7cc9; }
.b { color: #c65f1a; }
@media (prefers-color-scheme: dark) { .a { color: #6db3f2; } .b { color: #f2a068; } }
@media print {
  :root { --text: #000000; --faint: #444444; --line: #bbbbbb; --page: #ffffff; --card: #ffffff; --fail: #8c1d18; --pass: #14532d; }
  body { max-width: none; padding: 0; font-size: 9pt; }
  h2, h3 { break-after: avoid; }
  .cards { grid-template-columns: repeat(2, 1fr); }
  a { text-decoration: none; }
}
`;

/** For a content security policy. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
