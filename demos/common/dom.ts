/** Helpers for the page's elements. */

/** The element with this id, which must exist. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element as E;
}

export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Fills a description list. */
export function fillRows(list: HTMLElement, rows: readonly (readonly [Node | string, string])[]): void {
  list.replaceChildren(...rows.flatMap(([term, detail]) => [create('dt', '', term), create('dd', '', detail)]));
}

/** A coloured square before a text. */
export function swatched(color: string, text: string): DocumentFragment {
  const swatch = create('i', 'swatch');
  swatch.style.background = color;
  const fragment = document.createDocumentFragment();
  fragment.append(swatch, text);
  return fragment;
}

/** Shows a message at the top of the panel. Only the latest message of each kind is shown. */
export function showNotice(kind: 'warning' | 'error', title: string, text: string): void {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1).replace(/(?<![.!?])$/, '.');
  const notice = create('div', kind === 'error' ? 'notice error' : 'notice', create('strong', '', title), sentence);
  notice.setAttribute('role', kind === 'error' ? 'alert' : 'status');
  notice.dataset.kind = kind;
  byId('notices').querySelector(`[data-kind=${kind}]`)?.remove();
  byId('notices').append(notice);
}
