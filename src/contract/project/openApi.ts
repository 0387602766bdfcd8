import * as z from 'zod';
import {
  errorBody,
  listParamNames,
  routeNames,
  getRouteByName,
  type Group,
  type Route,
  type RouteName,
} from '../index.ts';

export type JsonObject = Record<string, unknown>;

export type ApiMetadata = { title: string; description: string; url: string; version: string; token: string } & {
  error?: z.ZodType;
};

export type ApiSelection = {
  routes: readonly RouteName[];
  extendRoute?: (name: RouteName) => { responses: JsonObject; parameters: JsonObject[] };
};

/** Converts a zod schema to JSON Schema for OpenAPI 3.1. */
export const toOpenApiSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return jsonSchema;
};

/** Converts a schema of query fields or headers to OpenAPI parameters. */
export const toOpenApiParameters = (schema: z.ZodObject | undefined, place: 'query' | 'header'): JsonObject[] =>
  Object.entries(schema?.shape ?? {}).map(([name, value]: [string, z.ZodType]) => ({
    name,
    in: place,
    required: !value.safeParse(undefined).success,
    schema: toOpenApiSchema(value, 'input'),
  }));

export const wrapJsonContent = (schema: JsonObject): { content: JsonObject } => ({
  content: { 'application/json': { schema } },
});
const errorReference = { $ref: '#/components/schemas/Error' };

const statuses: readonly (readonly [string, string])[] = [
  ['400', 'The request is not right.'],
  ['401', 'No key was sent.'],
  ['403', 'Not yours, not for assistants, or the key no longer works.'],
  ['404', 'There is no such thing.'],
  ['409', 'Not possible in this state.'],
  ['429', 'Too many requests; wait Retry-After seconds.'],
];
export const refusals: JsonObject = Object.fromEntries(
  statuses.map(([status, description]) => [status, { description, ...wrapJsonContent(errorReference) }]),
);

const groupDescriptions: Record<Group, string> = {
  'Account and notifications': "The person's account, preferences and notices.",
  Listings: 'Drafts, photos, writing, and where a listing is live.',
  'Marketplace account, publishing and catalogue': 'Publishing, live listings, policies, templates, and the catalogue.',
  Insights: 'Sales and totals. Never polled.',
  'Billing and credits': "The person's plan, credits and extra listings.",
  'Other channels': 'Sales channels besides the marketplace.',
  'Agent connection and discovery': 'What an assistant reads first.',
};

const formatRouteDescription = (name: RouteName): string => {
  const { summary, askFirst, askFirstWhen, quota, reversible } = getRouteByName(name);
  const asks = askFirst
    ? 'Needs the person’s yes to exactly this.'
    : askFirstWhen
      ? `Needs the person’s yes when the body has ${askFirstWhen.join(' or ')}.`
      : '';
  const daily = quota ? 'Draws on a daily budget: never in a loop.' : '';
  return [summary, asks, reversible === false ? 'Cannot be undone.' : '', daily].filter(Boolean).join(' ');
};

const buildAnswerContent = ({ headers, answer }: Route): JsonObject => {
  const { content } = wrapJsonContent(toOpenApiSchema(answer, 'input'));
  const text = { 'text/markdown': { schema: { type: 'string' } } };
  return { content: headers !== undefined && 'accept' in headers.shape ? { ...text, ...content } : content };
};

const buildRouteOperation = (name: RouteName, { extendRoute }: ApiSelection): JsonObject => {
  const route = getRouteByName(name);
  const additions = extendRoute?.(name) ?? { responses: {}, parameters: [] };
  return {
    operationId: name,
    summary: route.summary,
    description: formatRouteDescription(name),
    tags: [route.group],
    security: route.access === 'agent' ? [{ token: [] }] : [],
    'x-access': route.access,
    'x-ask-first': route.askFirst ?? false,
    'x-ask-first-when': route.askFirstWhen ?? [],
    'x-reversible': route.reversible ?? true,
    ...(route.cost ? { 'x-cost': route.cost } : {}),
    ...(route.quota ? { 'x-quota': route.quota } : {}),
    parameters: [
      ...listParamNames(route.path).map((param) => ({
        name: param,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...toOpenApiParameters(route.query, 'query'),
      ...toOpenApiParameters(route.headers, 'header').filter(({ name: header }) => header !== 'accept'),
      ...additions.parameters,
    ],
    ...(route.body
      ? {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            ...wrapJsonContent(toOpenApiSchema(route.body, 'input')),
          },
        }
      : {}),
    responses: {
      [String(route.status ?? 200)]: { description: 'Done.', ...buildAnswerContent(route) },
      ...refusals,
      ...additions.responses,
    },
  };
};

/** Builds the `paths` of an OpenAPI 3.1 document. */
export const buildOpenApiPaths = (part: ApiSelection): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  for (const name of part.routes) {
    const { path, method } = getRouteByName(name);
    paths[path] = { ...paths[path], [method.toLowerCase()]: buildRouteOperation(name, part) };
  }
  return paths;
};

export const buildOpenApiTags = (names: readonly RouteName[]): JsonObject[] =>
  [...new Set(names.map((name) => getRouteByName(name).group))].map((name) => ({
    name,
    description: groupDescriptions[name],
  }));

/** Builds an OpenAPI 3.1 document from its paths and tags. */
export const buildOpenApiDocument = (about: ApiMetadata, paths: JsonObject, tags: JsonObject[]): JsonObject => ({
  openapi: '3.1.0',
  info: {
    title: about.title,
    version: about.version,
    description: about.description,
    contact: { name: 'Listing Companion' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: about.url }],
  tags,
  paths,
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer', description: about.token } },
    schemas: { Error: toOpenApiSchema(about.error ?? errorBody, 'output') },
  },
});

let servicePaths: JsonObject | null = null;

export const buildServiceOpenApi = (url: string, version: string): JsonObject => {
  servicePaths ??= buildOpenApiPaths({ routes: routeNames });
  const about = {
    title: 'Listing service (practice)',
    description: 'The routes that an assistant may call.',
    token: 'The key of the assistant.',
  };
  return buildOpenApiDocument({ ...about, url, version }, servicePaths, buildOpenApiTags(routeNames));
};
