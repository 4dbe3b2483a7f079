/** WGSL, token by token. */

export interface Token {
  text: string;
  kind: 'name' | 'number' | 'mark';
  /** Where it begins in the text. */
  at: number;
}

const NAME = /[A-Za-z_]\w*/;
const NUMBER = /0[xX][0-9a-fA-F]+(?:[pP][+-]?\d+f?|[iu])?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fhiu]?/;
const MARK = /<<=|>>=|->|\+\+|--|&&|\|\||<<|>>|[<>=!+\-*/%&|^]=|[-+*/%&|^~!<>=.,:;(){}[\]@]/;
/** White space, a comment or a token. */
const TOKEN = new RegExp(
  String.raw`\s+|//[^\n]*|(?<name>${NAME.source})|(?<number>${NUMBER.source})|(?<mark>${MARK.source})`,
  'gy',
);

/** A position in a list of tokens. */
export interface Reader {
  /** The next token, which stays; behind the last one a token without text. */
  peek(ahead?: number): Token;
  next(): Token;
  /** Takes the next token if it is this one. */
  take(text: string): boolean;
  /** Takes the next token, which has to be this one; `>` may be the first half of `>>`. */
  expect(text: string): Token;
  position: number;
}

export function readerOf(code: string): Reader {
  const tokens: Token[] = [];
  for (let at = 0; at < code.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(code);
    if (!found) throw new Error(`no token at ${JSON.stringify(code.slice(at, at + 20))}`);
    const { name, number, mark } = found.groups!;
    const text = name ?? number ?? mark;
    if (text !== undefined) tokens.push({ text, kind: name ? 'name' : number ? 'number' : 'mark', at });
  }
  const end: Token = { text: '', kind: 'mark', at: code.length };
  const reader: Reader = {
    position: 0,
    peek: (ahead = 0) => tokens[reader.position + ahead] ?? end,
    next: () => tokens[reader.position++] ?? end,
    take(text) {
      if (reader.peek().text !== text) return false;
      reader.position++;
      return true;
    },
    expect(text) {
      const token = reader.peek();
      if (text === '>' && token.text === '>>') {
        tokens.splice(reader.position, 1, { ...token, text: '>' }, { ...token, text: '>', at: token.at + 1 });
      } else if (token.text !== text) {
        const around = code.slice(Math.max(0, token.at - 40), token.at + 40);
        throw new Error(`expected ${text}, found ${JSON.stringify(token.text)} in ${JSON.stringify(around)}`);
      }
      return reader.next();
    },
  };
  return reader;
}
