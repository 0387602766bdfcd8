import { expect, test } from 'vitest';
import { hideUploadAddresses } from '../../../../src/core/service/addresses.ts';

const signature = 'c2VjcmV0LXNpZ25hdHVyZS1vZi10aGUtc2xvdA';
const uploadUrl = `https://store.example/bucket/listings/l_1/img_0123456789abcdef.jpg?X-Signature=${signature}&X-Date=20260101`;
const slot = {
  uploadUrl,
  key: 'listings/l_1/img_0123456789abcdef.jpg',
  publicUrl: 'https://photos.example/listings/l_1/img_0123456789abcdef.jpg',
  imageId: 'img_0123456789abcdef',
};
const own = 'http://127.0.0.1:47800/uploads/abc';
const hideInSlot = (more: object, about = slot) => hideUploadAddresses([{ ...about, ...more }], [own])[0];

test('upload slot fields without an address stay unchanged', () => {
  const more = { index: 0, contentType: 'image/jpeg', expiresInS: 900, note: null, sizes: [1, 2], max: { bytes: 7 } };
  expect(hideInSlot(more)).toEqual({ ...slot, ...more, uploadUrl: own });
});

test.each([
  ['the upload address', uploadUrl],
  ['any other address', 'https://other.example/put'],
  ['the upload address in a text', `PUT your photo to ${uploadUrl} now`],
  ['the percent-encoded upload address', encodeURIComponent(uploadUrl)],
  ['the doubly encoded upload address', encodeURIComponent(encodeURIComponent(uploadUrl))],
  ['the path and query', new URL(uploadUrl).pathname + new URL(uploadUrl).search],
  ['the signature', signature],
  ['the host', 'store.example'],
  ['an address without its scheme', uploadUrl.slice('https://'.length)],
])('%s is removed from unknown fields and field names at any depth', (_what, value) => {
  const more = { also: value, form: { fields: [{ to: value, size: 1 }, value, [value]] }, [value]: 'named' };
  const text = JSON.stringify(hideInSlot(more));
  expect(text).not.toContain(JSON.stringify(value).slice(1, -1));
  expect(hideInSlot(more)).toEqual({ ...slot, uploadUrl: own, form: { fields: [{ size: 1 }, []] } });
});

test('an upload slot does not reveal the address of another slot', () => {
  const other = { ...slot, uploadUrl: 'https://store.example/put/0123456789abcdefghij' };
  const [first] = hideUploadAddresses([{ ...slot, next: '0123456789abcdefghij' }, other], [own, own]);
  expect(first).toEqual({ ...slot, uploadUrl: own });
});

test('a known field that contains the upload address is emptied', () => {
  expect(hideInSlot({}, { ...slot, publicUrl: uploadUrl })?.publicUrl).toBe('');
  expect(hideInSlot({}, { ...slot, key: uploadUrl })?.key).toBe('');
});

test('the address of an upload slot is emptied if there is no replacement', () => {
  expect(hideUploadAddresses([slot], [])).toEqual([{ ...slot, uploadUrl: '' }]);
});
