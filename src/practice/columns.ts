import * as z from 'zod';

/** Columns as SQLite keeps them, read into what the code uses. */
export const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** A column of JSON text that is checked on the way out. */
export const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);

/** The row of a `SELECT COUNT(*) AS n`. */
export const count = z.object({ n: z.int() });

/** What a flag column is written as. */
export const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);
