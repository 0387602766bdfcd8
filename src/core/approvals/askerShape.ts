import * as z from 'zod';
import type { Asker } from './approval.ts';

/** An asker as approvals and items store it. */
export const askerShape: z.ZodType<Asker> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() }),
]);

/** Names an asker in stored rows. */
export const askerIdOf = (by: Asker): string => (by.kind === 'person' ? 'person' : by.assistantId);
