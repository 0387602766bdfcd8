import type { Response } from 'express';
import { one } from '../database.ts';
import { conditionNames } from '../market/conditions.ts';
import { languageOf } from '../market/languages.ts';
import { formatPrice, siteOf } from '../market/sites.ts';
import { listingRow, type ListingRow } from '../world/listings.ts';
import { photosOf } from '../world/photos.ts';
import type { World } from '../world/world.ts';
import { framePolicy, html, type Html } from './html.ts';
import { sendPage } from './sendPage.ts';

const liveListing = ({ db }: World, marketListingId: string): ListingRow | null =>
  one(db, listingRow, 'SELECT * FROM listings WHERE marketListingId = ?', marketListingId);

const stateLine = ({ status, quantity }: ListingRow): Html => {
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
    ${stateLine(listing)}
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

const gone = html`<h1>Not here</h1>
  <p>There is no item with this number.</p>`;

/** The live page of a listing. */
export const livePage = (world: World, marketListingId: string, response: Response): void => {
  const listing = liveListing(world, marketListingId);
  if (!listing) return sendPage(response, 'Not here', gone, 404);
  sendPage(response, listing.title ?? '', bodyOf(world, listing, marketListingId));
};

/** The description alone, as the seller wrote it: in a sandbox where nothing of it runs or loads. */
export const descriptionPage = (world: World, marketListingId: string, response: Response): void => {
  const listing = liveListing(world, marketListingId);
  response
    .status(listing ? 200 : 404)
    .set('content-security-policy', framePolicy)
    .type('html');
  response.send(`<!doctype html><meta charset="utf-8">${listing?.description ?? ''}`);
};
