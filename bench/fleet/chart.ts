const marks = ' ▁▂▃▄▅▆▇█';
const rows = 6;

/**
 * Draws a column chart as text. Each column shows the busiest minute of its time span, `most` is the top of the scale, and
 * the row of the usual load is labelled.
 */
export const chart = (minutes: readonly number[], usual: number, most: number, columns = 72): string => {
  const width = Math.max(1, Math.ceil(minutes.length / columns));
  const heights = Array.from({ length: Math.ceil(minutes.length / width) }, (_none, nth) =>
    Math.max(...minutes.slice(nth * width, (nth + 1) * width)),
  );
  const line = Math.ceil((usual / most) * rows);
  return Array.from({ length: rows }, (_none, nth) => {
    const row = rows - nth;
    const cells = heights.map((height) => {
      const eighths = Math.round(((height / most) * rows - (row - 1)) * 8);
      return marks[Math.min(8, Math.max(0, eighths))];
    });
    const label = row === rows ? Math.round(most).toLocaleString('en') : row === line ? 'usual' : '';
    return `${label.padStart(10)} │${cells.join('')}`;
  }).join('\n');
};
