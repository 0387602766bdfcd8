/** Returns a text in lower case without accents. */
export const foldCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/ł/g, 'l')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');

export const splitWords = (text: string): string[] => foldCase(text).match(/[\p{L}\p{N}][\p{L}\p{N}'.+/⅓-]*/gu) ?? [];

/** Replaces invisible characters with spaces, because they change how a text is displayed. */
const replaceInvisibleCharacters = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, ' ');

/** Removes control characters and repeated spaces. */
export const normaliseSpaces = (text: string): string => replaceInvisibleCharacters(text).replace(/\s+/g, ' ').trim();

/** Removes markup and URLs, which are not allowed in a title. */
export const removeMarkup = (text: string): string =>
  normaliseSpaces(text.replace(/[<>{}[\]\\|`^~*_=]+/g, ' ').replace(/https?:\S+/g, ' '));

/** Shortens a text to a maximum length, if possible at the end of a word. */
export const truncateText = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const end = text.slice(0, length + 1).lastIndexOf(' ');
  return text.slice(0, end > length * 0.5 ? end : length).replace(/[\s,;:–(-]+$/u, '');
};

/** Capitalises the first letter, except in names such as iPhone. */
export const capitaliseFirstLetter = (text: string): string =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

export const splitClauses = (text: string): string[] =>
  text
    .split(/(?:(?<!\b\p{Lu})[.!?;](?=\s|$)|,(?=\s)|\n|\s[–-]\s)+/u)
    .map(normaliseSpaces)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
