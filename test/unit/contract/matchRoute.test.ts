import { describe, expect, test } from 'vitest';
import { matchRoute, parseInput, pathOf } from '../../../src/contract/index.ts';

describe('matchRoute', () => {
  test('a fixed path wins over one with braces', () => {
    expect(matchRoute('GET', '/channels/connections')).toEqual({ kind: 'route', name: 'listConnections', params: {} });
    expect(matchRoute('POST', '/listings/upload-url')).toMatchObject({ name: 'requestUploads' });
    expect(matchRoute('GET', '/listings/l_1')).toEqual({
      kind: 'route',
      name: 'readListing',
      params: { listingId: 'l_1' },
    });
  });

  test.each([
    ['POST', '/auth/login'],
    ['PATCH', '/admin/a/b/c'],
    ['DELETE', '/agent/keys/k_1'],
    ['GET', '/iap/purchase'],
  ])('%s %s is refused', (method, path) => {
    expect(matchRoute(method, path).kind).toBe('refused');
  });

  test('the own key may be revoked although other keys may not', () => {
    expect(matchRoute('DELETE', '/agent/keys/current')).toMatchObject({ kind: 'route', name: 'revokeCurrentKey' });
  });

  test.each(['/listings/a%2Fb', '/listings/..', '/listings/%2e%2e', '/listings/', '/listings/%zz', '/nothing'])(
    '%s is no route',
    (path) => {
      expect(matchRoute('GET', path).kind).toBe('unknown');
    },
  );

  test('another method of a known path names the methods that are there', () => {
    expect(matchRoute('PATCH', '/listings/l_1')).toEqual({ kind: 'method', allowed: ['GET', 'PUT', 'DELETE'] });
  });
});

describe('parseInput', () => {
  test('defaults are filled in and unknown fields kept', () => {
    expect(parseInput('createListing', { body: { odd: 1 } })).toEqual({
      ok: true,
      input: { headers: {}, body: { odd: 1, quantity: 1 } },
    });
    expect(parseInput('quoteFees', { params: { listingId: 'l' } })).toMatchObject({
      ok: true,
      input: { body: { action: 'quote' } },
    });
  });

  test('the first problem is named with its field', () => {
    expect(parseInput('createListing', { body: { quantity: 0 } })).toEqual({
      ok: false,
      problem: { field: 'quantity', message: 'The quantity is at least 1.' },
    });
    expect(parseInput('reviseListing', { params: { listingId: 'l' }, body: {} })).toMatchObject({ ok: false });
    expect(parseInput('createListing', { headers: { 'idempotency-key': 'a b' } })).toMatchObject({ ok: false });
  });

  test('a path is filled in, encoded, and carries its query', () => {
    expect(pathOf('/listings/{listingId}', { listingId: 'a/b' }, { q: 'x y', none: undefined })).toBe(
      '/listings/a%2Fb?q=x+y',
    );
  });
});

test.each(['../publish/lst_1', 'a/b', 'a\\b', '.', '..', '', '..%2Fb'])(
  'an id that may be taken for a way to another route is refused: %j',
  (listingId) => {
    expect(parseInput('hydrateListing', { params: { listingId } })).toMatchObject({
      ok: false,
      problem: { field: 'listingId' },
    });
  },
);

test('an id with other signs stands for itself', () => {
  const listingId = 'lst 1..é?#';
  expect(parseInput('hydrateListing', { params: { listingId } })).toMatchObject({ ok: true });
  expect(matchRoute('GET', pathOf('/listings/{listingId}', { listingId }))).toMatchObject({ params: { listingId } });
});
