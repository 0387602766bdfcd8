const hidden = '‹hidden›';

/** Ids of the companion's own things are long too, and are what makes a line useful. */
const ownId = /^([a-z]{2,5}_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Rule = { find: RegExp; show: (found: string) => string };

/** What must not lie in a file that a person may send to somebody: addresses, keys, tokens, codes, and their own folders. */
const rules: readonly Rule[] = [
  { find: /[^\s@<>"'=]+@[^\s@<>"'=]+\.[a-z]{2,}/gi, show: () => hidden },
  { find: /(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, show: (found) => found.replace(/[?#].*$/, `?${hidden}`) },
  { find: /\b(Bearer|Pairing|Basic)\s+\S+/gi, show: (found) => `${found.split(/\s/)[0]} ${hidden}` },
  { find: /[\w.~+/=-]{24,}/g, show: (found) => (isSecretLike(found) ? hidden : found) },
  { find: /(?<![\w.:-])\d{6}(?!\w|[.:-]\w)/g, show: () => hidden },
  { find: /((?:\/(?:home|Users)|[A-Z]:\\Users)[\\/])[^\\/\s"']+/g, show: (found) => found.replace(/[^\\/]+$/, '~') },
];

/** Long runs with letters and digits mixed are keys and tokens, unless they are an id or a path. */
const isSecretLike = (text: string): boolean =>
  !ownId.test(text) && !text.includes('/') && /[a-z]/i.test(text) && /\d/.test(text);

/** A text without what is nobody else's business. */
export const redact = (text: string): string => rules.reduce((left, { find, show }) => left.replace(find, show), text);

const secretName = /key|token|secret|passw|cookie|authorization|e-?mail|phone|address/i;

/** Facts of a log line, redacted by their names and by what they look like. */
export const redactFacts = (
  facts: Readonly<Record<string, string | number | boolean>>,
): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      secretName.test(name) ? hidden : typeof value === 'string' ? redact(value) : value,
    ]),
  );
