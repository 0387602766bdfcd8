import * as z from 'zod';
import { isVisible } from '../core/assistants/nameLike.ts';

/** An assistant that asks to be let in, under a name that the person will read. */
export const pairingBody = z.object({
  name: z
    .string('Say your name.')
    .trim()
    .min(1, 'Say your name.')
    .max(60, 'A name has at most 60 characters.')
    .regex(/^[^\p{C}\p{Default_Ignorable_Code_Point}]*$/u, 'A name has no invisible characters.')
    .refine(isVisible, 'A name has something to see.'),
});
