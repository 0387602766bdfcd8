import type { JSONSchema } from 'zod/v4/core';

const saysNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/**
 * Puts a JSON Schema, in place, into words that every client can map: some hand tools on to models that know one `type`
 * a schema and no empty ones.
 */
export const portable = (schema: JSONSchema.BaseSchema): void => {
  if (Array.isArray(schema.type)) {
    schema.anyOf = (schema.type as JSONSchema.BaseSchema['type'][]).map((type) => ({ type }) as JSONSchema.BaseSchema);
    delete schema.type;
  }
  if (saysNothing(schema.items)) delete schema.items;
  if (saysNothing(schema.additionalProperties)) schema.additionalProperties = true;
};
