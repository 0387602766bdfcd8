import { afterEach, beforeEach, expect, test } from 'vitest';
import { askFor, writtenListing } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const links = () => world.companion().pageLinks;
/** A publish that the service answers with that page. */
const published = async (marketListingUrl: string) => {
  const listingId = await writtenListing(world);
  const shown = await askFor(world, 'publishListing', { params: { listingId } });
  await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', body: { marketListingUrl } });
  const { outcome } = await world.approve(shown);
  return { listingId, url: outcome?.url ?? null };
};

test('a page at the service is known, and a page on a new host stays strange for every listing until the person agrees', async () => {
  const own = await published(`${world.practice.url}/market-pages/1`);
  expect(links().inspectLink(own.url ?? '', own.listingId)).toMatchObject({ isKnown: true });

  const first = await published('https://evil.example/pay');
  expect(links().inspectLink(first.url ?? '', first.listingId)).toEqual({
    url: 'https://evil.example/pay',
    host: 'evil.example',
    isKnown: false,
  });
  const second = await published('https://evil.example/pay/2');
  expect(links().inspectLink(second.url ?? '', second.listingId)).toMatchObject({ isKnown: false });
  links().trustHost('https://evil.example/pay');
  expect(links().inspectLink(second.url ?? '', second.listingId)).toMatchObject({ isKnown: true });
});

test('a host is known where an earlier listing has its page, and not by the listing itself', async () => {
  const [earlier, later] = [await writtenListing(world), await writtenListing(world)];
  const body = { marketListingUrl: 'https://www.market.example/1' };
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', body });
  await world.listing(earlier);
  expect(links().inspectLink('https://www.market.example/1', earlier)).toMatchObject({ isKnown: false });
  expect(links().inspectLink('https://www.market.example/2', later)).toMatchObject({ isKnown: true });
  expect(links().inspectLink('https://www.market.example.evil.example/2', later)).toMatchObject({ isKnown: false });
});

test.each([
  'javascript:alert(1)',
  'http://market.example/1',
  'https://www.market.example@evil.example/1',
  'file:///etc/passwd',
  'no address',
])('%s is no page that is opened', async (url) => {
  expect(links().inspectLink(url, null)).toBeNull();
  expect((await published(url)).url).toBeNull();
});

test('a host in other letters is shown as what it is', () => {
  expect(links().inspectLink('https://mаrket.example/1', null)?.host).toBe('xn--mrket-4ve.example');
});
