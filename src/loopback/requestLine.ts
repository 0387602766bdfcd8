import type { IncomingMessage } from 'node:http';

/** How many hosts a request names: of two, one program would believe the first and another the second. */
export const hostsIn = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;

/** Whether the first line of a request is meant for us: an address of another host, or another protocol, is not. */
export const isForUs = ({ url = '', httpVersionMajor }: IncomingMessage): boolean =>
  url.startsWith('/') && !url.startsWith('//') && httpVersionMajor === 1;
