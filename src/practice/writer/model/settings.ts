import * as z from 'zod';

const thisComputer = new Set(['127.0.0.1', 'localhost', '[::1]']);

// Photos and the key travel there, so it is encrypted or does not leave the machine.
const mayBeAsked = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(address);
  const safe = protocol === 'https:' || (protocol === 'http:' && thisComputer.has(hostname));
  return safe && [username, password, search, hash].every((part) => part === '');
};

/** Where a model is asked, and with which key. The messages never repeat what was given. */
export const modelSettings = z.object({
  address: z
    .string()
    .trim()
    .refine(mayBeAsked, {
      error:
        'The address of the model has to begin with https://, or with http:// when it is on this computer, ' +
        'and holds no user name, no question mark and no #.',
    }),
  model: z.string().trim().min(1, 'The name of the model is missing.').max(200, 'The name of the model is too long.'),
  key: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]+$/, 'The key of the model holds signs that no key has.')
    .optional(),
});

/** Settings that were checked. */
export type ModelSettings = z.infer<typeof modelSettings>;
