import * as z from 'zod';
/** Who asks: the person in a window, or a paired assistant under the name it gave itself. */
export type Asker = { kind: 'person' } | { kind: 'assistant'; assistantId: string; name: string };

/** An asker as approvals and items store it. */
export const askerShape: z.ZodType<Asker> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() }),
]);

/** Names an asker in stored rows. */
export const askerIdOf = (by: Asker): string => (by.kind === 'person' ? 'person' : by.assistantId);
