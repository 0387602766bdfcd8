import { Router, urlencoded } from 'express';
import * as z from 'zod';
import { join, referrerOf } from '../world/referrals.ts';
import type { World } from '../world/world.ts';
import { html } from './html.ts';
import { sendPage } from './sendPage.ts';

const form = z.looseObject({ email: z.email() });

const notHere = html`<h1>Not here</h1>
  <p>Nobody invites with this link.</p>`;

/** The page behind a referral link: an address, and a free account for it. */
export const referralPage = (world: World): Router => {
  const router = Router();
  router.get('/:code', (request, response) => {
    const who = referrerOf(world, request.params.code);
    if (!who) return sendPage(response, 'Not here', notHere, 404);
    sendPage(
      response,
      'Join',
      html`<h1>${who.name ?? 'Somebody'} invites you</h1>
        <form method="post">
          <label>Your e-mail <input type="email" name="email" required /></label> <button>Join for free</button>
        </form>`,
    );
  });
  router.post('/:code', urlencoded({ extended: false, limit: '10kb' }), (request, response) => {
    const who = referrerOf(world, request.params.code);
    if (!who) return sendPage(response, 'Not here', notHere, 404);
    const given = form.safeParse(request.body);
    if (!given.success) return sendPage(response, 'Join', html`<p>That does not look like an e-mail address.</p>`, 400);
    join(world, who.userId, given.data.email);
    sendPage(response, 'Welcome', html`<p>Welcome. Connect your assistant with the code it has mailed to you.</p>`);
  });
  return router;
};
