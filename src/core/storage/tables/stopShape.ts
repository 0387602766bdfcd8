import * as z from 'zod';
import { messageShape } from '../../base/messageShape.ts';
import type { Stop } from './itemRecord.ts';

/** Why an item stands still, as it is stored. */
export const stopShape: z.ZodType<Stop> = z.object({
  kind: z.enum(['failed', 'cancelled']),
  code: z.string(),
  sentence: z.string(),
  says: messageShape.optional(),
  next: z.array(z.enum(['retry', 'resume', 'write_again', 'connect', 'remove'])),
});
