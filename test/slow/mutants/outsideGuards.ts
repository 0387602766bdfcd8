import type { Guard } from './guard.ts';

const outside = 'src/core/service/outboundPolicy.ts';

/** Guards against connections to this machine and its network at addresses that others choose. */
export const outsideGuards: readonly Guard[] = [
  {
    id: 'public-address',
    keeps: 'The companion never connects to an address of this machine or its network.',
    file: outside,
    source: '&& (isIP(host) === 0 || isPublicIp(host)) ? url : null',
    without: '? url : null',
    tests: ['test/flows/approvals/localPhotos.test.ts'],
  },
  {
    id: 'public-name',
    keeps: 'The companion never connects to a name that resolves to this machine or its network.',
    file: outside,
    source: 'found.filter(({ address }) => isPublicIp(address))',
    without: 'found',
    tests: ['test/unit/core/photos/readPhoto.test.ts'],
    only: 'a host name of this machine',
  },
  {
    id: 'one-lookup',
    keeps: 'A connection goes to the address that was checked.',
    file: 'src/core/photos/readPhoto.ts',
    source: '...(lookup === undefined ? {} : { lookup }),',
    without: '',
    tests: ['test/unit/core/photos/readPhoto.test.ts'],
    only: 'host name of',
  },
];
