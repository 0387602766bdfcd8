/** Lower case without accents, so that "Über" and "uber" are one word. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/ł/g, 'l')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');

/** The words of a text, folded. */
export const tokensOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}][\p{L}\p{N}'.+/⅓-]*/gu) ?? [];

/** A text without characters that show nothing but change how the rest is shown. */
export const visible = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, ' ');

/** A text with single spaces and without control characters. */
export const tidy = (text: string): string => visible(text).replace(/\s+/g, ' ').trim();

/** A text without the codes, markup and addresses that have no place in a title, whoever wrote them. */
export const plain = (text: string): string =>
  tidy(text.replace(/[<>{}[\]\\|`^~*_=]+/g, ' ').replace(/https?:\S+/g, ' '));

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, inside and outside of attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** The text cut at a word's end so that it fits. */
export const clip = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const cut = text.slice(0, length + 1);
  const end = cut.lastIndexOf(' ');
  return (end > length * 0.5 ? cut.slice(0, end) : text.slice(0, length)).replace(/[\s,;:–(-]+$/u, '');
};

/** First letter in upper case, the rest as it is; names like iPhone stay themselves. */
export const capitalised = (text: string): string =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** The sentences and clauses of what somebody said. */
export const clausesOf = (text: string): string[] =>
  text
    .split(/(?:(?<!\b\p{Lu})[.!?;](?=\s|$)|,(?=\s)|\n|\s[–-]\s)+/u)
    .map(tidy)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
