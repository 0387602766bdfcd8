import * as z from 'zod';
import type { Condition } from '../../market/category.ts';
import { categoryOf, conditionsOf, type Category } from '../../market/taxonomy.ts';
import { plain } from '../plainText.ts';
import { safeHtml } from './safeHtml.ts';
import { offersOf, type WritingTask } from './question.ts';

const scalarText = z.union([z.string(), z.number(), z.boolean()]).transform(String);

// Models that are not held to a shape write specifics as a list or as an object, and numbers as numbers.
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

/** What a model wrote about an item, once it fits the marketplace. */
export type ModelListing = Pick<z.infer<typeof answerFields>, 'itemSpecifics'> & {
  title: string;
  /** HTML of a few harmless elements. */
  description: string;
  category: Category;
  condition: Condition;
  conditionDescription: string;
  priceMinor: number;
  unknown: { field: string; message: string }[];
};

/** A usable answer, or what is wrong with it, in sentences that the model is told. */
export type ModelAnswer = { ok: true; listing: ModelListing } | { ok: false; problems: string[] };

const parseOrNothing = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

// Models like to wrap what they are asked for: in thoughts, in a fence, in a sentence before and after.
const jsonIn = (text: string): unknown => {
  const spoken = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(spoken)?.[1];
  const braced = spoken.slice(spoken.indexOf('{'), spoken.lastIndexOf('}') + 1);
  return [spoken, fenced, braced].map((part) => part && parseOrNothing(part)).find((it) => typeof it === 'object');
};

const titleProblem = (title: string, { site }: WritingTask): string | undefined => {
  if (title === '') return 'title: it is empty.';
  return title.length > site.titleLength
    ? `title: it has ${title.length} characters, at most ${site.titleLength} are allowed.`
    : undefined;
};

const conditionOf = (category: Category, condition: string): Condition | undefined =>
  conditionsOf(category, 'en').find((accepted) => accepted.condition === condition)?.condition;

const conditionProblem = (category: Category): string =>
  `condition: category ${category.id} allows only ${conditionsOf(category, 'en')
    .map((each) => each.condition)
    .join(', ')}.`;

// Ten times what anybody asks is mostly a price in the wrong unit.
const priceProblem = (price: number, category: Category, task: WritingTask): string | undefined => {
  const offers = offersOf(task, category);
  const [from, to] = [Math.max(1, Math.ceil(offers.from / 10)), offers.to * 10];
  return Number.isInteger(price) && price >= from && price <= to
    ? undefined
    : `suggestedPriceMinor: a whole number from ${from} to ${to} in minor units of ${task.site.currency} is needed.`;
};

const checkAnswer = (answer: z.infer<typeof answerFields>, task: WritingTask): ModelAnswer => {
  const category = categoryOf(answer.categoryId.trim());
  const condition = category && conditionOf(category, answer.condition.trim());
  const [title, description] = [plain(answer.title), safeHtml(answer.description)];
  const problems = [
    titleProblem(title, task),
    /\p{L}/u.test(description.replace(/<[^>]*>/g, '')) ? undefined : 'description: it says nothing.',
    category ? undefined : 'categoryId: it is none of the ids under "categories".',
    category && !condition ? conditionProblem(category) : undefined,
    category && priceProblem(answer.suggestedPriceMinor, category, task),
  ].filter((problem) => problem !== undefined);
  if (!category || !condition || problems.length > 0) return { ok: false, problems };
  const { itemSpecifics, suggestedPriceMinor: priceMinor, unknown } = answer;
  const conditionDescription = plain(answer.conditionDescription ?? '');
  const listing = { title, description, category, condition, conditionDescription, itemSpecifics, priceMinor };
  return { ok: true, listing: { ...listing, unknown: unknown ?? [] } };
};

/** Reads what a model said, and holds it against the marketplace's own rules. */
export const readAnswer = (text: string, task: WritingTask): ModelAnswer => {
  const json = jsonIn(text);
  if (json === undefined || json === null) return { ok: false, problems: ['It holds no JSON object.'] };
  const answer = answerFields.safeParse(json);
  if (answer.success) return checkAnswer(answer.data, task);
  const problems = answer.error.issues.slice(0, 8).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return { ok: false, problems };
};
