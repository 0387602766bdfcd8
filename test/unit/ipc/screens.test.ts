import { expect, test } from 'vitest';
import { findScreenPath, getScreenAt, screenDefinitions, screenIds } from '../../../src/ipc/screens.ts';
import { findLinkPath } from '../../../src/main/openRequests/openRequests.ts';

test.each(screenIds)('the link of the screen %s opens the screen’s own path', (id) => {
  const { path } = screenDefinitions[id];
  expect(getScreenAt(path)).toEqual({ id, openId: null });
  expect(findLinkPath(`listing-companion://${id}`)).toBe(path);
  expect(screenIds.filter((other) => screenDefinitions[other].path === path)).toEqual([id]);
});

test.each(screenIds)('a link can open a single entry in %s only if the screen has entry paths', (id) => {
  const path = findScreenPath(id, 'a_1');
  expect(findLinkPath(`listing-companion://${id}/a_1`)).toBe(path);
  expect(path === null).toBe(screenDefinitions[id].onePath === null);
  if (path !== null) expect(getScreenAt(path)).toEqual({ id, openId: 'a_1' });
});

test.each([
  ['', 'items', null],
  ['/nowhere', 'items', null],
  ['/items', 'items', null],
  ['/items/it%201', 'items', 'it 1'],
  ['/items/100%', 'items', '100%'],
  ['/listings/', 'listings', null],
  ['/listings/lst_1/more', 'items', null],
  ['/approvals/ap_1', 'items', null],
])('the path "%s" opens the screen %s', (path, id, openId) => {
  expect(getScreenAt(path)).toEqual({ id, openId });
});
