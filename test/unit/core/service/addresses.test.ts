import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { routeNames, getRouteByName } from '../../../../src/contract/index.ts';
import { containsAnyAddress, maskAddressWords } from '../../../../src/core/service/addresses.ts';
import { createProblemText } from '../../../../src/core/base/problem.ts';
import {
  removeAnswerPartsHiddenFromAssistant,
  toVisibleError,
  separatePersonPage,
} from '../../../../src/core/service/personPages.ts';
import { ServiceError } from '../../../../src/core/service/serviceError.ts';

const page = 'https://pay.example/session/secret';
const pageRoutes = routeNames.filter((name) => getRouteByName(name).personPage !== undefined);

test('a response that contains a page address keeps only the fields declared visible', () => {
  const answer = { url: page, expiresIn: 600, note: 'Pay', more: { link: page, steps: [page, { href: page }] } };
  expect(separatePersonPage('createCheckoutToken', answer)).toEqual({
    url: page,
    answer: { expiresIn: 600, openedFor: 'person' },
  });
});

describe('a page address in an unexpected field or form', () => {
  const addressForms: [string, unknown, string | null][] = [
    ['with a space before it', { url: ` ${page}` }, page],
    ['without its scheme', { url: '//pay.example/session/secret' }, page],
    ['in a sentence', { message: `Open ${page} now.` }, page],
    ['in a nested field', { session: { url: page } }, page],
    ['in a field with another name', { target: page }, page],
    ['percent-encoded', { url: encodeURIComponent(page) }, null],
    ['in a visible field', { expiresAt: page }, page],
    ['as the name of a field', { [page]: true }, null],
    ['as the whole response', page, page],
  ];
  test.each(addressForms)('is hidden from the assistant: %s', (_way, answer, url) => {
    for (const route of pageRoutes) {
      const seen = separatePersonPage(route, answer);
      expect(seen.url).toBe(url);
      expect(seen.answer).toEqual({ openedFor: 'person' });
    }
  });
});

test('an assistant gets only declared fields of any response that contains a page address', () => {
  fc.assert(
    fc.property(fc.constantFrom(...pageRoutes), fc.json(), (route, json) => {
      const { answer } = separatePersonPage(route, JSON.parse(json) as unknown);
      const visible = getRouteByName(route).personPage?.visible ?? [];
      for (const name of Object.keys(answer as object)) expect(['openedFor', ...visible]).toContain(name);
    }),
  );
});

test('page addresses for the person are removed from responses, but public addresses stay', () => {
  const channels = {
    channels: [
      {
        channelId: 'corner',
        name: 'Corner',
        connectUrl: page,
        photoCap: 12,
        help: `See ${page}`,
        logo: '//cdn.example/x',
      },
    ],
  };
  expect(separatePersonPage('listChannels', channels).answer).toEqual({
    channels: [{ channelId: 'corner', name: 'Corner', photoCap: 12 }],
  });
  const subscription = {
    plan: 'Starter',
    portalUrl: page,
    status: 'active',
    invoices: [{ hosted_invoice_url: page, id: 'in_1' }],
  };
  expect(separatePersonPage('readSubscription', subscription).answer).toEqual({
    plan: 'Starter',
    status: 'active',
    invoices: [{ id: 'in_1' }],
  });
  // Fields named like links are removed from the responses of other routes as well.
  expect(separatePersonPage('readListing', { listingId: 'one', 'sign-in-link': page }).answer).toEqual({
    listingId: 'one',
  });
  const listing = {
    listingId: 'one',
    imageUrls: ['https://photos.example/1.jpg'],
    description: 'See www.maker.example',
  };
  expect(separatePersonPage('readListing', listing).answer).toBe(listing);
  const status = { connected: true, ready: true, missing: [], marketplaceId: 'MKT_US' };
  expect(separatePersonPage('readMarketStatus', status).answer).toBe(status);
});

const createRefusal = (body: Record<string, unknown>) =>
  new ServiceError({
    code: 'MARKET_TOKEN_EXPIRED',
    sentence: String(body['error']),
    effect: 'refused',
    status: 409,
    body,
  });

test('an error keeps its code, but the page address is removed from its message', () => {
  const body = {
    error: `Sign in again: ${page}`,
    code: 'MARKET_TOKEN_EXPIRED',
    authUrl: page,
    retry: 'https%3A%2F%2Fa.example',
  };
  for (const route of ['publishListing', 'readMarketAuthUrl'] as const) {
    const seen = toVisibleError(route, createRefusal({ ...body, attempt: 2 })) as ServiceError;
    expect([seen.code, seen.status, seen.message]).toEqual(['MARKET_TOKEN_EXPIRED', 409, 'Sign in again: …']);
    expect(seen.body).toEqual({
      error: 'Sign in again: …',
      code: 'MARKET_TOKEN_EXPIRED',
      ...(route === 'publishListing' ? { attempt: 2 } : {}),
    });
    expect(removeAnswerPartsHiddenFromAssistant(route, { status: 409, body })).not.toContain('example');
  }
  // A message of only an address and punctuation is replaced by a general sentence.
  const seen = toVisibleError('publishListing', createRefusal({ error: `– ${page}` })) as ServiceError;
  expect(seen.message).toBe(createProblemText('REFUSED').sentence);
  expect(removeAnswerPartsHiddenFromAssistant('createPortal', { status: 200, body: { url: page } })).toEqual({
    openedFor: 'person',
  });
});

describe('the detection of addresses in a text', () => {
  const opened = [
    ...[
      'https://a.example',
      ' HTTPS://A.example/x',
      'https:a.example',
      'http:\\\\a.example',
      '//a.example/x',
      '\\\\a.example\\x',
    ],
    ...[
      'a.example/pay',
      'a.example:8443/pay',
      'pay.a.example?x=1',
      '10.0.0.1/x',
      'localhost:8080/x',
      '[::1]:80/x',
      'www.a.example',
    ],
    ...['javascript:alert(1)', 'data:text/html,x', 'app+pay://token', 'mailto:a@b.example'],
    ...[
      'https%3A%2F%2Fa.example',
      'https%253A%252F%252Fa.example',
      'https&#58;&#x2f;&#47;a.example',
      'https&colon;&sol;&sol;a',
    ],
    ...[
      'ht\u200btps://a.example',
      'ｈｔｔｐｓ：／／a.example',
      'a。example/pay',
      'a.example\u2215pay',
      'Open: (https://a.example).',
    ],
  ];
  test.each(opened)('finds an address: %s', (text) => expect(containsAnyAddress(text)).toBe(true));

  const plain = [
    ...[
      'Starter',
      'robin@practice.example',
      '2026-11-22T08:00:00Z',
      'Nov 22, 2026',
      '12/2026',
      'N/A',
      'and/or',
      'US$0.35',
    ],
    ...[
      'GET /market/auth-url',
      '/market/auth-url',
      'e.g. a plan',
      'v1.2/3',
      'Ready: yes',
      'in_1',
      'MKT_US',
      'Hüte & Schuhe',
    ],
  ];
  test.each(plain)('ignores a text without an address: %s', (text) => expect(containsAnyAddress(text)).toBe(false));

  test('finds no address in a masked text', () => {
    const word = fc.oneof(fc.constantFrom(...opened, ...plain, 'Open', 'now.', ':', '/', '//'), fc.string());
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const cut = maskAddressWords(words.join(' '));
        expect(cut === null || !containsAnyAddress(cut)).toBe(true);
      }),
    );
  });
});
