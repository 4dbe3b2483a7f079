/** Notes to the user on the content of a model that is not used. Each kind appears once, with its first case and their number. */

export interface Notes {
  /** `text` says what was done with `label`, as in "points and lines are left out". */
  add(text: string, label?: string): void;
  lines(): string[];
}

export function createNotes(): Notes {
  const cases = new Map<string, { count: number; first?: string }>();
  return {
    add(text, label) {
      const known = cases.get(text);
      if (known) known.count++;
      else cases.set(text, { count: 1, first: label });
    },
    lines: () =>
      [...cases].map(([text, { count, first }]) => {
        if (first === undefined) return text;
        return count === 1 ? `${text}: ${first}` : `${text}: ${first} and ${count - 1} more`;
      }),
  };
}
