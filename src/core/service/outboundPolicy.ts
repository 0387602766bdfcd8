import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { createAgentOpener, type OpenAgent } from './sendHttpRequest.ts';

const nonPublicIPv4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/**
 * Networks inside the global range 2000::/3 that are not public. `2002::` is among them, because its addresses can
 * contain any IPv4 address.
 */
const nonPublicIPv6: readonly [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const createBlockList = (type: 'ipv4' | 'ipv6', networks: readonly [string, number][]): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, type);
  return list;
};
const nonPublicList4 = createBlockList('ipv4', nonPublicIPv4);
const nonPublicList6 = createBlockList('ipv6', nonPublicIPv6);
const globalList6 = createBlockList('ipv6', [['2000::', 3]]);
/** The last 32 bits of these addresses are an IPv4 address. */
const translatedList6 = createBlockList('ipv6', [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
]);

const extractEmbeddedIPv4 = (address: string): string => {
  // A URL contains the last two groups in hexadecimal, whatever form the address has.
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high = '0', low = '0'] = host.split(':').slice(-2);
  const bits = [high, low].map((group) => Number.parseInt(group || '0', 16));
  return bits.flatMap((group) => [group >> 8, group & 255]).join('.');
};

/** Returns whether an IP address is on the public internet. */
export const isPublicIp = (address: string): boolean => {
  if (!isIPv6(address)) return isIP(address) === 4 && !nonPublicList4.check(address, 'ipv4');
  // A zone names a network interface of this machine.
  if (address.includes('%')) return false;
  if (translatedList6.check(address, 'ipv6')) return isPublicIp(extractEmbeddedIPv4(address));
  return globalList6.check(address, 'ipv6') && !nonPublicList6.check(address, 'ipv6');
};

export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

const resolveWithSystem: ResolveHost = (host) => promisify(lookup)(host, { all: true });

/** Thrown if a host name has no public address. */
export class NotPublicError extends Error {}

/** The connection uses the address that is checked here, so that DNS rebinding cannot replace it. */
const createPublicLookup =
  (resolve: ResolveHost): LookupFunction =>
  (host, { all }, done) => {
    resolve(host).then(
      (found) => {
        const open = found.filter(({ address }) => isPublicIp(address));
        const [first] = open;
        if (first === undefined) done(new NotPublicError(`${host} is not on the internet.`), '', 0);
        else if (all) done(null, open);
        else done(null, first.address, first.family);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error('Not resolved.', { cause: error }), '', 0),
    );
  };

/** Decides whether the companion connects to an address that the service or an assistant names. */
export type OutboundPolicy = {
  /**
   * If the URL is on the service's own origin, or uses https and names a public host, returns it; otherwise returns
   * null. For a host name, `findLookup` checks the addresses later.
   */
  parseAllowedUrl: (address: string) => URL | null;
  /** Returns undefined for the service itself, because its addresses need not be public. */
  findLookup: (url: URL) => LookupFunction | undefined;
  openAgent: (url: URL) => ReturnType<OpenAgent>;
};

/** Creates the outbound policy. */
export const createOutboundPolicy = (
  serviceUrl: () => string,
  resolve: ResolveHost = resolveWithSystem,
): OutboundPolicy => {
  const publicLookup = createPublicLookup(resolve);
  const openOwn = createAgentOpener();
  const openPublic = createAgentOpener(publicLookup);
  const isServiceOrigin = (url: URL): boolean => url.origin === new URL(serviceUrl()).origin;
  return {
    parseAllowedUrl: (address) => {
      const url = URL.canParse(address) ? new URL(address) : null;
      if (url === null || isServiceOrigin(url)) return url;
      const host = url.hostname.replace(/^\[|\]$/g, '');
      return url.protocol === 'https:' && (isIP(host) === 0 || isPublicIp(host)) ? url : null;
    },
    findLookup: (url) => (isServiceOrigin(url) ? undefined : publicLookup),
    openAgent: (url) => (isServiceOrigin(url) ? openOwn() : openPublic()),
  };
};
