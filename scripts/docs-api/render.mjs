/** Renders the results of `read.mjs` as Markdown for VitePress. */

import { KINDS } from './read.mjs';

const HEADINGS = {
  function: 'Functions',
  class: 'Classes',
  interface: 'Interfaces',
  type: 'Types',
  constant: 'Constants',
};

export function renderIndex(entries) {
  return page('API reference', [
    'Made from the doc comments of the package. Each row is a module to import from.',
    table(
      ['Import from', 'Contents'],
      entries.map(({ name, folder, text }) => [
        `[\`${name}\`](/api/${folder}/)`,
        firstSentence(prose(text, new Map())),
      ]),
    ),
  ]);
}

/**
 * The page of an entry: tables of the symbols that have pages, and types and constants in full, unless another entry's
 * page has them.
 */
export function renderEntry({ name, folder, text, symbols }, links) {
  const parts = [prose(text, links)];
  for (const kind of KINDS) {
    const ofKind = symbols.filter((symbol) => symbol.kind === kind);
    if (ofKind.length === 0) continue;
    parts.push(`## ${HEADINGS[kind]}`);
    const inline = ofKind.filter((symbol) => !symbol.page && symbol.home === folder);
    const listed = ofKind.filter((symbol) => !inline.includes(symbol));
    if (listed.length > 0) {
      const rows = listed.map((symbol) => [
        `[\`${symbol.name}\`](${symbol.url})`,
        firstSentence(prose(symbol.docs, links)),
      ]);
      parts.push(table(['Name', 'Description'], rows));
    }
    for (const symbol of inline) parts.push(`### ${symbol.name}`, ...body(symbol, links, '####'));
  }
  return page(name, parts);
}

export function renderSymbol(symbol, entries, links) {
  const exporting = entries.filter(({ symbols }) => symbols.some(({ url }) => url === symbol.url));
  const modules = exporting.map(({ name, folder }) => `[\`${name}\`](/api/${folder}/)`).join(', ');
  const title = symbol.kind === 'function' ? `${symbol.name}()` : symbol.name;
  return page(title, [
    `${symbol.kind[0].toUpperCase()}${symbol.kind.slice(1)} of ${modules}`,
    ...body(symbol, links, '##'),
  ]);
}

/** Signature, doc comment, tags, properties as a table, and methods as sections with headings of `level`. */
function body(symbol, links, level) {
  const { signatures, members, kind } = symbol;
  const parts = [...code(signatures), prose(symbol.docs, links), ...tagsOf(symbol, links)];
  const properties = members.filter((member) => !member.signatures);
  const methods = members.filter((member) => member.signatures);
  if (properties.length > 0) {
    if (kind !== 'constant') parts.push(`${level} Properties`);
    const rows = properties.map((member) => [
      `<code v-pre>${escapeCode(member.name)}${member.isOptional ? '?' : ''}</code>`,
      typeText(member.type, links),
      cell(prose([member.docs, ...tagsOf(member, links)].filter(Boolean).join('\n\n'), links)),
    ]);
    parts.push(
      table([kind === 'constant' ? 'Member' : 'Property', kind === 'constant' ? 'Value' : 'Type', 'Description'], rows),
    );
  }
  if (methods.length > 0) parts.push(`${level} Methods`);
  for (const method of methods) {
    parts.push(`${level}# ${escapeCode(method.name)}()`, ...code(method.signatures));
    parts.push(prose(method.docs, links), ...tagsOf(method, links));
  }
  return parts;
}

function code(signatures) {
  return signatures.length > 0 ? [`\`\`\`ts\n${signatures.join('\n')}\n\`\`\``] : [];
}

/** `@param`, `@returns` and `@throws` as lists, and the text of any other tag below its name. */
function tagsOf({ tags }, links) {
  const parts = [];
  for (const name of new Set(tags.map((tag) => tag.name))) {
    const texts = tags.filter((tag) => tag.name === name).map((tag) => prose(tag.text, links));
    const title = { param: 'Parameters', returns: 'Returns', throws: 'Throws' }[name] ?? name;
    if (name === 'param') parts.push(`**${title}**\n\n${texts.map(parameter).join('\n')}`);
    else parts.push(...texts.map((text) => `**${title}:** ${text}`));
  }
  return parts;
}

function parameter(text) {
  const [name, ...rest] = text.split(' ');
  return `- \`${name}\` ${rest.join(' ').replaceAll('\n', '\n  ')}`;
}

/** A type as code in which exported names are links. */
function typeText(type, links) {
  const text = type.replace(/[A-Za-z_$][\w$]*|[^A-Za-z_$]+/g, (piece) =>
    links.has(piece) ? `[${piece}](${links.get(piece)})` : escapeCode(piece),
  );
  return `<code v-pre>${text}</code>`;
}

/** Escapes text inside a `<code>` element, which is not Markdown. Pipes would end the cell of a table. */
function escapeCode(text) {
  return text.replace(/[&<>[\]*_`|\\{}~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A doc comment's Markdown, with links from names in backticks to their pages. */
function prose(text, links) {
  return escapeProse(text).replace(/(?<!`)`([A-Z]\w*)(?:\.\w+)?`(?!`)/g, (span, name) =>
    links.has(name) ? `[${span}](${links.get(name)})` : span,
  );
}

/**
 * Escapes angle brackets and double braces outside code, which VitePress would parse as elements and expressions.
 * Comments stay.
 */
export function escapeProse(text) {
  return text
    .split(/(```[\s\S]*?```|`(?:[^`\n]|\n(?!\n))*`|<!--.*?-->)/)
    .map((piece, i) => (i % 2 === 0 ? piece.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#8203;&#123;') : piece))
    .join('');
}

/** Text for the cell of a table: one line, with lists as bulleted text. */
function cell(text) {
  return text
    .replace(/\n\n+/g, '<br><br>')
    .replace(/\n\s*[-*] /g, '<br>• ')
    .replace(/<br><br>[-*] /g, '<br>• ')
    .replace(/^[-*] /, '• ')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}

function firstSentence(text) {
  return cell(/^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text.split(/\n\n/)[0]);
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function page(title, parts) {
  const front = `---\ntitle: ${JSON.stringify(title)}\npageClass: reference\n---`;
  return `${[front, `# ${title}`, ...parts.filter(Boolean)].join('\n\n')}\n`;
}
