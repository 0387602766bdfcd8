import { type Response, Router } from 'express';
import { one } from '../database.ts';
import { conditionNames } from '../market/category.ts';
import { languageOf } from '../market/languages.ts';
import { formatPrice, siteOf } from '../market/sites.ts';
import { listingRow, type ListingRow } from '../world/listings/listings.ts';
import { photosOf, photoByFile, photoTag } from '../world/listings/photos.ts';
import type { World } from '../world/world.ts';
import { framePolicy, html, type Html, sendPage } from './html.ts';
import { personPages, referralPage } from './personPages.ts';

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

/** The live page of a listing. */
const livePage = (world: World, marketListingId: string, response: Response): void => {
  const listing = liveListing(world, marketListingId);
  if (!listing) return sendPage(response, 'Not here', noSuchItemPage, 404);
  sendPage(response, listing.title ?? '', bodyOf(world, listing, marketListingId));
};

/** The description alone, as the seller wrote it: in a sandbox where nothing of it runs or loads. */
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

/** Everything that is looked at in a browser, and the photos. */
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
