import { tidy } from './plainText.ts';

const name = "(\\p{Lu}[\\p{L}.'’-]*(?:\\s(?:van|von|de|der|la|le|da|di|\\p{Lu}[\\p{L}.'’-]*)){1,4})";
const authorLabel = /(?<!\p{L})(?:author|autor|auteur|autore|författare|artist|artista)\s*[:=]\s*([^,.;\n<>]{3,50})/iu;
const titleLabel = /(?<!\p{L})(?:title|titel|titre|titolo|título|tytuł)\s*[:=]\s*([^;\n<>]{2,80}?)(?=[.,;\n]|$)/iu;
const quoted = /[“„«"]([^”“»"<>\n]{2,80})[”“»"]/u;
const byLine = new RegExp(`(?<!\\p{L})(?:by|von|par|di|av|door)\\s${name}`, 'u');
const titleBy = new RegExp(`^([\\p{Lu}\\p{N}][^,.;<>\\n]{1,70}?)\\s(?:by|von|par|di|av|door)\\s${name}`, 'u');

const first = (text: string, ...patterns: readonly RegExp[]): string | undefined => {
  const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
  return found ? tidy(found) : undefined;
};

/** Title and author of a book, record or game, as somebody would say them: “The Hobbit” by J.R.R. Tolkien. */
export const workSaid = (words: string): { title?: string; author?: string } => {
  const title = first(words, titleLabel, quoted, titleBy);
  const author = first(words, authorLabel, byLine);
  return { ...(title && { title }), ...(author && { author }) };
};
