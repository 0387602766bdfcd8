import * as z from 'zod';
import { getRouteByName, type RouteName, type ParsedInput } from './routes/index.ts';
import { isPlainRecord } from './untrusted.ts';

type ParsedRequestParts = { params?: unknown; query?: unknown; body?: unknown };

const unwrapOptionalSchema = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault
    ? unwrapOptionalSchema(schema.unwrap())
    : schema;

/** Removes the fields that a schema does not declare, recursively. An open schema keeps all fields. */
const pickDeclaredFields = (schema: z.core.$ZodType, value: unknown): unknown => {
  const type = unwrapOptionalSchema(schema);
  if (type instanceof z.ZodArray && Array.isArray(value))
    return value.map((element: unknown) => pickDeclaredFields(type.element, element));
  if (!(type instanceof z.ZodObject) || !isPlainRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(type.shape).flatMap(([name, part]: [string, z.core.$ZodType]) =>
      value[name] === undefined ? [] : [[name, pickDeclaredFields(part, value[name])]],
    ),
  );
};

/** Returns a parsed request without undeclared fields, so that an extra field does not make two requests different. */
export const pickDeclaredInput = (route: RouteName, { params, query, body }: ParsedRequestParts) => {
  const shapes = getRouteByName(route);
  return {
    params,
    query: shapes.query ? pickDeclaredFields(shapes.query, query ?? {}) : {},
    body: shapes.body ? pickDeclaredFields(shapes.body, body) : undefined,
  };
};

export const rawInput = z.object({
  params: z.record(z.string(), z.string()).optional(),
  query: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional(),
});
export type RawInput = z.infer<typeof rawInput>;

export type InputProblem = { field: string; message: string };
export type ParseResult<N extends RouteName> =
  { ok: true; input: ParsedInput<N> } | { ok: false; problem: InputProblem };

const parts = ['params', 'query', 'headers', 'body'] as const;

/**
 * Returns whether a value is safe as one segment of a path. A server or gateway might resolve a slash, an escape or a
 * dot segment, so the request would reach a route that was not checked.
 */
export const isPathSegment = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value !== '.' && value !== '..' && !/[/\\%]/.test(value);

/**
 * Parses the parts of a request with the route's schemas. Undeclared parts are removed, but unknown fields of a
 * declared part are kept.
 */
export const parseRouteInput = <N extends RouteName>(name: N, raw: RawInput): ParseResult<N> => {
  const route = getRouteByName(name);
  const input: Record<string, unknown> = {};
  for (const part of parts) {
    const schema = route[part];
    if (!schema) continue;
    const rawPart = part === 'body' ? raw.body : (raw[part] ?? {});
    const result = schema.safeParse(rawPart);
    if (!result.success) return { ok: false, problem: toInputProblem(part, result.error) };
    const unsafeParam =
      part === 'params' ? Object.entries(result.data ?? {}).find(([, id]) => !isPathSegment(id)) : undefined;
    if (unsafeParam)
      return {
        ok: false,
        problem: { field: unsafeParam[0], message: 'An id is not empty and has neither slashes nor percent signs.' },
      };
    input[part] = result.data;
  }
  return { ok: true, input: input as ParsedInput<N> };
};

/**
 * Parses the input of a request that the program itself makes. Throws if the input is invalid; use `parseRouteInput`
 * for untrusted input.
 */
export const parseTrustedInput = <N extends RouteName>(name: N, raw: RawInput): ParsedInput<N> => {
  const parsed = parseRouteInput(name, raw);
  if (!parsed.ok) throw new Error(`This is no input of ${name}: ${parsed.problem.field}`);
  return parsed.input;
};

const toInputProblem = (part: string, error: z.ZodError): InputProblem => {
  const issue = error.issues[0];
  const field = issue?.path.map(String).join('.') || part;
  return { field, message: formatIssueSentence(issue) };
};

/** Returns the message of a zod issue as a sentence. */
export const formatIssueSentence = (issue: { message: string } | undefined): string => {
  const message = issue?.message ?? 'The request is not valid.';
  return message.endsWith('.') ? message : `${message}.`;
};

const braces = /\{(\w+)\}/g;

/** Returns the path of a route with encoded parameters and the query. */
export const buildRoutePath = (
  path: string,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string => {
  const filled = path.replace(braces, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
  const queryEntries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  );
  return queryEntries.length === 0 ? filled : `${filled}?${new URLSearchParams(queryEntries).toString()}`;
};
