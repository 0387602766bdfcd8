import * as z from 'zod';
import { routeOf, type RouteName } from './routes/index.ts';

type Input = { params?: unknown; query?: unknown; body?: unknown };

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault
    ? unwrapped(schema.unwrap())
    : schema;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The part of a value that a schema names, however deep; what the schema leaves open is taken as it is. */
const named = (schema: z.core.$ZodType, value: unknown): unknown => {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value)) return value.map((one: unknown) => named(type.element, one));
  if (!(type instanceof z.ZodObject) || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(type.shape).flatMap(([name, part]: [string, z.core.$ZodType]) =>
      value[name] === undefined ? [] : [[name, named(part, value[name])]],
    ),
  );
};

/**
 * A parsed request without what the contract does not name for its route: a parameter or field of somebody's own
 * invention does not make it another request.
 */
export const declaredPart = (route: RouteName, { params, query, body }: Input) => {
  const shapes = routeOf(route);
  return {
    params,
    query: shapes.query ? named(shapes.query, query ?? {}) : {},
    body: shapes.body ? named(shapes.body, body) : undefined,
  };
};
