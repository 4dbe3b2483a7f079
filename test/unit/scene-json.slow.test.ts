import { describe, expect, test } from 'vitest';
import { parseJson } from '../../cli/scene/json.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';

/** `line:column found` of the error, or `accepted`. */
function place(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    const [, line, column, found] = /^line (\d+), column (\d+): unexpected (.*), expected JSON$/s.exec(
      (error as Error).message,
    )!;
    return `${line}:${column} ${found}`;
  }
  return 'accepted';
}

describe('a syntax error in JSON is found at its line and column', () => {
  test.each([
    ['', '1:1 end of file'],
    ['  \n ', '2:2 end of file'],
    ['{"a": x}', '1:7 "x}"'],
    ['{"a" 1}', '1:6 "1}"'],
    ['{"a": 1,}', '1:9 "}"'],
    ["{'a': 1}", '1:2 "\'a\': 1}"'],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3 "\\"b\\": 2\\n}"'],
    ['[1, 2,]', '1:7 "]"'],
    ['[1 2]', '1:4 "2]"'],
    ['[1, 2', '1:6 end of file'],
    ['[1}', '1:3 "}"'],
    ['{]', '1:2 "]"'],
    ['[}', '1:2 "}"'],
    [']', '1:1 "]"'],
    ['1 2', '1:3 "2"'],
    ['[01]', '1:3 "1]"'],
    ['[1.]', '1:3 ".]"'],
    ['[-]', '1:2 "-]"'],
    ['[Infinity]', '1:2 "Infinity]"'],
    ['"unfinished', '1:1 "\\"unfinished"'],
    ['["bad \\x escape"]', '1:2 "\\"bad \\\\x esca"'],
    ['["a\nb"]', '1:2 "\\"a\\nb\\"]"'],
    ['[1] // comment', '1:5 "// comment"'],
  ])('%j', (text, expected) => expect(place(text)).toBe(expected));
});

describe('a key that an object has twice is named with its place', () => {
  test.each([
    ['{"a": 1, "a": 2}', 'line 1, column 10: the key "a" is given twice in one object, expected once'],
    ['{"a": 1, "\\u0061": 1}', 'line 1, column 10: the key "a" is given twice in one object, expected once'],
    ['[{\n  "b": {"a": 1},\n  "b": 2\n}]', 'line 3, column 3: the key "b" is given twice in one object, expected once'],
    [
      '{"__proto__": 1, "__proto__": 1}',
      'line 1, column 18: the key "__proto__" is given twice in one object, expected once',
    ],
    [
      `{"${'k'.repeat(90)}": 1, "${'k'.repeat(90)}": 1}`,
      `line 1, column 99: the key "${'k'.repeat(57)}..." is given twice in one object, expected once`,
    ],
  ])('%s', (text, message) =>
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', message }) as Error),
  );

  test.each([
    '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]}',
    '{"a": "a", "A": ["a", "a"]}',
    '["a", "a"]',
    '{"": {}, " ": {}}',
  ])('%s has none', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});

describe('a large text with a syntax error ends neither the process nor the stack', () => {
  test.each([
    ['a string of 30 million escapes', `["${'\\n'.repeat(30e6)}"x]`, '1:60000004 "x]"'],
    ['a million open lists', '['.repeat(1e6), '1:1000001 end of file'],
    // These take longest, also to make.
    ...(atNight(false, true)
      ? [
          ['140 million lines', '\n'.repeat(140e6) + 'x', '140000001:1 "x"'],
          [
            'a string of 20 million characters by number that nothing ends',
            `"${'\\u00e4'.repeat(20e6)}`,
            String.raw`1:1 "\"\\u00e4\\u00e"`,
          ],
          ['a number of 100 million digits', `[${'1'.repeat(100e6)}x]`, '1:100000002 "x]"'],
        ]
      : []),
  ])('%s', (_, text, expected) => expect(place(text)).toBe(expected));

  test.each([
    ['[', ']'],
    ['{"a":', '1}'],
  ])('brackets %s nested without end', (open, close) => {
    const column = 1 + open.length * 2 ** 20;
    for (const text of [open.repeat(3e6), open.repeat(3e6) + close.repeat(3e6)]) {
      expect(() => parseJson(text)).toThrow(
        `line 1, column ${column}: brackets nested more than 1048576 deep, expected at most that`,
      );
    }
  });
});

test('a damaged text is rejected where JSON.parse rejects it, at the position it names where it names one', () => {
  const seed = 7;
  const random = createRandom(seed);
  const whole = JSON.stringify({ a: [1, -2.5e3, true, null, 'x\\"\u00e9'], b: { c: {}, d: [] } }, null, 1);
  let rejected = 0;
  let compared = 0;
  for (let round = 0; round < 3000; round++) {
    const at = below(random, whole.length);
    const text = whole.slice(0, at) + '{}[],:"\\1.x '[below(random, 12)] + whole.slice(at + below(random, 3));
    let message = 'accepted';
    try {
      JSON.parse(text);
    } catch (error) {
      message = (error as Error).message;
    }
    const found = place(text);
    expect(found === 'accepted', `seed ${seed}, text ${JSON.stringify(text)}: ${message}, ${found}`).toBe(
      message === 'accepted',
    );
    if (found === 'accepted') continue;
    rejected++;
    // Within a token V8 names the character, the grammar here the token's start.
    const named = /in JSON at position (\d+)/.exec(message);
    if (!named || /string|escape|control|number/.test(message)) continue;
    compared++;
    const [line, column] = found.split(/[: ]/).map(Number);
    const offset =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length +
      (line > 1 ? 1 : 0) +
      column -
      1;
    expect(offset, `seed ${seed}, text ${JSON.stringify(text)}: ${message}`).toBe(Number(named[1]));
  }
  expect(rejected).toBeGreaterThan(1500);
  expect(compared).toBeGreaterThan(100);
});
