import { expect, test } from 'vitest';

type Cbor = {
  encode: (message: object) => Buffer;
  decode: (bytes: Buffer) => unknown;
  lengthOf: (bytes: Buffer) => number | null;
};

const file = new URL('../electron-standin/parts/cbor.mjs', import.meta.url).href;
const { encode, decode, lengthOf } = (await import(file)) as Cbor;

const messages = [
  { id: 1, method: 'Page.enable', params: {}, sessionId: undefined },
  { id: 70_000, params: { list: [1, -1, 23, 24, -2_147_483_648, 2_147_483_647, 4_294_967_296, 0.5], none: null } },
  { text: 'ä – 照片 🙂', long: 'x'.repeat(70_000), yes: true, no: false, nested: [[], [{}], ['']] },
];

test.each(messages)('a CBOR message is decoded unchanged: %#', (message) => {
  const bytes = encode(message);
  expect(lengthOf(bytes)).toBe(bytes.length);
  expect(decode(bytes)).toEqual(JSON.parse(JSON.stringify(message)));
});

test('bytes in a CBOR message are sent unchanged and decoded as base64 text', () => {
  const body = Buffer.from([0, 255, 10, 0xd8]);
  const bytes = encode({ body });
  expect(bytes.includes(body)).toBe(true);
  expect(decode(bytes)).toEqual({ body: body.toString('base64') });
});

test('UTF-16 text in a CBOR message is decoded', () => {
  const text = Buffer.from('照片', 'utf16le');
  expect(decode(Buffer.concat([Buffer.from([0x40 | text.length]), text]))).toBe('照片');
});

test('the length of a CBOR message is unknown until its header is complete', () => {
  expect(lengthOf(encode({}).subarray(0, 6))).toBeNull();
});
