import * as z from 'zod';
import { callBridge } from './callBridge.ts';

const asked = z.object({
  pairingId: z.string(),
  pairingSecret: z.string(),
  code: z.string(),
  expiresAt: z.string(),
  pollAfterMs: z.number(),
});
const polled = z.object({
  state: z.enum(['waiting', 'accepted', 'refused', 'expired']),
  token: z.string().optional(),
});

/** Where a pairing stands, with its token where it was just accepted. */
export type PairingState = z.infer<typeof polled>;

/** A request to be let in that the person has not answered yet. */
export type Pairing = z.infer<typeof asked>;

/** Asks to be let in. The person compares the code. */
export const requestPairing = async (url: string, name: string): Promise<Pairing> =>
  asked.parse((await callBridge(new URL('/companion/pairings', url), 'POST', { body: { name } })).body);

/** Where a pairing stands; the token comes once, with the first read after the person has accepted. */
export const readPairing = async (url: string, { pairingId, pairingSecret }: Pairing): Promise<PairingState> => {
  const address = new URL(`/companion/pairings/${encodeURIComponent(pairingId)}`, url);
  return polled.parse((await callBridge(address, 'GET', { authorization: `Pairing ${pairingSecret}` })).body);
};
