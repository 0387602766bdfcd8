import * as z from 'zod';
import type { TestPractice } from '../practice.ts';

const mails = z.array(z.object({ code: z.string() }));

/** Returns the code of the newest sign-in e-mail. */
export const readNewestCode = async (practice: Pick<TestPractice, 'control'>): Promise<string> =>
  mails.parse(await practice.control('GET', '/outbox'))[0]?.code ?? '';
