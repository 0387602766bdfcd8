import { visible } from '../plainText.ts';
import { entryOf } from '../../../contract/foreign.ts';

const allowed = new Set(['p', 'br', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'b', 'i']);
const instead: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h3', h5: 'h4', h6: 'h4' };
const blocks = new Set(['p', 'h3', 'h4', 'ul', 'ol']);
const paragraphs = new Set(['p', 'h3', 'h4']);

const notShown =
  /<(script|style|iframe|object|template|svg|math|noscript|textarea|title|head|select|xmp)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const comment = /<!--[\s\S]*?(?:-->|$)/g;
const tag = /<(\/?)([a-z][a-z0-9]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;
const webAddress = /(?:https?:\/\/|www\.)[^\s<>]+/gi;

const textOf = (text: string): string =>
  visible(text)
    .replace(webAddress, '')
    .replace(/&(?!(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');

// Elements are closed in the order in which they were opened, whatever the text does.
const createTree = () => {
  const open: string[] = [];
  const closeTo = (depth: number): string =>
    open
      .splice(depth)
      .reverse()
      .map((name) => `</${name}>`)
      .join('');
  const begin = (name: string): string => {
    if (name === 'br') return '<br>';
    const inParagraph = blocks.has(name) ? open.findIndex((each) => paragraphs.has(each)) : -1;
    const before = inParagraph >= 0 ? closeTo(inParagraph) : '';
    open.push(name);
    return `${before}<${name}>`;
  };
  const end = (name: string): string => {
    const depth = open.lastIndexOf(name);
    return depth < 0 ? '' : closeTo(depth);
  };
  return { begin, end, finish: () => closeTo(0) };
};

const asHtml = (text: string): string =>
  /<[a-z]/i.test(text)
    ? text
    : text
        .split(/\n\s*\n/)
        .map((part) => `<p>${part}</p>`)
        .join('');

/**
 * HTML of which nobody knows who had a hand in it, as a description may hold it: a few elements without any attribute,
 * all closed, no links; everything else is text or is left out.
 */
export const safeHtml = (html: string): string => {
  const shown = asHtml(html).replace(comment, '').replace(notShown, '');
  const tree = createTree();
  let safe = '';
  let at = 0;
  for (const found of shown.matchAll(tag)) {
    const [whole, closing, given = ''] = found;
    safe += textOf(shown.slice(at, found.index));
    at = found.index + whole.length;
    const lower = given.toLowerCase();
    const name = entryOf(instead, lower) ?? lower;
    if (allowed.has(name)) safe += closing ? tree.end(name) : tree.begin(name);
  }
  return (safe + textOf(shown.slice(at)) + tree.finish()).trim();
};
