/** Whether a value may be read by the names of its fields: an object, of which nothing else is known. A list is one, too. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object';

/** The fields of a value of which nothing is known; none where it is no object. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** The parameters of a request as it is stored; none where it has none. */
export const paramsOf = (input: unknown): Record<string, unknown> => recordOf(recordOf(input)['params']);

/** The body of a request as it is stored; undefined where it has none. */
export const bodyOf = (input: unknown): unknown => recordOf(input)['body'];
