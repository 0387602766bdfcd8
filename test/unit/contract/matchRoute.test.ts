import { describe, expect, test } from 'vitest';
import { matchRouteByPath, parseRouteInput, buildRoutePath } from '../../../src/contract/index.ts';

describe('matchRoute', () => {
  test('a fixed path takes precedence over a path with parameters', () => {
    expect(matchRouteByPath('GET', '/channels/connections')).toEqual({
      kind: 'route',
      name: 'listConnections',
      params: {},
    });
    expect(matchRouteByPath('POST', '/listings/upload-url')).toMatchObject({ name: 'requestUploads' });
    expect(matchRouteByPath('GET', '/listings/l_1')).toEqual({
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
  ])('the request %s %s is refused', (method, path) => {
    expect(matchRouteByPath(method, path).kind).toBe('refused');
  });

  test('the route that revokes the current key is allowed', () => {
    expect(matchRouteByPath('DELETE', '/agent/keys/current')).toMatchObject({
      kind: 'route',
      name: 'revokeCurrentKey',
    });
  });

  test.each(['/listings/a%2Fb', '/listings/..', '/listings/%2e%2e', '/listings/', '/listings/%zz', '/nothing'])(
    '%s matches no route',
    (path) => {
      expect(matchRouteByPath('GET', path).kind).toBe('unknown');
    },
  );

  test('an unsupported method on a known path is answered with the allowed methods', () => {
    expect(matchRouteByPath('PATCH', '/listings/l_1')).toEqual({ kind: 'method', allowed: ['GET', 'PUT', 'DELETE'] });
  });
});

describe('parseRouteInput', () => {
  test('default values are filled in and unknown fields are kept', () => {
    expect(parseRouteInput('createListing', { body: { odd: 1 } })).toEqual({
      ok: true,
      input: { headers: {}, body: { odd: 1, quantity: 1 } },
    });
    expect(parseRouteInput('quoteFees', { params: { listingId: 'l' } })).toMatchObject({
      ok: true,
      input: { body: { action: 'quote' } },
    });
  });

  test('a validation problem names the invalid field', () => {
    expect(parseRouteInput('createListing', { body: { quantity: 0 } })).toEqual({
      ok: false,
      problem: { field: 'quantity', message: 'The quantity is at least 1.' },
    });
    expect(parseRouteInput('reviseListing', { params: { listingId: 'l' }, body: {} })).toMatchObject({ ok: false });
    expect(parseRouteInput('createListing', { headers: { 'idempotency-key': 'a b' } })).toMatchObject({ ok: false });
  });

  test('a path contains the encoded parameters and the query', () => {
    expect(buildRoutePath('/listings/{listingId}', { listingId: 'a/b' }, { q: 'x y', none: undefined })).toBe(
      '/listings/a%2Fb?q=x+y',
    );
  });
});

test.each(['../publish/lst_1', 'a/b', 'a\\b', '.', '..', '', '..%2Fb'])(
  'an id that could be read as a path to another route is refused: %j',
  (listingId) => {
    expect(parseRouteInput('hydrateListing', { params: { listingId } })).toMatchObject({
      ok: false,
      problem: { field: 'listingId' },
    });
  },
);

test('an id with special characters stays unchanged after encoding and route matching', () => {
  const listingId = 'lst 1..é?#';
  expect(parseRouteInput('hydrateListing', { params: { listingId } })).toMatchObject({ ok: true });
  expect(matchRouteByPath('GET', buildRoutePath('/listings/{listingId}', { listingId }))).toMatchObject({
    params: { listingId },
  });
});
