import { createAgentSource } from '../../src/core/service/sendHttpRequest.ts';
import type { OutboundPolicy } from '../../src/core/service/outboundPolicy.ts';

const open = createAgentSource();

/** For places that a test starts on this machine itself. */
export const anywhere: OutboundPolicy = {
  parseAllowedUrl: (address) => new URL(address),
  findLookup: () => undefined,
  openAgent: open,
};
