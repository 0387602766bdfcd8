/**
 * What was typed as a query of the full-text search: every word must be there, the last one may go on. Quoted, so that
 * nothing of it is an operator. Null when there is no word in it.
 */
export const matchOf = (typed: string): string | null => {
  const words = typed.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return null;
  return words.map((word, at) => (at === words.length - 1 ? `"${word}"*` : `"${word}"`)).join(' ');
};
