/** Elements of XML documents. */

import { escaped } from '../../../report/xml.ts';

/** An element without attributes is its name, otherwise its name and attributes. */
type Start = string | [name: string, attributes: Record<string, string | undefined>];

/** An element with text or elements in it. Children that are undefined are left out. */
export function element(start: Start, ...children: (Element | string | number | undefined)[]): Element {
  const [name, attributes] = typeof start === 'string' ? [start, {}] : start;
  return { name, attributes, children: children.filter((child) => child !== undefined) };
}

export interface Element {
  name: string;
  attributes: Record<string, string | undefined>;
  children: (Element | string | number)[];
}

/** A whole document, newline at its end. */
export function documentOf(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${textOf(root, '')}`;
}

function textOf({ name, attributes, children }: Element, indent: string): string {
  const given = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const start = `${indent}<${name}${given.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}`;
  if (children.length === 0) return `${start}/>\n`;
  const inner = children.map((child) =>
    typeof child === 'object' ? textOf(child, `${indent}  `) : escaped(String(child)),
  );
  return typeof children[0] === 'object'
    ? `${start}>\n${inner.join('')}${indent}</${name}>\n`
    : `${start}>${inner.join('')}</${name}>\n`;
}
