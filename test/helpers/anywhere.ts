import { createAgentOpener } from '../../src/core/service/sendHttpRequest.ts';
import type { OutboundPolicy } from '../../src/core/service/outboundPolicy.ts';

const open = createAgentOpener();

/** Allows every address, for servers that a test starts on this machine. */
export const anywhere: OutboundPolicy = {
  parseAllowedUrl: (address) => new URL(address),
  findLookup: () => undefined,
  openAgent: open,
};
