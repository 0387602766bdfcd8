/** A former title of one word is not searched for, because the word often stands in a description by itself. */
const isDistinctTitle = (title: string): boolean => /\S\s+\S/u.test(title.trim());

const entities: Readonly<Record<string, string>> = {
  '&': '&(?:amp;)?',
  '<': '&lt;',
  '>': '(?:&gt;|>)',
  '"': '(?:&quot;|")',
  "'": "(?:&#39;|&apos;|')",
  ' ': '(?:\\s|&nbsp;)+',
};

/** Returns a pattern that finds the text in HTML, where a character can be an entity. */
const buildHtmlPattern = (text: string): string =>
  [...text.trim().replace(/\s+/gu, ' ')]
    .map((char) => entities[char] ?? char.replace(/[$()*+./?[\\\]^{|}]/u, '\\$&'))
    .join('');

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'));

/** Replaces former titles in a description, an HTML text, by the title. Tags stay as they are. */
export const replaceOldTitles = (description: string, former: readonly string[], title: string): string => {
  const old = former.filter((one) => one.trim() !== title.trim() && isDistinctTitle(one));
  if (old.length === 0) return description;
  // The longest title is replaced first, because a title can contain another one.
  const titles = [title, ...old].toSorted((one, other) => other.length - one.length).map(buildHtmlPattern);
  const found = new RegExp(`<[^>]*>|(?<![\\p{L}\\p{N}])(?:${titles.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  const isTitle = new RegExp(`^${buildHtmlPattern(title)}$`, 'u');
  return description.replace(found, (match) =>
    match.startsWith('<') || isTitle.test(match) ? match : escapeHtml(title.trim()),
  );
};
