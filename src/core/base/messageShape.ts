import * as z from 'zod';
import type { Saying, Value } from '../../words/saying.ts';

const value: z.ZodType<Value> = z.union([
  z.string(),
  z.number(),
  z.object({ minor: z.number(), currency: z.string().nullable() }),
  z.lazy(() => sayingShape),
]);

/** A saying as it is stored. */
export const sayingShape: z.ZodType<Saying> = z.object({
  key: z.string(),
  values: z.record(z.string(), value).optional(),
});
