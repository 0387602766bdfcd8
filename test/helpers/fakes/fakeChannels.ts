import type { RouteAnswers } from './fakeService.ts';

/** The service's answers about the channels and accounts of the page's listings. */
export const channelAnswers: RouteAnswers = {
  listMarketAccounts: () => ({
    accounts: [
      { marketAccountId: 'mac_1', name: 'robins-attic' },
      { marketAccountId: 'mac_2', name: 'robins-shoes' },
    ],
  }),
  listChannels: () => ({
    channels: [
      { channelId: 'market', name: 'Marketplace', maxPhotos: 24, maxTitleLength: 80 },
      { channelId: 'corner', name: 'Corner shop', maxPhotos: 10, maxTitleLength: 100 },
    ],
  }),
  readListingChannels: (fake, { params }) => {
    const { status, marketListingUrl: url, title } = fake.listings[params?.['listingId'] ?? ''] ?? {};
    const { onCorner } = window.scenario ?? {};
    const market = { channelId: 'market', status, url };
    const there = { status: onCorner === 'sold' ? 'sold' : 'published', title, price: 6_400, quantity: 1 };
    return { channels: onCorner ? [market, { channelId: 'corner', name: 'Corner shop', ...there }] : [market] };
  },
  setListingVisibility: (fake, { params, body }) => {
    const id = params?.['listingId'] ?? '';
    fake.listings[id] = { ...fake.listings[id], visible: body?.['visible'] };
    return {};
  },
};
