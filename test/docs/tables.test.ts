/** Tables in the pages are those of the committed reports. */

import { describe, expect, test } from 'vitest';
import { extract, fillPage, listPages } from '../../scripts/docs-tables.ts';

test.each(listPages())('%s has the tables of the reports; otherwise `npm run docs:tables`', (page) => {
  const { text, filled } = fillPage(page);
  expect(text).toBe(filled);
});

const report = `# Report

| a |
| - |
| 1 |

## Of boxes/contacts/5

Text.

### Details

| b |
| - |
| 2 |

| c |
| - |
| 3 |

## Other

<!-- short -->
Two lines
of text.
<!-- end -->

| d |
| - |
| 4 |
`;

describe('a part of a report', () => {
  test.each([
    ['table-1', '| a |\n| - |\n| 1 |'],
    ['table-3', '| c |\n| - |\n| 3 |'],
    ['report', '| a |\n| - |\n| 1 |'],
    ['report:4', '| d |\n| - |\n| 4 |'],
    ['details', '| b |\n| - |\n| 2 |'],
    ['details:2', '| c |\n| - |\n| 3 |'],
    ['of-boxes-contacts-5:2', '| c |\n| - |\n| 3 |'],
    ['other', '| d |\n| - |\n| 4 |'],
    ['short', 'Two lines\nof text.'],
    ['table-5', undefined],
    ['details:3', undefined],
    ['nowhere', undefined],
    ['nowhere:1', undefined],
  ])('%s', (section, text) => expect(extract(report, section)).toBe(text));
});

describe('a page', () => {
  test('is filled where its table is old', () => {
    const { filled, blocks } = fill(
      'Text.\n\n<!-- include: bench/results/report.md#table-1 -->\n\nold\n\n<!-- /include -->\n\nMore.\n',
    );
    expect(filled).toBe(
      'Text.\n\n<!-- include: bench/results/report.md#table-1 -->\n\n| a |\n| - |\n| 1 |\n\n<!-- /include -->\n\nMore.\n',
    );
    expect(blocks).toBe(1);
    expect(fill(filled).filled).toBe(filled);
  });

  test.each([
    ['bench/results/report.md#nowhere', /docs\/page\.md:3: bench\/results\/report\.md has no "nowhere"/],
    ['bench/report.md#table-1', /docs\/page\.md:3: include is "bench\/report\.md#table-1", expected/],
  ])('that includes %s is an error with its line', (reference, message) => {
    expect(() => fill(`a\n\n<!-- include: ${reference} -->\n<!-- /include -->\n`)).toThrow(message);
  });

  test('with an include without end is an error', () => {
    expect(() => fill('<!-- include: bench/results/report.md#table-1 -->\n')).toThrow(/1 lines open an include/);
  });
});

/** A page of this text, filled from the report above. */
function fill(page: string) {
  return fillPage('docs/page.md', (path) => (path === 'docs/page.md' ? page : report));
}
