import { Router, urlencoded, type Response } from 'express';
import * as z from 'zod';
import { createReferredAccount, findReferrerByCode } from '../world/accounts.ts';
import type { World } from '../world/world.ts';
import { buildEscapedHtml, sendHtmlPage, type Html, framePolicy } from './html.ts';
import { plans } from '../../contract/index.ts';
import { runInTransaction, selectFirstRow } from '../database.ts';
import { changePortalPlan, startPaidPlan } from '../world/billing.ts';
import { connectOtherChannel } from '../world/listings/channels.ts';
import { connectMarketAccount } from '../world/marketAccount.ts';
import { linkKinds, findOpenLink, markLinkUsed, type Link, type LinkKind } from '../world/links.ts';
import { requirePersonById } from '../world/people.ts';
import { conditionNames } from '../market/category.ts';
import { toKnownLanguage } from '../market/languages.ts';
import { formatSitePrice, findSiteById } from '../market/sites.ts';
import { listingRow, type ListingRow } from '../world/listings/listings.ts';
import { listListingPhotos, findPhotoByFile, computePhotoEtag } from '../world/listings/photos.ts';

const referralForm = z.looseObject({ email: z.email() });

const unknownReferralPage = buildEscapedHtml`<h1>Not here</h1>
  <p>This invitation link is not valid.</p>`;

const createReferralRouter = (world: World): Router => {
  const router = Router();
  router.get('/:code', (request, response) => {
    const referrer = findReferrerByCode(world, request.params.code);
    if (!referrer) return sendHtmlPage(response, 'Not here', unknownReferralPage, 404);
    sendHtmlPage(
      response,
      'Join',
      buildEscapedHtml`<h1>${referrer.name ?? 'A friend'} invites you</h1>
        <form method="post">
          <label>Your e-mail <input type="email" name="email" required /></label> <button>Join for free</button>
        </form>`,
    );
  });
  router.post('/:code', urlencoded({ extended: false, limit: '10kb' }), (request, response) => {
    const referrer = findReferrerByCode(world, request.params.code);
    if (!referrer) return sendHtmlPage(response, 'Not here', unknownReferralPage, 404);
    const form = referralForm.safeParse(request.body);
    if (!form.success)
      return sendHtmlPage(response, 'Join', buildEscapedHtml`<p>That does not look like an e-mail address.</p>`, 400);
    createReferredAccount(world, referrer.userId, form.data.email);
    sendHtmlPage(
      response,
      'Welcome',
      buildEscapedHtml`<p>Welcome. Connect your assistant with the code it has mailed to you.</p>`,
    );
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

const renderSubmitButton = (label: string): Html =>
  buildEscapedHtml`<form method="post"><button>${label}</button></form>`;

const pageOfKind: Readonly<Record<LinkKind, PersonPage>> = {
  market: {
    title: 'Connect the marketplace',
    body: (world, { userId }) =>
      buildEscapedHtml`<p>Listing service wants to sell on the practice marketplace for ${requirePersonById(world, userId).email}.</p>
        ${renderSubmitButton('Connect this account')}`,
    act: (world, { userId }) => connectMarketAccount(world, userId),
    done: 'The account is connected. You can close this page.',
  },
  channel: {
    title: 'Connect a channel',
    body: () => renderSubmitButton('Connect this account'),
    act: (world, { userId, facts }) => connectOtherChannel(world, userId, channelFacts.parse(facts).channelId),
    done: 'The channel is connected. You can close this page.',
  },
  checkout: {
    title: 'Checkout',
    body: (_world, { facts }) => {
      const { plan: code, trial } = checkoutFacts.parse(facts);
      const plan = plans.find((planOption) => planOption.code === code) ?? plans[0];
      return buildEscapedHtml`<p>
          ${plan.name}: ${plan.listingsPerMonth} listings a month for US$${(plan.priceCents / 100).toFixed(2)}.
          ${trial ? 'The first 7 days are a trial.' : ''} No money moves here.
        </p>
        ${renderSubmitButton(`Start ${plan.name}`)}`;
    },
    act: (world, { userId, facts }) => {
      const { plan, trial } = checkoutFacts.parse(facts);
      startPaidPlan(world, userId, plan, trial);
    },
    done: 'The plan has started. You can close this page.',
  },
  portal: {
    title: 'Billing portal',
    body: (world, { userId }) => {
      const current = requirePersonById(world, userId).plan;
      return buildEscapedHtml`<p>Your plan is ${current}.</p>
        <form method="post">
          ${plans
            .filter(({ code }) => code !== current)
            .map(
              ({ code, name }) =>
                buildEscapedHtml`<p><button name="plan" value="${code}">Change to ${name}</button></p>`,
            )}
        </form>`;
    },
    act: (world, { userId }, form) => changePortalPlan(world, userId, planCode.parse(form['plan'])),
    done: 'The plan is changed. You can close this page.',
  },
};

const deadLinkPage = buildEscapedHtml`<h1>This link does not work any more</h1>
  <p>It was used, or a newer one took its place, or its 10 minutes are over.</p>`;

const parseLinkKind = (text: string): LinkKind | null => linkKinds.find((kind) => kind === text) ?? null;

const createLinkPagesRouter = (world: World): Router => {
  const router = Router();
  router.get('/:kind/:token', (request, response) => {
    const kind = parseLinkKind(request.params.kind);
    const link = kind && findOpenLink(world, kind, request.params.token);
    if (!kind || !link) return sendHtmlPage(response, 'Not here', deadLinkPage, 410);
    const { title, body } = pageOfKind[kind];
    sendHtmlPage(
      response,
      title,
      buildEscapedHtml`<h1>${title}</h1>
        ${body(world, link)}`,
    );
  });
  router.post('/:kind/:token', urlencoded({ extended: false, limit: '10kb' }), (request, response) => {
    const kind = parseLinkKind(request.params.kind);
    const form = z.looseObject({}).catch({}).parse(request.body);
    const done =
      kind &&
      runInTransaction(world.db, () => {
        const link = findOpenLink(world, kind, request.params.token);
        if (!link || !markLinkUsed(world, request.params.token)) return false;
        pageOfKind[kind].act(world, link, form);
        return true;
      });
    if (!kind || !done) return sendHtmlPage(response, 'Not here', deadLinkPage, 410);
    const { title, done: doneText } = pageOfKind[kind];
    sendHtmlPage(
      response,
      title,
      buildEscapedHtml`<h1>${title}</h1>
        <p>${doneText}</p>`,
    );
  });
  return router;
};

const findLiveListing = ({ db }: World, marketListingId: string): ListingRow | null =>
  selectFirstRow(db, listingRow, 'SELECT * FROM listings WHERE marketListingId = ?', marketListingId);

const renderItemAvailability = ({ status, quantity }: ListingRow): Html => {
  if (status === 'published') return buildEscapedHtml`<p>${quantity} available</p>`;
  return buildEscapedHtml`<p><strong>${status === 'sold' ? 'Sold.' : 'This listing has ended.'}</strong></p>`;
};

const formatListingPrice = ({ marketplaceId, price }: ListingRow): string => {
  const site = findSiteById(marketplaceId);
  return site && price !== null ? formatSitePrice(site, price) : '';
};

const formatConditionName = ({ condition, listingLanguage }: ListingRow): string => {
  const names = Object.entries(conditionNames).find(([name]) => name === condition)?.[1];
  return names?.[toKnownLanguage(listingLanguage)] ?? condition ?? '';
};

const renderListingBody = (world: World, listing: ListingRow, marketListingId: string): Html =>
  buildEscapedHtml` <p class="note">
      Practice marketplace, ${findSiteById(listing.marketplaceId)?.name ?? listing.marketplaceId}. Nothing here is for sale.
    </p>
    <h1>${listing.title ?? ''}</h1>
    <div class="photos">
      ${listListingPhotos(world, listing.listingId).map(({ file }) => buildEscapedHtml`<img src="${`/photos/${file}`}" alt="" />`)}
    </div>
    <p class="price">${formatListingPrice(listing)}</p>
    ${renderItemAvailability(listing)}
    <p>${formatConditionName(listing)} ${listing.conditionDescription ?? ''}</p>
    <table>
      ${Object.entries(listing.itemSpecifics).map(
        ([name, value]) =>
          buildEscapedHtml`<tr>
            <th scope="row">${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </table>
    <iframe sandbox title="Description" src="/market-pages/${marketListingId}/description"></iframe>
    <p class="note">Item ${marketListingId} in ${listing.categoryName ?? ''}</p>`;

const noSuchItemPage = buildEscapedHtml`<h1>Not here</h1>
  <p>There is no item with this number.</p>`;

const sendLivePage = (world: World, marketListingId: string, response: Response): void => {
  const listing = findLiveListing(world, marketListingId);
  if (!listing) return sendHtmlPage(response, 'Not here', noSuchItemPage, 404);
  sendHtmlPage(response, listing.title ?? '', renderListingBody(world, listing, marketListingId));
};

/** Sends the seller's description in a sandbox that runs no scripts. */
const sendDescriptionPage = (world: World, marketListingId: string, response: Response): void => {
  const listing = findLiveListing(world, marketListingId);
  response
    .status(listing ? 200 : 404)
    .set('content-security-policy', framePolicy)
    .type('html');
  response.send(`<!doctype html><meta charset="utf-8">${listing?.description ?? ''}`);
};

const termsPage = buildEscapedHtml`<h1>Terms</h1>
  <p>This is a practice service on your own machine. It costs nothing, sells nothing and sends nothing anywhere.</p>`;
const privacyPage = buildEscapedHtml`<h1>Privacy</h1>
  <p>What you enter stays in one folder on this machine. Delete the folder and it is gone.</p>`;

export const createPagesRouter = (world: World): Router => {
  const router = Router();
  router.get('/terms', (_request, response) => sendHtmlPage(response, 'Terms', termsPage));
  router.get('/privacy', (_request, response) => sendHtmlPage(response, 'Privacy', privacyPage));
  router.get('/photos/:file', async (request, response, next) => {
    const photo = findPhotoByFile(world, request.params.file);
    const etag = photo && (await computePhotoEtag(world, photo.file).catch(() => null));
    if (!photo || !etag) return next();
    response.type(photo.contentType).set({ 'cache-control': 'private, no-cache', etag });
    response.sendFile(photo.file, { root: world.photosDir });
  });
  router.get('/market-pages/:marketListingId', (request, response) => {
    sendLivePage(world, request.params.marketListingId, response);
  });
  router.get('/market-pages/:marketListingId/description', (request, response) => {
    sendDescriptionPage(world, request.params.marketListingId, response);
  });
  router.use('/person', createLinkPagesRouter(world));
  router.use('/r', createReferralRouter(world));
  return router;
};
