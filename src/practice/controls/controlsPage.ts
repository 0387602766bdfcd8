import { Router, urlencoded, type Response } from 'express';
import * as z from 'zod';
import { disruptionForm, disruptionSection, pressDisruption } from './disruptions.ts';
import { expireListing, saleInput, sellItem } from './marketplace.ts';
import { dayMs, hourMs, minuteMs, isoOf } from '../clock.ts';
import { parseOpen } from '../refusal.ts';
import type { World } from '../world/world.ts';
import { all, run } from '../database.ts';
import { formatPrice, siteOf } from '../market/sites.ts';
import { newestEffects } from '../world/journal.ts';
import { mailsTo } from '../world/messages.ts';
import { html, type Html, sendPage } from '../pages/html.ts';

const clockSteps = [
  { step: 'minutes', label: '10 minutes', ms: 10 * minuteMs },
  { step: 'hour', label: '1 hour', ms: hourMs },
  { step: 'day', label: '24 hours', ms: dayMs },
  { step: 'month', label: '30 days', ms: 30 * dayMs },
] as const;

const clockForm = z.looseObject({ step: z.enum(clockSteps.map(({ step }) => step)) });
const saleForm = saleInput.pick({ listingId: true });

const subscriptions = { active: 'active', past_due: 'not active', pending: 'not ready' } as const;
const subscriptionForm = z.looseObject({
  userId: z.string(),
  subscription: z.enum(['active', 'past_due', 'pending']),
});

const backToControls = (response: Response): void => response.redirect(303, '/practice');

/** Handles the forms of the page. `refuseForeignRequest` ensures that only the page itself can send them. */
export const controlsActions = (world: World): Router => {
  const router = Router();
  router.use(urlencoded({ extended: false, limit: '10kb' }));
  router.post('/clock', (request, response) => {
    const { step } = parseOpen(clockForm, request.body);
    world.clock.advance(clockSteps.find((one) => one.step === step)?.ms ?? 0);
    backToControls(response);
  });
  router.post('/sales', (request, response) => {
    sellItem(world, {
      ...parseOpen(saleForm, request.body),
      quantity: 1,
      buyer: 'practice-buyer',
      channelId: 'market',
    });
    backToControls(response);
  });
  router.post('/expiries', (request, response) => {
    expireListing(world, parseOpen(saleForm, request.body));
    backToControls(response);
  });
  router.post('/disruptions', (request, response) => {
    pressDisruption(world, parseOpen(disruptionForm, request.body));
    backToControls(response);
  });
  router.post('/subscriptions', (request, response) => {
    const { userId, subscription } = parseOpen(subscriptionForm, request.body);
    run(world.db, 'UPDATE people SET subscription = ? WHERE userId = ?', subscription, userId);
    backToControls(response);
  });
  return router;
};

const shownPeople = 50;
const shownMails = 20;
const shownEffects = 50;

const personRow = z.object({
  userId: z.string(),
  email: z.string(),
  plan: z.string(),
  billing: z.string(),
  subscription: z.enum(['active', 'past_due', 'pending']),
  credits: z.int(),
  connectedAt: z.int().nullable(),
  homeSite: z.string(),
  listings: z.int(),
});

const peopleOf = ({ db }: World) =>
  all(
    db,
    personRow,
    `SELECT userId, email, plan, billing, subscription, credits, connectedAt, homeSite,
       (SELECT COUNT(*) FROM listings WHERE listings.userId = people.userId) AS listings
     FROM people WHERE deletedAt IS NULL ORDER BY createdAt DESC, rowid DESC LIMIT ?`,
    shownPeople,
  );

const liveRow = z.object({
  listingId: z.string(),
  marketListingId: z.string(),
  title: z.string().nullable(),
  price: z.int().nullable(),
  quantity: z.int(),
  marketplaceId: z.string(),
  email: z.string(),
});

const liveOf = ({ db }: World) =>
  all(
    db,
    liveRow,
    `SELECT listingId, marketListingId, title, price, quantity, marketplaceId, email FROM listings
     JOIN people USING (userId) WHERE status = 'published' AND marketListingId IS NOT NULL
     ORDER BY publishedAt DESC, seq DESC LIMIT ?`,
    shownPeople,
  );

const shownTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;

/** Renders a table with a heading, or a sentence if it has no rows. */
const section = (title: string, heads: string[], rows: Html[], none: string): Html =>
  html`<section>
    <h2>${title}</h2>
    ${
      rows.length === 0
        ? html`<p class="note">${none}</p>`
        : html`<div class="wide">
            <table class="list">
              <thead>
                <tr>
                  ${heads.map((head) => html`<th scope="col">${head}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </div>`
    }
  </section>`;

const clockSection = (world: World): Html =>
  html`<section>
    <h2>Clock</h2>
    <p class="clock">${shownTime(isoOf(world.clock.now()))} <span class="note">UTC</span></p>
    <form method="post" action="/practice/page/clock" class="row">
      ${clockSteps.map(({ step, label }) => html`<button name="step" value="${step}">+ ${label}</button>`)}
    </form>
  </section>`;

type Subscriber = Pick<z.infer<typeof personRow>, 'userId' | 'billing' | 'subscription'>;

/** Renders the subscription state with buttons to change it, for plans paid by card. */
const subscriptionOf = ({ userId, billing, subscription }: Subscriber): Html =>
  billing === 'card'
    ? html`(${subscriptions[subscription]})
        <form method="post" action="/practice/page/subscriptions" class="row">
          <input type="hidden" name="userId" value="${userId}" />
          ${Object.entries(subscriptions)
            .filter(([name]) => name !== subscription)
            .map(([name, label]) => html`<button name="subscription" value="${name}" class="small">${label}</button>`)}
        </form>`
    : html``;

const peopleSection = (world: World): Html =>
  section(
    'People',
    ['E-mail', 'Plan', 'Credits', 'Marketplace', 'Listings'],
    peopleOf(world).map(
      ({ email, plan, credits, connectedAt, homeSite, listings, ...person }) =>
        html`<tr>
          <th scope="row">${email}</th>
          <td>${plan} ${subscriptionOf(person)}</td>
          <td class="number">${credits}</td>
          <td>${connectedAt === null ? 'not connected' : homeSite}</td>
          <td class="number">${listings}</td>
        </tr>`,
    ),
    'Nobody yet. An account is made when somebody signs in by a code.',
  );

const mailSection = (world: World): Html =>
  section(
    'Outbox',
    ['To', 'Subject', 'Code', 'At'],
    mailsTo(world, null)
      .slice(0, shownMails)
      .map(
        ({ to, subject, code, at }) =>
          html`<tr>
            <th scope="row">${to}</th>
            <td>${subject}</td>
            <td>${code === undefined ? '' : html`<strong class="code">${code}</strong>`}</td>
            <td class="time">${shownTime(at)}</td>
          </tr>`,
      ),
    'No mail was sent yet. Sign-in codes appear here.',
  );

const priceOf = ({ marketplaceId, price }: z.infer<typeof liveRow>): string => {
  const site = siteOf(marketplaceId);
  return site && price !== null ? formatPrice(site, price) : '';
};

const liveSection = (world: World): Html =>
  section(
    'Live on the practice marketplace',
    ['Item', 'Price', 'Left', 'Seller', 'What happens'],
    liveOf(world).map(
      (row) =>
        html`<tr>
          <th scope="row"><a href="/market-pages/${row.marketListingId}">${row.title ?? row.marketListingId}</a></th>
          <td class="number">${priceOf(row)}</td>
          <td class="number">${row.quantity}</td>
          <td>${row.email}</td>
          <td>
            <form method="post" action="/practice/page/sales">
              <button name="listingId" value="${row.listingId}" class="small">Buys one</button>
            </form>
            <form method="post" action="/practice/page/expiries">
              <button name="listingId" value="${row.listingId}" class="small">Runs out</button>
            </form>
          </td>
        </tr>`,
    ),
    'Nothing is live yet.',
  );

const journalSection = (world: World): Html =>
  section(
    'Journal',
    ['No.', 'Effect', 'Listing', 'At'],
    newestEffects(world, shownEffects).map(
      ({ seq, kind, at, listingId }) =>
        html`<tr>
          <td class="number">${seq}</td>
          <th scope="row">${kind}</th>
          <td><code>${listingId ?? ''}</code></td>
          <td class="time">${shownTime(isoOf(at))}</td>
        </tr>`,
    ),
    'Nothing happened yet.',
  );

/** Sends the page of the practice controls: people, codes, the clock, live listings and the latest effects. */
export const controlsPage = (world: World, response: Response): void => {
  // The page's own forms need an Origin, so that the guard can refuse forms of other pages.
  response.set('referrer-policy', 'same-origin');
  sendPage(
    response,
    'Practice service',
    html`<h1>Practice service</h1>
      <p class="note">${world.version}. Nothing leaves this machine. <a href="/agent/guide">Guide for assistants</a></p>
      ${clockSection(world)} ${disruptionSection(world)} ${mailSection(world)} ${peopleSection(world)}
      ${liveSection(world)} ${journalSection(world)}`,
  );
};
