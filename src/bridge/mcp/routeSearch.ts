import * as z from 'zod';
import { getRouteByName, isRouteName, routeNames, type RouteName } from '../../contract/index.ts';
import type { Group } from '../../contract/route.ts';
import { isRecord } from '../../core/base/json.ts';

type JsonSchema = Record<string, unknown>;

const listSchemas = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Returns a type in few words, such as `string`, `a | b` or `{ enabled?: boolean }`. */
const describeType = (schema: JsonSchema): string => {
  const { anyOf, enum: values, type, items, properties } = schema;
  if (Array.isArray(values)) return values.map(String).join(' | ');
  if (Array.isArray(anyOf)) return [...new Set(listSchemas(anyOf).map(describeType))].join(' | ');
  if (isRecord(items)) return `list of ${describeType(items)}`;
  if (isRecord(properties) && Object.keys(properties).length > 0)
    return `{ ${listFields(schema)
      .map(({ name, isOptional, type: of }) => `${name}${isOptional ? '?' : ''}: ${of}`)
      .join(', ')} }`;
  return Array.isArray(type) ? type.map(String).join(' | ') : typeof type === 'string' ? type : 'any';
};

type Field = { name: string; type: string; isOptional: boolean };

const listFields = ({ properties, required }: JsonSchema): Field[] => {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => ({
    name,
    type: describeType(isRecord(field) ? field : {}),
    isOptional: !needed.includes(name),
  }));
};

/** Returns the fields of an input by name, each with its type. */
export const describeFields = (schema: z.ZodType | undefined): Record<string, string> =>
  schema === undefined
    ? {}
    : Object.fromEntries(
        listFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).map(
          ({ name, type, isOptional }) => [name, isOptional ? `${type}, optional` : type],
        ),
      );

/** Words that people use for a group, beside those of its routes. */
const groupWords: Partial<Record<Group, string>> = {
  Insights: 'earn income revenue money made sold sales profit turnover statistics figures month week year today',
  'Billing and credits': 'pay paid cost price subscription upgrade invoice bill trial month year',
  'Account and notifications': 'invite friend news avatar language',
  'Other channels': 'crosspost shops',
  'Agent connection and discovery': 'log out logout disconnect',
  'Marketplace account, publishing and catalogue': 'shipping returns payment policy category live',
};
const fillerWords = new Set(
  'a about all an and are at by can change did do does for from get have how i in is it list many me much my of on or read see set show the this to was what when which with'.split(
    ' ',
  ),
);
const listWords = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

const minStem = 4;
/** The words share their beginning, such as `earn` and `earnings` or `policy` and `policies`. */
const areAlike = (one: string, other: string): boolean => {
  const stem = Math.max(minStem, Math.min(one.length, other.length) - 1);
  return one === other || (one.length >= stem && one.slice(0, stem) === other.slice(0, stem));
};

const includesWord = (text: string, word: string): boolean => listWords(text).some((own) => areAlike(own, word));

/** A word of the route itself says more than a word that people use for its group. */
const scoreRoute = (name: RouteName, words: readonly string[]): number => {
  const { path, summary, group } = getRouteByName(name);
  const scoreWord = (word: string): number => {
    if (includesWord(`${name} ${path} ${summary}`, word)) return 2;
    return includesWord(groupWords[group] ?? '', word) ? 1 : 0;
  };
  return words.reduce((sum, word) => sum + scoreWord(word), 0);
};

const maxFound = 10;

/** Returns the routes that share most words with the query, or the route of exactly this name. */
export const findRoutes = (query: string): { found: RouteName[]; others: number } => {
  const exact = query.trim();
  if (isRouteName(exact)) return { found: [exact], others: 0 };
  const all = listWords(query);
  const telling = all.filter((word) => !fillerWords.has(word));
  const words = telling.length === 0 ? all : telling;
  const scored = routeNames.map((name) => ({ name, score: scoreRoute(name, words) }));
  const best = Math.max(1, ...scored.map(({ score }) => score));
  const found = scored.filter(({ score }) => score === best).map(({ name }) => name);
  return { found: found.slice(0, maxFound), others: Math.max(0, found.length - maxFound) };
};
