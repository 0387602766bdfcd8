const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]/gu;
const code = (char: string): string => `‹U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;

/**
 * Somebody else's text as one line of a menu or a notification: what cannot be seen, or turns the reading direction, is
 * written out, and a long text loses its middle, as its end may hold the money.
 */
export const plainLine = (text: string, most: number): string => {
  const line = [...text.replace(/\s+/g, ' ').trim().replace(hidden, code)];
  if (line.length <= most) return line.join('');
  const tail = Math.floor(most / 3);
  return `${line.slice(0, most - tail - 1).join('')}…${line.slice(line.length - tail).join('')}`;
};
