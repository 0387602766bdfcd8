import * as z from 'zod';
import { errorBody, paramNames, routeNames, routeOf, type RouteName } from '../index.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return made;
};

const fields = (schema: z.ZodObject | undefined, place: 'query' | 'header'): Json[] =>
  Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name,
    in: place,
    required: !(value as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(value as z.ZodType, 'input'),
  }));

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
const error = { $ref: '#/components/schemas/Error' };

const statuses: readonly (readonly [string, string])[] = [
  ['400', 'The request is not right.'],
  ['401', 'No key was sent.'],
  ['403', 'Not yours, not for assistants, or the key no longer works.'],
  ['404', 'There is no such thing.'],
  ['409', 'Not possible in this state.'],
  ['429', 'Too many requests; wait Retry-After seconds.'],
];

const operation = (name: RouteName): Json => {
  const route = routeOf(name);
  const keyed = route.access === 'agent';
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.group],
    security: keyed ? [{ agentKey: [] }] : [],
    'x-access': route.access,
    'x-ask-first': route.askFirst ?? false,
    'x-ask-first-when': route.askFirstWhen ?? [],
    'x-reversible': route.reversible ?? true,
    ...(route.cost ? { 'x-cost': route.cost } : {}),
    ...(route.quota ? { 'x-quota': route.quota } : {}),
    parameters: [
      ...paramNames(route.path).map((param) => ({
        name: param,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...fields(route.query, 'query'),
      ...fields(route.headers, 'header'),
    ],
    ...(route.body
      ? {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            ...json(schemaOf(route.body, 'input')),
          },
        }
      : {}),
    responses: {
      [String(route.status ?? 200)]: { description: 'Done.', ...json(schemaOf(route.answer, 'input')) },
      ...Object.fromEntries(statuses.map(([status, description]) => [status, { description, ...json(error) }])),
    },
  };
};

const paths = (): Json => {
  const made: Record<string, Json> = {};
  for (const name of routeNames) {
    const { path, method } = routeOf(name);
    made[path] = { ...made[path], [method.toLowerCase()]: operation(name) };
  }
  return made;
};

let described: Json | null = null;

/** The routes for assistants as OpenAPI 3.1, made from the table. */
export const openApi = (url: string, version: string): Json => {
  described ??= paths();
  return {
    openapi: '3.1.0',
    info: { title: 'Listing service (practice)', version, description: 'The routes that an assistant may call.' },
    servers: [{ url }],
    tags: [...new Set(routeNames.map((name) => routeOf(name).group))].map((name) => ({ name })),
    paths: described,
    components: {
      securitySchemes: { agentKey: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(errorBody, 'output') },
    },
  };
};
