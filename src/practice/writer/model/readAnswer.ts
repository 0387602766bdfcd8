import * as z from 'zod';
import { isPlainRecord } from '../../../contract/untrusted.ts';
import { convertHtmlToText } from '../../../text/htmlText.ts';
import { parseJsonOrUndefined } from '../../../text/json.ts';
import { conditionLists, conditions, type Condition } from '../../market/category.ts';
import { categories, findCategoryById, type Category } from '../../market/taxonomy.ts';
import { formatParagraph } from '../description.ts';
import type { WritingTask } from '../facts/facts.ts';
import { normaliseSpaces, removeMarkup } from '../plainText.ts';
import { computeOfferRange } from './question.ts';

const webAddress = /(?:https?:\/\/|www\.)[^\s<>]+/gi;

/** Formats each line of a description as a paragraph. Its markup is removed, because it is untrusted. */
export const formatModelDescription = (description: string): string =>
  convertHtmlToText(description)
    .split('\n')
    .map((line) => normaliseSpaces(line.replace(webAddress, '')))
    .filter(Boolean)
    .map(formatParagraph)
    .join('\n');

// A model without a response format might write specifics as an object, and a text as a number.
const scalarText = z.preprocess(
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  z.string(),
);
const toNamedValues = (value: unknown): unknown =>
  isPlainRecord(value) ? Object.entries(value).map(([name, each]) => ({ name, value: each })) : value;

const answerFields = z.object({
  title: z.string(),
  description: z.string().refine(({ length }) => length <= 12_000, 'At most 12000 characters.'),
  categoryId: scalarText.meta({ enum: categories.map(({ id }) => id) }),
  condition: z.string().meta({ enum: conditions }),
  conditionDescription: z.preprocess((value) => value ?? '', z.string()),
  itemSpecifics: z.preprocess(toNamedValues, z.array(z.object({ name: z.string(), value: scalarText }))),
  suggestedPriceMinor: z.number().meta({ type: 'integer' }),
  unknown: z.preprocess((value) => value ?? [], z.array(z.object({ field: z.string(), message: z.string() }))),
});

/** The JSON schema that the model has to follow. It is stricter than the parser, which corrects small deviations. */
export const answerShape: Record<string, unknown> = z.toJSONSchema(answerFields);

type Answer = z.infer<typeof answerFields>;

export type ModelListing = Omit<Answer, 'categoryId' | 'condition' | 'suggestedPriceMinor'> & {
  category: Category;
  condition: Condition;
  priceMinor: number;
};

/** `problems` are sentences for the model. */
export type ModelAnswer = { ok: true; listing: ModelListing } | { ok: false; problems: string[] };

/** Models often write thoughts, a code fence or sentences around the JSON. */
const findJson = (text: string): unknown => {
  const spoken = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(spoken)?.[1];
  const braced = spoken.slice(spoken.indexOf('{'), spoken.lastIndexOf('}') + 1);
  return [spoken, fenced, braced]
    .map((part) => part && parseJsonOrUndefined(part))
    .find((it) => typeof it === 'object');
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
  const { itemSpecifics, unknown, suggestedPriceMinor: priceMinor } = answer;
  const { titleLength } = task.site;
  const category = findCategoryById(answer.categoryId.trim());
  const accepted = category ? conditionLists[category.conditions] : [];
  const condition = accepted.find((each) => each === answer.condition.trim());
  const [title, description] = [removeMarkup(answer.title), formatModelDescription(answer.description)];
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
  const conditionDescription = removeMarkup(answer.conditionDescription);
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
