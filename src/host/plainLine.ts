/** What cannot be seen or turns the reading direction; the sign that makes an emoji colourful is honest after one. */
const hidden =
  /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<!\p{Extended_Pictographic})\ufe0f/gu;
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
