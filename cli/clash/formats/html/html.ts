/**
 * Clash reports as one HTML file: no script, nothing loaded, and one style sheet that the page's content security policy
 * names by its hash. Clashes are grouped by category; in each group those that fail come first, the deepest ahead.
 */

import { usageError } from '../../../exit.ts';
import { escaped } from '../../../report/xml.ts';
import { adapterText, counted, engineText, integer, printable } from '../../../terminal-text.ts';
import { CATEGORIES, type Category } from '../../categories.ts';
import { keepWorst, type Clash, type ClashHeader, type ClashReport } from '../../clash-report.ts';
import { componentsOf, distanceText, namesOf, titleOf } from '../../describe.ts';
import { createBodyReader, type Body } from '../../solids/body.ts';
import { checkText } from '../table.ts';
import { picturesOf } from './picture.ts';
import { STYLE, STYLE_HASH } from './style.ts';

export interface HtmlOptions {
  /** Greatest number of clashes of each category. */
  limit: number;
  /** The axis of the scene that points up in pictures. */
  up: 'y' | 'z';
}

const POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

const EXPLANATIONS: Record<Category, string> = {
  overlap: 'Both bodies are partly outside each other, and overlap by more than the tolerance.',
  contained: 'One body is inside the other.',
  duplicate: 'The bodies have the same geometry in the same place.',
  touching: 'The surfaces are within the tolerance of each other.',
  clearance: 'The gap is less than the clearance.',
};

/** Throws for a report without its scene. */
export function checkHtml({ solids }: ClashReport): void {
  if (solids) return;
  throw usageError('HTML is asked for without --scene FILE, expected the scene: the report has pictures of it');
}

/** The page, piece by piece. */
export async function* clashHtml(
  { header, clashes, solids }: ClashReport,
  options: HtmlOptions,
): AsyncGenerator<string> {
  const bodyOf = createBodyReader(solids!);
  const groups = await selectClashes(clashes, options.limit);
  yield head(header);
  yield summary(header);
  for (const category of CATEGORIES) {
    const shown = groups[category];
    if (shown.length === 0) continue;
    const count = header.categories[category];
    yield `<section aria-labelledby="${category}">\n<h2 id="${category}">${title(category)} (${integer(count)})</h2>\n`;
    yield `<p class="faint">${EXPLANATIONS[category]}${leftOutText(count - shown.length)}</p>\n`;
    yield list(shown);
    yield '<ol class="cards">\n';
    for (const clash of shown) yield card(clash, [bodyOf(clash.bodyA), bodyOf(clash.bodyB)], options.up);
    yield '</ol>\n</section>\n';
  }
  yield '</main>\n</body>\n</html>\n';
}

/** The clashes of each category that are shown. Memory does not grow with the number of clashes. */
async function selectClashes(clashes: ClashReport['clashes'], limit: number): Promise<Record<Category, Clash[]>> {
  const keepers = CATEGORIES.map(() => keepWorst<Clash>(limit, (clash) => clash));
  for await (const batch of clashes())
    for (const clash of batch) keepers[CATEGORIES.indexOf(clash.category)].add(clash);
  return Object.fromEntries(CATEGORIES.map((category, i) => [category, keepers[i].items()])) as Record<
    Category,
    Clash[]
  >;
}

function head({ scene }: ClashHeader): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>Clashes of ${name(scene.name)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '',
  ].join('\n');
}

function summary(header: ClashHeader): string {
  const { scene, check, categories, verdicts, engines, tolerance, clearance, rules, baseline, unanswered, shard } =
    header;
  const verdict = check.passed ? 'Passed' : `Failed: ${checkText(check)}`;
  const limits = clearance === null ? `tolerance ${tolerance}` : `tolerance ${tolerance}, clearance ${clearance}`;
  const facts: [string, string][] = [
    ['Scene', `${scene.file}, ${counted(scene.bodies, 'body')}`],
    [
      'Pairs',
      `${counted(header.candidatePairs, 'pair')} near each other${shard ? `; shard ${shard.index} of ${shard.count}` : ''}`,
    ],
    ['Limits', limits],
    ...engines.map((engine): [string, string] => [
      'Engine',
      `${engineText(engine, engine.fallback)}: ${adapterText(engine)}`,
    ]),
    ['Program', header.generator],
  ];
  if (rules) facts.splice(3, 0, ['Rules', rules.map(({ name: rule }) => rule).join(', ')]);
  if (baseline)
    facts.push([
      'Baseline',
      `${baseline.file}: ${counted(baseline.clashes, 'clash')}, ${integer(verdicts.known)} known`,
    ]);
  if (unanswered.length > 0) facts.push(['Unanswered', unanswered.map(({ a, b }) => `${a} and ${b}`).join(', ')]);
  const rows = CATEGORIES.map((category) => {
    const label = categories[category] > 0 ? `<a href="#${category}">${title(category)}</a>` : title(category);
    const fails = header.failOn.includes(category) ? 'fails' : 'passes';
    return `<tr><th scope="row">${label}</th><td class="number">${integer(categories[category])}</td><td>${fails}</td></tr>`;
  });
  return [
    `<header>\n<h1>Clashes of ${name(scene.name)}</h1>`,
    `<p class="verdict ${check.passed ? 'passed' : 'failed'}">${escaped(verdict)}</p>`,
    `<dl>${facts.map(([term, text]) => `<dt>${term}</dt><dd>${name(text)}</dd>`).join('')}</dl>`,
    '</header>\n<main>\n<h2>Categories</h2>\n<div class="wide"><table class="short">',
    '<thead><tr><th scope="col">Category</th><th scope="col" class="number">Clashes</th><th scope="col">Check</th></tr></thead>',
    `<tbody>${rows.join('')}</tbody>\n</table></div>\n`,
  ].join('\n');
}

function leftOutText(count: number): string {
  return count > 0 ? ` ${counted(count, 'further clash')} of this category: in the JSON and CSV reports.` : '';
}

/** The clashes of a group as a table, with links to their pictures. */
function list(shown: readonly Clash[]): string {
  const rows = shown.map((clash) => {
    const [a, b] = namesOf(clash).map(name);
    const number = distanceText(clash);
    return (
      `<tr><td><a href="#clash-${clash.pair}">${integer(clash.pair)}</a></td><td class="name">${a}</td><td class="name">${b}</td>` +
      `<td class="number">${escaped(number)}</td><td class="${clash.verdict}">${clash.verdict}</td></tr>`
    );
  });
  const columns = ['Pair', 'A', 'B'].map((column) => `<th scope="col">${column}</th>`).join('');
  return (
    `<div class="wide"><table>\n<thead><tr>${columns}<th scope="col" class="number">Distance</th>` +
    `<th scope="col">Verdict</th></tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table></div>\n`
  );
}

function card(clash: Clash, bodies: readonly [Body, Body], up: 'y' | 'z'): string {
  const [a, b] = namesOf(clash).map(name);
  const { point, normal, rule, pair, verdict } = clash;
  const facts: [string, string][] = [
    ['<span class="a">A</span>', a],
    ['<span class="b">B</span>', b],
    ['Distance', escaped(distanceText(clash))],
    ['Point', componentsOf(point).join(', ')],
    ['Normal', componentsOf(normal).join(', ')],
  ];
  if (rule !== undefined) facts.push(['Rule', name(rule)]);
  facts.push(['Verdict', `<span class="${verdict}">${verdict}</span>`]);
  return [
    `<li class="card" id="clash-${pair}">\n<h3>${name(titleOf(clash))}</h3>`,
    `<div class="pictures">${picturesOf(clash, bodies, up).join('')}</div>`,
    `<dl>${facts.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join('')}</dl>\n</li>\n`,
  ].join('\n');
}

/** Text of a scene, without characters that change how the text around them is shown. */
function name(text: string): string {
  return escaped(printable(text));
}

function title(category: Category): string {
  return category[0].toUpperCase() + category.slice(1);
}
