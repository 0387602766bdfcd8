import type { Response } from 'express';
import * as z from 'zod';
import { isoOf } from '../clock.ts';
import { all } from '../database.ts';
import { journalSince } from '../world/journal.ts';
import { mailsTo } from '../world/outbox.ts';
import type { World } from '../world/world.ts';
import { html } from './html.ts';
import { sendPage } from './sendPage.ts';

const personRow = z.object({ email: z.string(), plan: z.string(), listings: z.int() });

const people = ({ db }: World) =>
  all(
    db,
    personRow,
    `SELECT email, plan, (SELECT COUNT(*) FROM listings WHERE listings.userId = people.userId) AS listings
     FROM people ORDER BY createdAt DESC LIMIT 50`,
  );

/** What there is in the service, for somebody who looks: people, mails, the latest effects. Nothing can be changed here. */
export const controlsPage = (world: World, response: Response): void => {
  const effects = journalSince(world, 0).slice(-50).reverse();
  const mails = mailsTo(world, null).slice(0, 20);
  sendPage(
    response,
    'Practice service',
    html`<h1>Practice service</h1>
      <p>${world.version}, its clock shows ${isoOf(world.clock.now())}. <a href="/agent/guide">Guide</a></p>
      <h2>People</h2>
      <table>
        ${people(world).map(
          ({ email, plan, listings }) =>
            html`<tr>
              <th scope="row">${email}</th>
              <td>${plan}, ${listings} listings</td>
            </tr>`,
        )}
      </table>
      <h2>Mails</h2>
      <table>
        ${mails.map(
          ({ to, subject, at }) =>
            html`<tr>
              <th scope="row">${subject}</th>
              <td>${to}, ${at}</td>
            </tr>`,
        )}
      </table>
      <h2>Latest effects</h2>
      <table>
        ${effects.map(
          ({ seq, kind, at, listingId }) =>
            html`<tr>
              <th scope="row">${String(seq)} ${String(kind)}</th>
              <td>${String(at)} ${typeof listingId === 'string' ? listingId : ''}</td>
            </tr>`,
        )}
      </table>`,
  );
};
