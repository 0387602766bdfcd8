import { createAgentOpener } from '../../src/core/service/sendHttpRequest.ts';
import type { OutboundPolicy } from '../../src/core/service/outboundPolicy.ts';

const open = createAgentOpener();

/** For places that a test starts on this machine itself. */
export const anywhere: OutboundPolicy = {
  parseAllowedUrl: (address) => new URL(address),
  findLookup: () => undefined,
  openAgent: open,
};
