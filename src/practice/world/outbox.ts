import * as z from 'zod';
import { isoOf } from '../clock.ts';
import { all, run } from '../database.ts';
import { note } from './journal.ts';
import type { World } from './world.ts';

type Mail = { to: string; subject: string; text: string; code?: string };

/** Sends a mail, which here means putting it where the controls read it. */
export const sendMail = (world: World, userId: string | null, mail: Mail): void => {
  run(
    world.db,
    'INSERT INTO mails (sentTo, subject, text, code, at) VALUES (?, ?, ?, ?, ?)',
    mail.to,
    mail.subject,
    mail.text,
    mail.code ?? null,
    world.clock.now(),
  );
  note(world, 'mail', { userId, to: mail.to, subject: mail.subject });
};

const row = z.object({
  sentTo: z.string(),
  subject: z.string(),
  text: z.string(),
  code: z.string().nullable(),
  at: z.int(),
});

/** The mails to an address, or to all, newest first. */
export const mailsTo = ({ db }: World, email: string | null): (Mail & { at: string })[] =>
  all(db, row, 'SELECT * FROM mails WHERE ?1 IS NULL OR sentTo = ?1 ORDER BY seq DESC LIMIT 500', email).map(
    ({ sentTo, subject, text, code, at }) => ({
      to: sentTo,
      subject,
      text,
      ...(code === null ? {} : { code }),
      at: isoOf(at),
    }),
  );
