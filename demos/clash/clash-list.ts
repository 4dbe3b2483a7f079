/**
 * The list of clashes, by category. It is one list box: arrow keys move through all rows, Enter or a click selects.
 * The heads of the categories are buttons.
 * Names come from files, so they are only ever set as text.
 */

import { CATEGORIES, type Category } from '../../cli/clash/categories.ts';
import type { Clash } from '../../cli/clash/clash-report.ts';
import { byId, create, swatched } from '../common/dom.ts';
import { clashLabel, lengthText, namesOf } from './clash-text.ts';
import { CATEGORY_COLORS } from './colors.ts';

/** Rows of a category that are made; the filter reaches the others. */
const MOST_ROWS = 1000;

export interface ClashList {
  /** Replaces the clashes. */
  show(clashes: readonly Clash[], isMetre: boolean): void;
  /** Marks a clash, and brings it into view. undefined: none. */
  mark(index: number | undefined): void;
  /** The next or previous clash of those that are listed. */
  neighbour(index: number, step: 1 | -1): number | undefined;
  /** Place among the listed ones, from 1, and their number. */
  place(index: number): { place: number; count: number };
}

export function createClashList(onSelect: (index: number) => void): ClashList {
  const list = byId('list');
  const filter = byId<HTMLInputElement>('filter');
  // Touching bodies are rarely a fault.
  const closed = new Set<Category>(['touching']);
  let clashes: readonly Clash[] = [];
  let isMetre = false;
  /** Indices of the rows, in the order of the list. */
  let order: number[] = [];
  let active: number | undefined;
  let marked: number | undefined;

  const rowOf = (index: number): HTMLElement | null => list.querySelector(`[data-index="${index}"]`);

  const activate = (index: number | undefined): void => {
    active = index;
    list.querySelector('[data-active]')?.removeAttribute('data-active');
    const found = index === undefined ? null : rowOf(index);
    if (found) {
      found.dataset.active = '';
      found.scrollIntoView({ block: 'nearest' });
      list.setAttribute('aria-activedescendant', found.id);
    } else list.removeAttribute('aria-activedescendant');
  };

  const render = (): void => {
    const wanted = filter.value.trim().toLowerCase();
    const isWanted = (clash: Clash): boolean =>
      wanted === '' || namesOf(clash).some((name) => name.toLowerCase().includes(wanted));
    order = [];
    list.replaceChildren();
    for (const category of CATEGORIES) {
      const all = [...clashes.keys()].filter((i) => clashes[i].category === category);
      const found = all.filter((i) => isWanted(clashes[i])).sort((p, q) => clashes[p].distance - clashes[q].distance);
      if (all.length === 0) continue;
      const isOpen = !closed.has(category);
      list.append(head(category, found.length, all.length, isOpen));
      if (!isOpen) continue;
      const rows = found.slice(0, MOST_ROWS);
      order.push(...rows);
      list.append(...rows.map((i) => row(clashes[i], i, isMetre)));
      if (found.length > rows.length) list.append(note(`${found.length - rows.length} more: filter by name`));
    }
    if (clashes.length === 0) list.append(note('No clashes.'));
    activate(marked);
    mark(marked);
  };

  const head = (category: Category, found: number, all: number, isOpen: boolean): HTMLElement => {
    const count = create('span', 'count', found === all ? String(all) : `${found} of ${all}`);
    const button = create('button', 'list-head', swatched(CATEGORY_COLORS[category], ''), category, count);
    button.type = 'button';
    button.dataset.category = category;
    button.setAttribute('aria-expanded', String(isOpen));
    button.addEventListener('click', () => {
      if (!closed.delete(category)) closed.add(category);
      render();
      list.querySelector<HTMLElement>(`[data-category=${category}]`)?.focus();
    });
    return button;
  };

  const mark = (index: number | undefined): void => {
    marked = index;
    list.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    if (index === undefined) return;
    if (closed.delete(clashes[index].category)) render();
    rowOf(index)?.setAttribute('aria-selected', 'true');
    activate(index);
  };

  const neighbour = (index: number, step: 1 | -1): number | undefined => {
    if (order.length === 0) return undefined;
    const at = order.indexOf(index);
    if (at < 0) return order[0];
    return order[(at + step + order.length) % order.length];
  };

  list.addEventListener('click', ({ target }) => {
    const clicked = (target as HTMLElement).closest<HTMLElement>('.clash');
    if (clicked) onSelect(Number(clicked.dataset.index));
  });
  list.addEventListener('keydown', (event) => {
    if (event.target !== list) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (step) activate(active === undefined ? order[0] : neighbour(active, step));
    else if (event.key === 'Home') activate(order[0]);
    else if (event.key === 'End') activate(order[order.length - 1]);
    else if ((event.key === 'Enter' || event.key === ' ') && active !== undefined) onSelect(active);
    else return;
    event.preventDefault();
  });
  filter.addEventListener('input', render);

  return {
    show(given, inMetres) {
      clashes = given;
      isMetre = inMetres;
      marked = undefined;
      render();
      list.scrollTop = 0;
    },
    mark,
    neighbour,
    place: (index) => ({ place: order.indexOf(index) + 1, count: order.length }),
  };
}

function row(clash: Clash, index: number, isMetre: boolean): HTMLElement {
  const [a, b] = namesOf(clash);
  const { distance, source } = clash;
  const bound = source === 'bound' && distance <= 0;
  const element = create(
    'div',
    'clash',
    create('div', 'names', create('span', '', a), create('span', '', b)),
    create(
      'div',
      'depth',
      `${bound ? '≥ ' : ''}${lengthText(distance, isMetre)}`,
      create('span', 'source', distance > 0 ? 'gap' : source),
    ),
  );
  element.id = `clash-${index}`;
  element.dataset.index = String(index);
  element.setAttribute('role', 'option');
  element.setAttribute('aria-selected', 'false');
  element.setAttribute('aria-label', `${a} and ${b}: ${clashLabel(clash, isMetre)}`);
  return element;
}

function note(text: string): HTMLElement {
  return create('p', 'list-note', text);
}
