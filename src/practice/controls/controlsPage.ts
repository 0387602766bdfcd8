import { Router, urlencoded, type Response } from 'express';
import * as z from 'zod';
import { disruptionForm, renderDisruptionSection, applyDisruptionButton } from './disruptions.ts';
import { expireLiveListing, saleInput, simulatePurchase } from './marketplace.ts';
import { dayMs, hourMs, minuteMs, formatIsoTime } from '../clock.ts';
import { parseOpenBody } from '../refusal.ts';
import type { World } from '../world/world.ts';
import { selectAllRows, runStatement } from '../database.ts';
import { formatSitePrice, findSiteById } from '../market/sites.ts';
import { listNewestEffects } from '../world/journal.ts';
import { listMailsTo } from '../world/messages.ts';
import { buildEscapedHtml, type Html, sendHtmlPage } from '../pages/html.ts';

const clockSteps = [
  { step: 'minutes', label: '10 minutes', ms: 10 * minuteMs },
  { step: 'hour', label: '1 hour', ms: hourMs },
  { step: 'day', label: '24 hours', ms: dayMs },
  { step: 'month', label: '30 days', ms: 30 * dayMs },
] as const;

const clockForm = z.looseObject({ step: z.enum(clockSteps.map(({ step }) => step)) });
const saleForm = saleInput.pick({ listingId: true });

const subscriptionLabels = { active: 'active', past_due: 'not active', pending: 'not ready' } as const;
const subscriptionForm = z.looseObject({ userId: z.string(), subscription: z.enum(['active', 'past_due', 'pending']) });

const redirectToControls = (response: Response): void => response.redirect(303, '/practice');

/** Handles the forms of the practice controls. `refuseForeignRequest` refuses forms from other pages. */
export const createControlsFormRouter = (world: World): Router => {
  const router = Router();
  router.use(urlencoded({ extended: false, limit: '10kb' }));
  router.post('/clock', (request, response) => {
    const { step } = parseOpenBody(clockForm, request.body);
    world.clock.advance(clockSteps.find((clockStep) => clockStep.step === step)?.ms ?? 0);
    redirectToControls(response);
  });
  router.post('/sales', (request, response) => {
    simulatePurchase(world, {
      ...parseOpenBody(saleForm, request.body),
      quantity: 1,
      buyer: 'practice-buyer',
      channelId: 'market',
    });
    redirectToControls(response);
  });
  router.post('/expiries', (request, response) => {
    expireLiveListing(world, parseOpenBody(saleForm, request.body));
    redirectToControls(response);
  });
  router.post('/disruptions', (request, response) => {
    applyDisruptionButton(world, parseOpenBody(disruptionForm, request.body));
    redirectToControls(response);
  });
  router.post('/subscriptions', (request, response) => {
    const { userId, subscription } = parseOpenBody(subscriptionForm, request.body);
    runStatement(world.db, 'UPDATE people SET subscription = ? WHERE userId = ?', subscription, userId);
    redirectToControls(response);
  });
  return router;
};

const maxShownPeople = 50;
const maxShownMails = 20;
const maxShownEffects = 50;

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

const listNewestPeople = ({ db }: World) =>
  selectAllRows(
    db,
    personRow,
    `SELECT userId, email, plan, billing, subscription, credits, connectedAt, homeSite,
       (SELECT COUNT(*) FROM listings WHERE listings.userId = people.userId) AS listings
     FROM people WHERE deletedAt IS NULL ORDER BY createdAt DESC, rowid DESC LIMIT ?`,
    maxShownPeople,
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

const listLiveListings = ({ db }: World) =>
  selectAllRows(
    db,
    liveRow,
    `SELECT listingId, marketListingId, title, price, quantity, marketplaceId, email FROM listings
     JOIN people USING (userId) WHERE status = 'published' AND marketListingId IS NOT NULL
     ORDER BY publishedAt DESC, seq DESC LIMIT ?`,
    maxShownPeople,
  );

const formatDisplayTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;

const renderTableSection = (title: string, heads: string[], rows: Html[], none: string): Html =>
  buildEscapedHtml`<section>
    <h2>${title}</h2>
    ${
      rows.length === 0
        ? buildEscapedHtml`<p class="note">${none}</p>`
        : buildEscapedHtml`<div class="wide">
            <table class="list">
              <thead>
                <tr>
                  ${heads.map((head) => buildEscapedHtml`<th scope="col">${head}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </div>`
    }
  </section>`;

const renderClockSection = (world: World): Html =>
  buildEscapedHtml`<section>
    <h2>Clock</h2>
    <p class="clock">${formatDisplayTime(formatIsoTime(world.clock.now()))} <span class="note">UTC</span></p>
    <form method="post" action="/practice/page/clock" class="row">
      ${clockSteps.map(({ step, label }) => buildEscapedHtml`<button name="step" value="${step}">+ ${label}</button>`)}
    </form>
  </section>`;

type Subscriber = Pick<z.infer<typeof personRow>, 'userId' | 'billing' | 'subscription'>;

const renderSubscriptionState = ({ userId, billing, subscription }: Subscriber): Html =>
  billing === 'card'
    ? buildEscapedHtml`(${subscriptionLabels[subscription]})
        <form method="post" action="/practice/page/subscriptions" class="row">
          <input type="hidden" name="userId" value="${userId}" />
          ${Object.entries(subscriptionLabels)
            .filter(([name]) => name !== subscription)
            .map(
              ([name, label]) =>
                buildEscapedHtml`<button name="subscription" value="${name}" class="small">${label}</button>`,
            )}
        </form>`
    : buildEscapedHtml``;

const renderPeopleSection = (world: World): Html =>
  renderTableSection(
    'People',
    ['E-mail', 'Plan', 'Credits', 'Marketplace', 'Listings'],
    listNewestPeople(world).map(
      ({ email, plan, credits, connectedAt, homeSite, listings, ...person }) =>
        buildEscapedHtml`<tr>
          <th scope="row">${email}</th>
          <td>${plan} ${renderSubscriptionState(person)}</td>
          <td class="number">${credits}</td>
          <td>${connectedAt === null ? 'not connected' : homeSite}</td>
          <td class="number">${listings}</td>
        </tr>`,
    ),
    'No accounts yet. The first sign-in by code creates one.',
  );

const renderMailSection = (world: World): Html =>
  renderTableSection(
    'Outbox',
    ['To', 'Subject', 'Code', 'At'],
    listMailsTo(world, null)
      .slice(0, maxShownMails)
      .map(
        ({ to, subject, code, at }) =>
          buildEscapedHtml`<tr>
            <th scope="row">${to}</th>
            <td>${subject}</td>
            <td>${code === undefined ? '' : buildEscapedHtml`<strong class="code">${code}</strong>`}</td>
            <td class="time">${formatDisplayTime(at)}</td>
          </tr>`,
      ),
    'No mail was sent yet. Sign-in codes appear here.',
  );

const formatLivePrice = ({ marketplaceId, price }: z.infer<typeof liveRow>): string => {
  const site = findSiteById(marketplaceId);
  return site && price !== null ? formatSitePrice(site, price) : '';
};

const renderLiveSection = (world: World): Html =>
  renderTableSection(
    'Live on the practice marketplace',
    ['Item', 'Price', 'Left', 'Seller', 'What happens'],
    listLiveListings(world).map(
      (row) =>
        buildEscapedHtml`<tr>
          <th scope="row"><a href="/market-pages/${row.marketListingId}">${row.title ?? row.marketListingId}</a></th>
          <td class="number">${formatLivePrice(row)}</td>
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

const renderJournalSection = (world: World): Html =>
  renderTableSection(
    'Journal',
    ['No.', 'Effect', 'Listing', 'At'],
    listNewestEffects(world, maxShownEffects).map(
      ({ seq, kind, at, listingId }) =>
        buildEscapedHtml`<tr>
          <td class="number">${seq}</td>
          <th scope="row">${kind}</th>
          <td><code>${listingId ?? ''}</code></td>
          <td class="time">${formatDisplayTime(formatIsoTime(at))}</td>
        </tr>`,
    ),
    'Nothing happened yet.',
  );

export const sendControlsPage = (world: World, response: Response): void => {
  // With this policy, the browser sends the Origin with the page's forms. `refuseForeignRequest` refuses forms without
  // it.
  response.set('referrer-policy', 'same-origin');
  sendHtmlPage(
    response,
    'Practice service',
    buildEscapedHtml`<h1>Practice service</h1>
      <p class="note">${world.version}. Nothing leaves this machine. <a href="/agent/guide">Guide for assistants</a></p>
      ${renderClockSection(world)} ${renderDisruptionSection(world)} ${renderMailSection(world)} ${renderPeopleSection(world)}
      ${renderLiveSection(world)} ${renderJournalSection(world)}`,
  );
};
