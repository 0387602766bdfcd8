import { expect, test } from 'vitest';
import { createOutboundPolicy, isPublicIp } from '../../../../src/core/service/outboundPolicy.ts';

const closed = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.1.2.3'],
  ...['169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.168.1.1', '198.18.0.1'],
  ...['198.19.255.255', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ],
  ...[
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:c0a8:101',
    '::ffff:0.0.0.0',
  ],
  ...['::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::192.168.0.1', '64:ff9b::a00:1'],
  ...['64:ff9b::', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '2002:808:808::1', '3fff::1'],
  ...['5f00::1', '4000::1', 'localhost', '', '1.2.3', '0x7f.1'],
];
test.each(closed)('the address %s is not public', (address) => {
  expect(isPublicIp(address)).toBe(false);
});

const open = [
  ...['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.1', '128.0.0.1', '172.15.0.1', '172.32.0.1', '192.167.1.1'],
  ...[
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ],
];
test.each(open)('the address %s is public', (address) => {
  expect(isPublicIp(address)).toBe(true);
});

const outside = createOutboundPolicy(() => 'http://127.0.0.1:4700/api');
const refused = [
  ...[
    'https://127.0.0.1:4700/1.jpg',
    'http://127.0.0.1:4701/1.jpg',
    'http://localhost:4700/1.jpg',
    'http://1.1.1.1/1.jpg',
  ],
  ...[
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
  ],
  ...[
    'https://[64:ff9b::7f00:1]/',
    'https://192.168.1.1/',
    'https://①②⑦.0.0.1/',
    'file:///etc/passwd',
    'data:image/png,',
    '',
  ],
];
test.each(refused)('the address %s is never requested', (address) => {
  expect(outside.parseAllowedUrl(address)).toBeNull();
});

test('public addresses and the service’s own address can be requested', () => {
  for (const address of ['https://photos.example/1.jpg', 'https://1.1.1.1/1.jpg', 'http://127.0.0.1:4700/1.jpg'])
    expect(outside.parseAllowedUrl(address)?.href).toBe(address);
});

const lookUpHost = (addresses: string[], all: boolean): Promise<unknown[]> => {
  const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup = createOutboundPolicy(() => 'https://service.example', resolve).findLookup(
    new URL('https://photos.example'),
  );
  return new Promise((done) =>
    lookup?.('photos.example', { all }, (error, ...found) => done([error?.message, ...found])),
  );
};

test('a host name resolves only to its public addresses', async () => {
  expect(await lookUpHost(['127.0.0.1', '8.8.8.8', '::1'], true)).toEqual([
    undefined,
    [{ address: '8.8.8.8', family: 4 }],
  ]);
  expect(await lookUpHost(['fd00::1', '2606:4700::1111'], false)).toEqual([undefined, '2606:4700::1111', 6]);
  expect(await lookUpHost(['10.0.0.1', '::ffff:10.0.0.1'], true)).toEqual([
    'photos.example is not on the internet.',
    '',
    0,
  ]);
  expect(await lookUpHost([], true)).toEqual(['photos.example is not on the internet.', '', 0]);
});
