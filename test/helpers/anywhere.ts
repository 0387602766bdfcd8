import { createAgentSource } from '../../src/core/service/exchange.ts';
import type { Outside } from '../../src/core/service/outside.ts';

const open = createAgentSource();

/** For places that a test starts on this machine itself. */
export const anywhere: Outside = { urlOf: (address) => new URL(address), lookupOf: () => undefined, openAgent: open };
