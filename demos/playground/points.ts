/** Reads pasted points: JSON, or numbers between spaces, commas, semicolons and line ends. */

const MOST_POINTS = 20_000;

/** A flat list of coordinates. Throws an error of one sentence that says what is wrong, and where. */
export function parsePoints(text: string, axes: 2 | 3): number[] {
  const trimmed = text.trim();
  if (trimmed === '') throw new Error('There are no points');
  const values = /^[[{]/.test(trimmed) ? fromJson(trimmed, axes) : fromText(trimmed);
  if (values.length % axes !== 0)
    throw new Error(`${values.length} numbers are not a whole number of points of ${axes} coordinates`);
  if (values.length > axes * MOST_POINTS)
    throw new Error(`There are ${values.length / axes} points, at most ${MOST_POINTS} are read`);
  return values;
}

function fromText(text: string): number[] {
  return text.split('\n').flatMap((line, i) =>
    line
      .split(/[\s,;()]+/)
      .filter(Boolean)
      .map((word) => {
        const value = Number(word);
        if (!Number.isFinite(value)) throw new Error(`Line ${i + 1} has "${word.slice(0, 20)}", which is not a number`);
        return value;
      }),
  );
}

function fromJson(text: string, axes: 2 | 3): number[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`It begins like JSON, but cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  }
  const list = Array.isArray(content) ? content : (content as { points?: unknown }).points;
  if (!Array.isArray(list)) throw new Error('The JSON is neither a list of points nor an object with "points"');
  return list.flatMap((point: unknown, i) => coordinatesOf(point, i, axes));
}

/** The coordinates of `[x, y, z]` or `{ x, y, z }`; a number in a flat list is one coordinate. */
function coordinatesOf(point: unknown, i: number, axes: 2 | 3): number[] {
  if (typeof point === 'number') return [point];
  const { x, y, z } = (point ?? {}) as Record<string, unknown>;
  const values: unknown[] = Array.isArray(point) ? point : [x, y, z].slice(0, axes);
  if (values.length !== axes || !values.every((value) => typeof value === 'number'))
    throw new Error(`Point ${i} is ${JSON.stringify(point)?.slice(0, 40)}, expected ${axes} numbers`);
  return values as number[];
}

/** The points as text, one per line. */
export function pointsText(points: ArrayLike<number>, axes: 2 | 3): string {
  const lines: string[] = [];
  for (let i = 0; i < points.length; i += axes) {
    lines.push(Array.from({ length: axes }, (_, k) => points[i + k]).join(' '));
  }
  return lines.join('\n');
}
