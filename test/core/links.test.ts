import { expect, test } from 'vitest';
import { withoutPage } from '../../src/core/assistants/links.ts';

const page = 'https://pay.example/session/secret';

test('a page for the person is in no part of the answer that an assistant sees', () => {
  const answer = { url: page, expiresIn: 600, more: { link: page, steps: [page, { href: page, name: 'Pay' }] } };
  expect(withoutPage('createCheckoutToken', answer)).toEqual({
    url: page,
    answer: { expiresIn: 600, more: { steps: [{ name: 'Pay' }] }, openedFor: 'person' },
  });
});

test('the first address is the page, also where it lies deeper', () => {
  expect(withoutPage('createPortal', { session: { url: page } })).toEqual({
    url: page,
    answer: { session: {}, openedFor: 'person' },
  });
});

test('answers that hold no page for the person stay whole', () => {
  const answer = { listingId: 'one', imageUrls: ['https://photos.example/1.jpg'] };
  expect(withoutPage('readListing', answer)).toEqual({ answer, url: null });
});
