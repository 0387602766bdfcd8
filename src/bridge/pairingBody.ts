import * as z from 'zod';
import { assistantName } from '../core/assistants/assistantName.ts';

/** An assistant that asks to be let in, under a name that the person will read. */
export const pairingBody = z.object({ name: assistantName });
