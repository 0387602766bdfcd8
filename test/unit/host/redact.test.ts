import { expect, test } from 'vitest';
import { redactLogText, redactLogFacts } from '../../../src/host/createLog.ts';

const hidden = '‹hidden›';

test.each([
  ['mail to ada.lovelace+x@example.org now', `mail to ${hidden} now`],
  ['Authorization: Bearer lct_4fGh', `Authorization: Bearer ${hidden}`],
  ['Pairing c2VjcmV0LXNlY3JldA', `Pairing ${hidden}`],
  ['key 4fGh8kLmN0pQrStUvWxYz1234567', `key ${hidden}`],
  ['ak_9f3kd8.Zk2lP0qW8eR7tY6uI5oP4aS3dF2gH1', hidden],
  ['key wJ4lrXUtnFEMI/K7MDENG/bPx9fiCYzQ2vN8sT0aLk done', `key ${hidden} done`],
  ['secret=4fGh8kLmN0pQrStUvWxYz/12345+abc= done', `${hidden} done`],
  [
    'https://service.example/uploads/4fGh8kLmN0pQrStUvWxYz1234567/1.jpg',
    `https://service.example/uploads/${hidden}/1.jpg`,
  ],
  ['/person/sign-in/c2VjcmV0LXNlY3JldA1234567', `/person/sign-in/${hidden}`],
  ['your code is 482913.', `your code is ${hidden}.`],
  ['your code is 482913', `your code is ${hidden}`],
  ['https://service.example/pay?token=abc&x=1 failed', `https://service.example/pay?${hidden} failed`],
  ['/home/ada/photos/shoes', '/home/~/photos/shoes'],
  ['C:\\Users\\ada\\photos', 'C:\\Users\\~\\photos'],
])('redaction hides private data: %s', (text, expected) => {
  expect(redactLogText(text)).toContain(expected);
});

test.each([
  'it_0b9f7c1e-2c53-4a8e-9f1d-5e2b7a6c8d90 stopped',
  'POST /listings/{listingId}/channels/publish answered 409 after 1200 ms',
  'GET /items/it_0b9f7c1e-2c53-4a8e-9f1d-5e2b7a6c8d90/photos/2',
  '/var/lib/companion/photos of 2026/shoes/IMG_2041.jpg',
  '--data-dir=/var/lib/Companion-1/data',
  'PACKAGE_WEIGHT_TOO_HEAVY',
  '2026-11-21T13:00:00.123Z',
  'port 47800, 12345 bytes, version 0.1.0',
])('redaction leaves text without private data unchanged: %s', (text) => {
  expect(redactLogText(text)).toBe(text);
});

test('redaction hides the values of log facts with names such as apiKey', () => {
  expect(redactLogFacts({ apiKey: 'abc', email: 'x', code: 'NETWORK', attempt: 3, ok: true })).toEqual({
    apiKey: hidden,
    email: hidden,
    code: 'NETWORK',
    attempt: 3,
    ok: true,
  });
});
