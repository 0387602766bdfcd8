import { replaceInvisibleCharacters, removeMarkup } from '../plainText.ts';
import { findOwnEntry } from '../../../contract/untrusted.ts';
import * as z from 'zod';
import type { Condition } from '../../market/category.ts';
import { findCategoryById, listAcceptedConditions, type Category } from '../../market/taxonomy.ts';
import { computeOfferRange, type WritingTask } from './question.ts';

const allowedTags = new Set(['p', 'br', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'b', 'i']);
const replacementTags: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h3', h5: 'h4', h6: 'h4' };
const blocks = new Set(['p', 'h3', 'h4', 'ul', 'ol']);
const paragraphs = new Set(['p', 'h3', 'h4']);

const notShown =
  /<(script|style|iframe|object|template|svg|math|noscript|textarea|title|head|select|xmp)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const comment = /<!--[\s\S]*?(?:-->|$)/g;
const tag = /<(\/?)([a-z][a-z0-9]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/gi;
const webAddress = /(?:https?:\/\/|www\.)[^\s<>]+/gi;

const escapeText = (text: string): string =>
  replaceInvisibleCharacters(text)
    .replace(webAddress, '')
    .replace(/&(?!(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');

/** Closes open elements in the right order and ignores stray closing tags. */
const createBalancedTagWriter = () => {
  const open: string[] = [];
  const closeTo = (depth: number): string =>
    open
      .splice(depth)
      .reverse()
      .map((name) => `</${name}>`)
      .join('');
  const openElement = (name: string): string => {
    if (name === 'br') return '<br>';
    const inParagraph = blocks.has(name) ? open.findIndex((each) => paragraphs.has(each)) : -1;
    const before = inParagraph >= 0 ? closeTo(inParagraph) : '';
    open.push(name);
    return `${before}<${name}>`;
  };
  const closeElement = (name: string): string => {
    const depth = open.lastIndexOf(name);
    return depth < 0 ? '' : closeTo(depth);
  };
  return { begin: openElement, end: closeElement, finish: () => closeTo(0) };
};

const wrapParagraphs = (text: string): string =>
  /<[a-z]/i.test(text)
    ? text
    : text
        .split(/\n\s*\n/)
        .map((part) => `<p>${part}</p>`)
        .join('');

/** Reduces untrusted HTML to a few allowed elements. Closes every open element, and removes attributes and links. */
export const sanitizeHtml = (html: string): string => {
  const shown = wrapParagraphs(html).replace(comment, '').replace(notShown, '');
  const tree = createBalancedTagWriter();
  let safe = '';
  let at = 0;
  for (const found of shown.matchAll(tag)) {
    const [whole, closing, written = ''] = found;
    safe += escapeText(shown.slice(at, found.index));
    at = found.index + whole.length;
    const lower = written.toLowerCase();
    const name = findOwnEntry(replacementTags, lower) ?? lower;
    if (allowedTags.has(name)) safe += closing ? tree.end(name) : tree.begin(name);
  }
  return (safe + escapeText(shown.slice(at)) + tree.finish()).trim();
};

const scalarText = z.union([z.string(), z.number(), z.boolean()]).transform(String);

// A model without a response format might write specifics as a list or an object, and a text as a number.
const specifics = z.union([
  z.array(z.object({ name: z.string(), value: scalarText })),
  z
    .record(z.string(), scalarText)
    .transform((record) => Object.entries(record).map(([name, value]) => ({ name, value }))),
]);

const answerFields = z.object({
  title: z.string(),
  description: z.string().max(12_000, 'At most 12000 characters.'),
  categoryId: scalarText,
  condition: z.string(),
  conditionDescription: z.string().nullish(),
  itemSpecifics: specifics,
  suggestedPriceMinor: z.number(),
  unknown: z.array(z.object({ field: z.string(), message: z.string() })).nullish(),
});

export type ModelListing = Pick<z.infer<typeof answerFields>, 'itemSpecifics'> & {
  title: string;
  description: string;
  category: Category;
  condition: Condition;
  conditionDescription: string;
  priceMinor: number;
  unknown: { field: string; message: string }[];
};

/** `problems` are sentences for the model. */
export type ModelAnswer = { ok: true; listing: ModelListing } | { ok: false; problems: string[] };

const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Models often write thoughts, a code fence or sentences around the JSON. */
const findJson = (text: string): unknown => {
  const spoken = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(spoken)?.[1];
  const braced = spoken.slice(spoken.indexOf('{'), spoken.lastIndexOf('}') + 1);
  return [spoken, fenced, braced].map((part) => part && tryParseJson(part)).find((it) => typeof it === 'object');
};

const findTitleProblem = (title: string, { site }: WritingTask): string | undefined => {
  if (title === '') return 'title: it is empty.';
  return title.length > site.titleLength
    ? `title: it has ${title.length} characters, at most ${site.titleLength} are allowed.`
    : undefined;
};

const listConditions = (category: Category): Condition[] =>
  listAcceptedConditions(category, 'en').map(({ condition }) => condition);

/** A price that is ten times too high or too low is usually in the wrong unit. */
const findPriceProblem = (price: number, category: Category, task: WritingTask): string | undefined => {
  const offers = computeOfferRange(task, category);
  const [from, to] = [Math.max(1, Math.ceil(offers.from / 10)), offers.to * 10];
  return Number.isInteger(price) && price >= from && price <= to
    ? undefined
    : `suggestedPriceMinor: a whole number from ${from} to ${to} in minor units of ${task.site.currency} is needed.`;
};

const validateModelAnswer = (answer: z.infer<typeof answerFields>, task: WritingTask): ModelAnswer => {
  const category = findCategoryById(answer.categoryId.trim());
  const condition = category && listConditions(category).find((each) => each === answer.condition.trim());
  const [title, description] = [removeMarkup(answer.title), sanitizeHtml(answer.description)];
  const problems = [
    findTitleProblem(title, task),
    /\p{L}/u.test(description.replace(/<[^>]*>/g, '')) ? undefined : 'description: it says nothing.',
    category ? undefined : 'categoryId: it is none of the ids under "categories".',
    category && !condition
      ? `condition: category ${category.id} allows only ${listConditions(category).join(', ')}.`
      : undefined,
    category && findPriceProblem(answer.suggestedPriceMinor, category, task),
  ].filter((problem) => problem !== undefined);
  if (!category || !condition || problems.length > 0) return { ok: false, problems };
  const { itemSpecifics, suggestedPriceMinor: priceMinor, unknown } = answer;
  const conditionDescription = removeMarkup(answer.conditionDescription ?? '');
  const listing = { title, description, category, condition, conditionDescription, itemSpecifics, priceMinor };
  return { ok: true, listing: { ...listing, unknown: unknown ?? [] } };
};

/** Parses a model's answer and checks it against the marketplace's rules. */
export const parseModelAnswer = (text: string, task: WritingTask): ModelAnswer => {
  const json = findJson(text);
  if (json === undefined || json === null) return { ok: false, problems: ['It holds no JSON object.'] };
  const answer = answerFields.safeParse(json);
  if (answer.success) return validateModelAnswer(answer.data, task);
  const problems = answer.error.issues.slice(0, 8).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { ok: false, problems };
};
