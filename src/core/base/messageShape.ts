import * as z from 'zod';
import type { Message, MessageValue } from '../../i18n/message.ts';

const value: z.ZodType<MessageValue> = z.union([
  z.string(),
  z.number(),
  z.object({ minor: z.number(), currency: z.string().nullable() }),
  z.lazy(() => messageShape),
]);

/** A message as it is stored. */
export const messageShape: z.ZodType<Message> = z.object({
  key: z.string(),
  values: z.record(z.string(), value).optional(),
});
