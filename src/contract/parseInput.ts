import * as z from 'zod';
import { routeOf, type RouteName, type ParsedInput } from './routes/index.ts';

type Input = { params?: unknown; query?: unknown; body?: unknown };

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault
    ? unwrapped(schema.unwrap())
    : schema;

/** Whether a value is an object with named fields, which a list is not. */
export const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The part of a value that a schema names, however deep; what the schema leaves open is taken as it is. */
const named = (schema: z.core.$ZodType, value: unknown): unknown => {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value)) return value.map((one: unknown) => named(type.element, one));
  if (!(type instanceof z.ZodObject) || !isPlainRecord(value)) return value;
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

/** A request before parsing, as it came over HTTP, IPC or from the database. */
export const rawInput = z.object({
  params: z.record(z.string(), z.string()).optional(),
  query: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional(),
});
export type RawInput = z.infer<typeof rawInput>;

/** The first thing wrong with an input, in words, with the field it is about. */
export type InputProblem = { field: string; message: string };
/** A parsed input, or the first thing wrong with it. */
export type ParseResult<N extends RouteName> =
  { ok: true; input: ParsedInput<N> } | { ok: false; problem: InputProblem };

const parts = ['params', 'query', 'headers', 'body'] as const;

/**
 * Whether a value stands in a path for itself. What a server or a gateway before it may take for a step to another path,
 * encoded or not, would lead to another route than the one that was judged.
 */
export const isPathSegment = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value !== '.' && value !== '..' && !/[/\\%]/.test(value);

/** Parses each part of a request by the route's schemas. Parts that the route does not declare are dropped, unknown fields of the others kept. */
export const parseInput = <N extends RouteName>(name: N, raw: RawInput): ParseResult<N> => {
  const route = routeOf(name);
  const input: Record<string, unknown> = {};
  for (const part of parts) {
    const schema = route[part];
    if (!schema) continue;
    const given = part === 'body' ? raw.body : (raw[part] ?? {});
    const result = schema.safeParse(given);
    if (!result.success) return { ok: false, problem: problemOf(part, result.error) };
    const stray =
      part === 'params' ? Object.entries(result.data ?? {}).find(([, id]) => !isPathSegment(id)) : undefined;
    if (stray)
      return {
        ok: false,
        problem: { field: stray[0], message: 'An id is not empty and has neither slashes nor percent signs.' },
      };
    input[part] = result.data;
  }
  return { ok: true, input: input as ParsedInput<N> };
};

/**
 * The input of a request, typed by its route: parsed by the route's schemas, with their defaults. For requests that the
 * program itself makes, and where a route has been compared so that its name is known again. Parsing a parsed input gives
 * the same. Throws where it does not fit: callers who pass on what others sent use `parseInput`.
 */
export const inputOf = <N extends RouteName>(name: N, raw: RawInput): ParsedInput<N> => {
  const parsed = parseInput(name, raw);
  if (!parsed.ok) throw new Error(`This is no input of ${name}: ${parsed.problem.field}`);
  return parsed.input;
};

const problemOf = (part: string, error: z.ZodError): InputProblem => {
  const issue = error.issues[0];
  const field = issue?.path.map(String).join('.') || part;
  return { field, message: issueSentence(issue) };
};

/** What is wrong, as a sentence. */
export const issueSentence = (issue: { message: string } | undefined): string => {
  const message = issue?.message ?? 'The request is not valid.';
  return message.endsWith('.') ? message : `${message}.`;
};

const braces = /\{(\w+)\}/g;

/** The concrete path of a route: braces filled in and encoded, the query appended. */
export const pathOf = (
  path: string,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string => {
  const filled = path.replace(braces, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  );
  return asked.length === 0 ? filled : `${filled}?${new URLSearchParams(asked).toString()}`;
};
