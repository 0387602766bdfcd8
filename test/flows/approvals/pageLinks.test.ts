import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandlers } from '../../../src/host/handlers.ts';
import { noShell } from '../../../src/host/shell.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { requestPrompt, connectAs, performAs, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { createStartReport } from '../../../src/host/startReport.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const getPageLinks = () => world.companion().pageLinks;
/** Publishes a listing with the given page in every response; returns the page of the outcome. */
const publishWithPage = async (marketListingUrl: string) => {
  const listingId = await createWrittenListing(world);
  const reading = { method: 'GET', path: '/listings/{listingId}', times: 100_000 };
  await world.practice.fault({ ...reading, body: { marketListingUrl } });
  const shown = await requestPrompt(world, 'publishListing', { params: { listingId } });
  await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', body: { marketListingUrl } });
  const { state, outcome } = await world.approve(shown);
  await world.practice.control('DELETE', '/faults');
  expect(state).toBe('done');
  return outcome?.url ?? null;
};

/** Waits until all listings were read. */
const waitForAllListings = async (): Promise<void> => {
  const { listings } = world.companion();
  await world.until(() => listings.counts().sync.doneAt, 'all listings');
};

test('a new host of page links becomes known only after the person agrees to it', async () => {
  const own = await publishWithPage(`${world.practice.url}/market-pages/1`);
  expect(getPageLinks().inspectLink(own ?? '')).toMatchObject({ isKnown: true });

  const [first, second] = [
    await publishWithPage('https://evil.example/pay'),
    await publishWithPage('https://evil.example/pay/2'),
  ];
  expect(getPageLinks().inspectLink(first ?? '')).toEqual({
    url: 'https://evil.example/pay',
    host: 'evil.example',
    isKnown: false,
  });
  await waitForAllListings();
  expect(getPageLinks().inspectLink(second ?? '')).toMatchObject({ isKnown: false });
  expect(getPageLinks().agreeToHost(getPageLinks().askHost(first ?? '').questionId)).toBe(first);
  expect(getPageLinks().inspectLink(second ?? '')).toMatchObject({ isKnown: true });
});

const isKnown = (url: string) => getPageLinks().inspectLink(url)?.isKnown;

/** Makes the service list one listing for each of these pages. */
const setListedPages = (...pages: string[]) =>
  world.practice.fault({
    ...{ method: 'GET', path: '/listings' },
    body: {
      listings: pages.map((marketListingUrl, at) => ({
        listingId: `lst_${at}`,
        status: 'published',
        marketListingUrl,
      })),
    },
  });

test('hosts of listing pages become known at the first full read, but not later', async () => {
  await waitForAllListings();
  await setListedPages('https://www.market.example/1');
  await connectAs(world, 'second@practice.example');
  await waitForAllListings();
  expect(isKnown('https://www.market.example/2')).toBe(true);
  for (const other of ['www.market.example.evil.example', 'www.market.example.', 'www.market.example:8443'])
    expect(isKnown(`https://${other}/2`)).toBe(false);

  world.clock.advance(120_000);
  await setListedPages('https://www.market.example/1', 'https://evil.example/1', 'https://evil.example/2');
  const { listings } = world.companion();
  listings.readAgain();
  await world.until(() => listings.readStored('lst_2'), 'the pages');
  await world.until(() => !listings.counts().sync.running, 'all listings again');
  expect(isKnown('https://evil.example/1')).toBe(false);
});

test('a host named in a response before the first full read stays unknown', async () => {
  await waitForAllListings();
  const noList = { method: 'GET', path: '/listings', status: 503, times: 100_000 };
  await world.practice.fault(noList);
  await connectAs(world, 'third@practice.example');
  getPageLinks().noteAnswered('https://evil.example/1');
  for (const marketListingUrl of ['https://www.market.example/1', 'https://evil.example/1']) {
    const listingId = await createWrittenListing(world);
    await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', body: { marketListingUrl } });
    await world.listing(listingId);
  }
  getPageLinks().learnHosts();
  expect([isKnown('https://www.market.example/2'), isKnown('https://evil.example/2')]).toEqual([true, false]);
});

test('the person can agree to an unknown host once per question, for one account and one host', async () => {
  const { questionId } = getPageLinks().askHost('https://evil.example/pay');
  expect(getPageLinks().agreeToHost(questionId)).toBe('https://evil.example/pay');
  expect(() => getPageLinks().agreeToHost(questionId)).toThrow('This question is over.');
  expect(isKnown('https://www.evil.example/pay')).toBe(false);
  const other = getPageLinks().askHost('https://other.example/');
  await connectAs(world, 'second@practice.example');
  expect(() => getPageLinks().agreeToHost(other.questionId)).toThrow('This question is over.');
  expect(isKnown('https://evil.example/pay')).toBe(false);
});

/** Creates the handlers of a window and records the addresses that they open. */
const createOpener = () => {
  const opened: string[] = [];
  const openLink = async (url: string): Promise<void> => void opened.push(url);
  const host = {
    ...{ openLink, shell: noShell, log: { dir: '' }, bridgeUrl: () => '', samplesDir: '', clients: {} },
    startReport: createStartReport(() => undefined),
  };
  return {
    opened,
    handlers: createHandlers(world.companion(), host as unknown as Parameters<typeof createHandlers>[1]),
  };
};

test('a page on an unknown host is not opened before the person agrees', async () => {
  const { opened, handlers } = createOpener();
  const url = 'https://evil.example/pay';
  await expect(handlers['app.open']({ url })).rejects.toMatchObject({ code: 'HOST_UNKNOWN' });
  const { questionId } = await handlers['links.ask']({ url });
  await expect(handlers['app.open']({ url })).rejects.toMatchObject({ code: 'HOST_UNKNOWN' });
  await expect(handlers['links.agree']({ questionId: 'made up' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await handlers['links.agree']({ questionId })).toEqual({ url });
  await handlers['app.open']({ url });
  await handlers['app.open']({ url: `${world.practice.url}/terms` });
  expect(opened).toEqual([url, `${world.practice.url}/terms`]);
});

test('an unknown host stays unknown if the person opens an assistant’s page on that host', async () => {
  const { opened, handlers } = createOpener();
  const by = pairAsker(world, 'Helpful');
  const requestOffer = async (authUrl: string) => {
    await world.practice.fault({ method: 'GET', path: '/market/auth-url', body: { authUrl } });
    await performAs(world, by, 'readMarketAuthUrl', {});
    return (await handlers['offers.list']({}))[0];
  };
  const offer = await requestOffer('https://sign-in.example/x');
  expect(offer).toMatchObject({ host: 'sign-in.example', isKnown: false });
  await handlers['offers.open']({ offerId: offer?.offerId ?? '' });
  expect(opened).toEqual(['https://sign-in.example/x']);
  expect(isKnown('https://sign-in.example/y')).toBe(false);
});

test.each([
  'javascript:alert(1)',
  'http://market.example/1',
  'https://www.market.example@evil.example/1',
  'https://:secret@evil.example/1',
  'file:///etc/passwd',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/1',
  'no address',
])('the address %s is neither opened nor shown in a question', async (url) => {
  const { opened, handlers } = createOpener();
  expect(getPageLinks().inspectLink(url)).toBeNull();
  expect(() => getPageLinks().askHost(url)).toThrow('This address is not opened');
  await expect(handlers['app.open']({ url })).rejects.toMatchObject({ code: 'LINK_REFUSED' });
  expect(opened).toEqual([]);
  expect(await publishWithPage(url)).toBeNull();
});

test.each([
  ['https://mаrket.example/1', 'xn--mrket-4ve.example'],
  ['HTTPS://EVIL.EXAMPLE/1', 'evil.example'],
  ['https://evil.example./1', 'evil.example.'],
  ['https:\\\\evil.example\\1', 'evil.example'],
  ['https://evil。example/1', 'evil.example'],
  ['https://0x7f.1/1', '127.0.0.1'],
])('the question about %s names the host that the address leads to', (url, host) => {
  expect(getPageLinks().inspectLink(url)?.host).toBe(host);
  expect(getPageLinks().askHost(url).host).toBe(host);
});
