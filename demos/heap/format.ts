/** Formats numbers and words for the page. */

export const count = (value: number): string => value.toLocaleString('en');

/** A length in metres, to a hundredth of a millimetre. */
export const metres = (value: number): string => `${value.toFixed(5)} m`;

/** Milliseconds: tenths below 100, whole ones above. */
export const milliseconds = (value: number): string => (value < 99.95 ? value.toFixed(1) : count(Math.round(value)));

/** `0.587  −0.753  0.297`, in columns of equal width. */
export function vector(values: readonly number[]): string {
  return values
    .map((value) =>
      value
        .toFixed(3)
        .replace('-', '−')
        .replace(/^−(0\.000)$/, '$1')
        .padStart(7, '\u2007'),
    )
    .join('');
}

/** Turns `notConverged` into `not converged`. */
export const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`;
}
