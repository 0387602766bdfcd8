import { Router, urlencoded, type Response } from 'express';
import * as z from 'zod';
import { joinByReferral, referrerOf } from '../world/accounts.ts';
import type { World } from '../world/world.ts';
import { html, sendPage, type Html, framePolicy } from './html.ts';
import { plans } from '../../contract/index.ts';
import { atomically, one } from '../database.ts';
import { changePlan, startPlan } from '../world/billing.ts';
import { connectChannel } from '../world/listings/channels.ts';
import { connectMarket } from '../world/marketAccount.ts';
import { linkKinds, findOpenLink, redeemLink, type Link, type LinkKind } from '../world/links.ts';
import { requirePerson } from '../world/people.ts';
import { conditionNames } from '../market/category.ts';
import { languageOf } from '../market/languages.ts';
import { formatPrice, siteOf } from '../market/sites.ts';
import { listingRow, type ListingRow } from '../world/listings/listings.ts';
import { photosOf, photoByFile, photoTag } from '../world/listings/photos.ts';

const referralForm = z.looseObject({ email: z.email() });

const unknownReferralPage = html`<h1>Not here</h1>
  <p>Nobody invites with this link.</p>`;

/** Creates the routes of the referral page, which makes a free account for an e-mail address. */
const referralPage = (world: World): Router => {
  const router = Router();
  router.get('/:code', (request, response) => {
    const who = referrerOf(world, request.params.code);
    if (!who) return sendPage(response, 'Not here', unknownReferralPage, 404);
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
    if (!who) return sendPage(response, 'Not here', unknownReferralPage, 404);
    const given = referralForm.safeParse(request.body);
    if (!given.success) return sendPage(response, 'Join', html`<p>That does not look like an e-mail address.</p>`, 400);
    joinByReferral(world, who.userId, given.data.email);
    sendPage(response, 'Welcome', html`<p>Welcome. Connect your assistant with the code it has mailed to you.</p>`);
  });
  return router;
};

type PersonPage = {
  title: string;
  body: (world: World, link: Link) => Html;
  act: (world: World, link: Link, form: Record<string, unknown>) => void;
  done: string;
};

const planCode = z.enum(plans.map(({ code }) => code));
const checkoutFacts = z.object({ plan: planCode, trial: z.boolean() });
const channelFacts = z.object({ channelId: z.string() });

const button = (label: string): Html => html`<form method="post"><button>${label}</button></form>`;

/** The pages that only the person opens. An assistant passes on the link and never follows it. */
const pageOfKind: Readonly<Record<LinkKind, PersonPage>> = {
  market: {
    title: 'Connect the marketplace',
    body: (world, { userId }) =>
      html`<p>Listing service wants to sell on the practice marketplace for ${requirePerson(world, userId).email}.</p>
        ${button('Connect this account')}`,
    act: (world, { userId }) => connectMarket(world, userId),
    done: 'The account is connected. You can close this page.',
  },
  channel: {
    title: 'Connect a channel',
    body: () => button('Connect this account'),
    act: (world, { userId, facts }) => connectChannel(world, userId, channelFacts.parse(facts).channelId),
    done: 'The channel is connected. You can close this page.',
  },
  checkout: {
    title: 'Checkout',
    body: (_world, { facts }) => {
      const { plan: code, trial } = checkoutFacts.parse(facts);
      const plan = plans.find((one) => one.code === code) ?? plans[0];
      return html`<p>
          ${plan.name}: ${plan.listingsPerMonth} listings a month for US$${(plan.priceCents / 100).toFixed(2)}.
          ${trial ? 'The first 7 days are a trial.' : ''} No money moves here.
        </p>
        ${button(`Start ${plan.name}`)}`;
    },
    act: (world, { userId, facts }) => {
      const { plan, trial } = checkoutFacts.parse(facts);
      startPlan(world, userId, plan, trial);
    },
    done: 'The plan has started. You can close this page.',
  },
  portal: {
    title: 'Billing portal',
    body: (world, { userId }) => {
      const current = requirePerson(world, userId).plan;
      return html`<p>Your plan is ${current}.</p>
        <form method="post">
          ${plans
            .filter(({ code }) => code !== current)
            .map(({ code, name }) => html`<p><button name="plan" value="${code}">Change to ${name}</button></p>`)}
        </form>`;
    },
    act: (world, { userId }, form) => changePlan(world, userId, planCode.parse(form['plan'])),
    done: 'The plan is changed. You can close this page.',
  },
};

const deadLinkPage = html`<h1>This link does not work any more</h1>
  <p>It was used, or a newer one took its place, or its 10 minutes are over.</p>`;

const kindOf = (text: string): LinkKind | null => linkKinds.find((kind) => kind === text) ?? null;

/** Creates the routes of the person's pages: one page per kind of link, with one form. */
const personPages = (world: World): Router => {
  const router = Router();
  router.get('/:kind/:token', (request, response) => {
    const kind = kindOf(request.params.kind);
    const link = kind && findOpenLink(world, kind, request.params.token);
    if (!kind || !link) return sendPage(response, 'Not here', deadLinkPage, 410);
    const { title, body } = pageOfKind[kind];
    sendPage(
      response,
      title,
      html`<h1>${title}</h1>
        ${body(world, link)}`,
    );
  });
  router.post('/:kind/:token', urlencoded({ extended: false, limit: '10kb' }), (request, response) => {
    const kind = kindOf(request.params.kind);
    const form = z.looseObject({}).catch({}).parse(request.body);
    const done =
      kind &&
      atomically(world.db, () => {
        const link = findOpenLink(world, kind, request.params.token);
        if (!link || !redeemLink(world, request.params.token)) return false;
        pageOfKind[kind].act(world, link, form);
        return true;
      });
    if (!kind || !done) return sendPage(response, 'Not here', deadLinkPage, 410);
    const { title, done: words } = pageOfKind[kind];
    sendPage(
      response,
      title,
      html`<h1>${title}</h1>
        <p>${words}</p>`,
    );
  });
  return router;
};

const liveListing = ({ db }: World, marketListingId: string): ListingRow | null =>
  one(db, listingRow, 'SELECT * FROM listings WHERE marketListingId = ?', marketListingId);

const availability = ({ status, quantity }: ListingRow): Html => {
  if (status === 'published') return html`<p>${quantity} available</p>`;
  return html`<p><strong>${status === 'sold' ? 'Sold.' : 'This listing has ended.'}</strong></p>`;
};

const priceOf = ({ marketplaceId, price }: ListingRow): string => {
  const site = siteOf(marketplaceId);
  return site && price !== null ? formatPrice(site, price) : '';
};

const conditionOf = ({ condition, listingLanguage }: ListingRow): string => {
  const names = Object.entries(conditionNames).find(([name]) => name === condition)?.[1];
  return names?.[languageOf(listingLanguage)] ?? condition ?? '';
};

const bodyOf = (world: World, listing: ListingRow, marketListingId: string): Html =>
  html` <p class="note">
      Practice marketplace, ${siteOf(listing.marketplaceId)?.name ?? listing.marketplaceId}. Nothing here is for sale.
    </p>
    <h1>${listing.title ?? ''}</h1>
    <div class="photos">
      ${photosOf(world, listing.listingId).map(({ file }) => html`<img src="${`/photos/${file}`}" alt="" />`)}
    </div>
    <p class="price">${priceOf(listing)}</p>
    ${availability(listing)}
    <p>${conditionOf(listing)} ${listing.conditionDescription ?? ''}</p>
    <table>
      ${Object.entries(listing.itemSpecifics).map(
        ([name, value]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </table>
    <iframe sandbox title="Description" src="/market-pages/${marketListingId}/description"></iframe>
    <p class="note">Item ${marketListingId} in ${listing.categoryName ?? ''}</p>`;

const noSuchItemPage = html`<h1>Not here</h1>
  <p>There is no item with this number.</p>`;

const livePage = (world: World, marketListingId: string, response: Response): void => {
  const listing = liveListing(world, marketListingId);
  if (!listing) return sendPage(response, 'Not here', noSuchItemPage, 404);
  sendPage(response, listing.title ?? '', bodyOf(world, listing, marketListingId));
};

/** Sends the seller's description alone, in a sandbox that runs no scripts. */
const descriptionPage = (world: World, marketListingId: string, response: Response): void => {
  const listing = liveListing(world, marketListingId);
  response
    .status(listing ? 200 : 404)
    .set('content-security-policy', framePolicy)
    .type('html');
  response.send(`<!doctype html><meta charset="utf-8">${listing?.description ?? ''}`);
};

const terms = html`<h1>Terms</h1>
  <p>This is a practice service on your own machine. It costs nothing, sells nothing and sends nothing anywhere.</p>`;
const privacy = html`<h1>Privacy</h1>
  <p>What you enter stays in one folder on this machine. Delete the folder and it is gone.</p>`;

/** Creates the routes of all browser pages and of the photos. */
export const pages = (world: World): Router => {
  const router = Router();
  router.get('/terms', (_request, response) => sendPage(response, 'Terms', terms));
  router.get('/privacy', (_request, response) => sendPage(response, 'Privacy', privacy));
  router.get('/photos/:file', async (request, response, next) => {
    const photo = photoByFile(world, request.params.file);
    const etag = photo && (await photoTag(world, photo.file).catch(() => null));
    if (!photo || !etag) return next();
    response.type(photo.contentType).set({ 'cache-control': 'private, no-cache', etag });
    response.sendFile(photo.file, { root: world.photosDir });
  });
  router.get('/market-pages/:marketListingId', (request, response) => {
    livePage(world, request.params.marketListingId, response);
  });
  router.get('/market-pages/:marketListingId/description', (request, response) => {
    descriptionPage(world, request.params.marketListingId, response);
  });
  router.use('/person', personPages(world));
  router.use('/r', referralPage(world));
  return router;
};
