type JsonSchema = Record<string, unknown>;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean => isSchema(value) && Object.keys(value).length === 0;

const part = (key: string, value: unknown): [string, unknown][] => {
  if (key === 'type' && Array.isArray(value)) return [['anyOf', value.map((type: unknown) => ({ type }))]];
  if (key === 'items' && isEmpty(value)) return [];
  if (key === 'additionalProperties' && isEmpty(value)) return [[key, true]];
  if (key === 'properties' && isSchema(value)) return [[key, ofEach(value)]];
  if (Array.isArray(value)) return [[key, value.map((one: unknown) => (isSchema(one) ? portable(one) : one))]];
  return [[key, isSchema(value) ? portable(value) : value]];
};

const ofEach = (properties: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, isSchema(one) ? portable(one) : one]));

/**
 * The same JSON Schema in words that every client can map: some hand tools on to models that know one `type` a schema
 * and no empty ones.
 */
export const portable = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => part(key, value)));
