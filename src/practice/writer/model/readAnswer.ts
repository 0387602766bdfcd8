import { replaceInvisibleCharacters, removeMarkup } from '../plainText.ts';
import { findOwnEntry } from '../../../contract/untrusted.ts';
import * as z from 'zod';
import { conditionLists, type Condition } from '../../market/category.ts';
import { findCategoryById, type Category } from '../../market/taxonomy.ts';
import type { WritingTask } from '../facts/facts.ts';
import { computeOfferRange } from './question.ts';

const allowedTags = new Set(['p', 'br', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'b', 'i']);
const replacementTags: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h3', h5: 'h4', h6: 'h4' };
const blocks = new Set(['p', 'h3', 'h4', 'ul', 'ol']);
const paragraphs = new Set(['p', 'h3', 'h4']);

const comment = /<!--[\s\S]*?(?:-->|$)/g;
const notShown =
  /<(script|style|iframe|object|template|svg|math|noscript|textarea|title|head|select|xmp)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const tagOrText = /<(\/?)([a-z][a-z0-9]*)(?:[^<>"']|"[^"]*"|'[^']*')*>|<|[^<]+/gi;
const webAddress = /(?:https?:\/\/|www\.)[^\s<>]+/gi;

const escapeText = (text: string): string =>
  replaceInvisibleCharacters(text)
    .replace(webAddress, '')
    .replace(/&(?!(?:[a-z]{2,8}|#\d{1,6}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');

const wrapParagraphs = (text: string): string =>
  /<[a-z]/i.test(text) ? text : `<p>${text.split(/\n\s*\n/).join('</p><p>')}</p>`;

/** Reduces untrusted HTML to a few allowed elements. Closes every open element, and removes attributes and links. */
export const sanitizeHtml = (html: string): string => {
  const open: string[] = [];
  // Without an open element at this depth, a closing tag is ignored.
  const closeTo = (depth: number): string => {
    const closed = depth < 0 ? [] : open.splice(depth).reverse();
    return closed.map((name) => `</${name}>`).join('');
  };
  const writeTag = (isClosing: boolean, written: string): string => {
    const name = findOwnEntry(replacementTags, written) ?? written;
    if (!allowedTags.has(name)) return '';
    if (isClosing) return closeTo(open.lastIndexOf(name));
    if (name === 'br') return '<br>';
    const before = blocks.has(name) ? closeTo(open.findIndex((each) => paragraphs.has(each))) : '';
    open.push(name);
    return `${before}<${name}>`;
  };
  const safe = wrapParagraphs(html)
    .replace(comment, '')
    .replace(notShown, '')
    .replace(tagOrText, (whole, slash?: string, name?: string) =>
      name === undefined ? escapeText(whole) : writeTag(slash === '/', name.toLowerCase()),
    );
  return (safe + closeTo(0)).trim();
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

type Answer = z.infer<typeof answerFields>;

export type ModelListing = Pick<Answer, 'title' | 'description' | 'itemSpecifics'> & {
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

/** A price that is ten times too high or too low is usually in the wrong unit. */
const findPriceProblem = (price: number, category: Category, task: WritingTask): string | false => {
  const offers = computeOfferRange(task, category);
  const [from, to] = [Math.max(1, Math.ceil(offers.from / 10)), offers.to * 10];
  const isRight = Number.isInteger(price) && price >= from && price <= to;
  const { currency } = task.site;
  return (
    !isRight && `suggestedPriceMinor: a whole number from ${from} to ${to} in minor units of ${currency} is needed.`
  );
};

const validateModelAnswer = (answer: Answer, task: WritingTask): ModelAnswer => {
  const { itemSpecifics, suggestedPriceMinor: priceMinor } = answer;
  const { titleLength } = task.site;
  const category = findCategoryById(answer.categoryId.trim());
  const accepted = category ? conditionLists[category.conditions] : [];
  const condition = accepted.find((each) => each === answer.condition.trim());
  const [title, description] = [removeMarkup(answer.title), sanitizeHtml(answer.description)];
  const isTooLong = title.length > titleLength;
  const problems = [
    title === '' && 'title: it is empty.',
    isTooLong && `title: it has ${title.length} characters, at most ${titleLength} are allowed.`,
    !/\p{L}/u.test(description.replace(/<[^>]*>/g, '')) && 'description: it says nothing.',
    !category && 'categoryId: it is none of the ids under "categories".',
    category && !condition && `condition: category ${category.id} allows only ${accepted.join(', ')}.`,
    category && findPriceProblem(priceMinor, category, task),
  ].filter((problem) => typeof problem === 'string');
  if (!category || !condition || problems.length > 0) return { ok: false, problems };
  const conditionDescription = removeMarkup(answer.conditionDescription ?? '');
  const unknown = answer.unknown ?? [];
  const listing = { title, description, category, condition, conditionDescription, itemSpecifics, priceMinor, unknown };
  return { ok: true, listing };
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
