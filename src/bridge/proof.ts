import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { AssistantRegistry } from '../core/assistants/assistants.ts';
import type { Clock } from '../core/base/ports.ts';
import { Problem } from '../core/base/problem.ts';

const digestSchema = z.string().regex(/^[\w-]{43}$/);

/** `tag` proves that the caller knows its token, or the secret of the pairing `pairingId`, but does not reveal it. */
export const proofBody = z.strictObject({
  nonce: digestSchema,
  tag: digestSchema,
  pairingId: z.string().max(60).optional(),
});
type ProofRequest = z.infer<typeof proofBody>;

export type ProofBinding = { nonce: string; caller: string; port: number };

/**
 * Formats one end of a connection. An IPv4-mapped IPv6 address becomes an IPv4 address, so that both sides get the same
 * text.
 */
export const formatSocketAddress = (address: string | undefined, port: number | undefined): string => {
  if (address === undefined || port === undefined) throw new Error('The connection is closed.');
  return `${address.replace(/^::ffff:/i, '')}:${port}`;
};

/**
 * Computes the caller's tag or the companion's proof. Each side reads both ends of the connection from its own socket.
 * A program in the middle has two connections with different ends, so a tag of one connection is invalid on the other.
 */
export const computeConnectionProof = (
  secretSha256: string,
  side: 'caller' | 'companion',
  { nonce, caller, port }: ProofBinding,
): string =>
  createHmac('sha256', Buffer.from(secretSha256, 'hex'))
    .update(`listing-companion proof 2\n${side}\n${nonce}\n${caller}\n${port}`)
    .digest('base64url');

/** Compares two digests in constant time. */
export const areDigestsEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a, 'base64url'), Buffer.from(b, 'base64url')];
  return left.length === right.length && timingSafeEqual(left, right);
};

const maxUnknown = 60;
const windowMs = 60_000;

/**
 * Creates the function that proves to a caller that this program is the companion. Only a caller that knows a token or
 * pairing secret gets a proof. The refusal for all other callers does not reveal whether a pairing exists. Throws
 * `UNAUTHORIZED` or `SLOW_DOWN`.
 */
export const createProofResponder = (
  assistants: Pick<AssistantRegistry, 'secretHashes'>,
  clock: Pick<Clock, 'elapsedMs'>,
) => {
  let [unknown, since] = [0, -Infinity];

  const createProofRefusal = (): Problem => {
    if (clock.elapsedMs() - since >= windowMs) [unknown, since] = [0, clock.elapsedMs()];
    unknown += 1;
    return unknown > maxUnknown
      ? new Problem('SLOW_DOWN', 'Too many callers without a pairing asked for a proof.', { retryAfterS: 60 })
      : new Problem('UNAUTHORIZED', 'The companion knows no such pairing. Pair with it again.');
  };

  /** `ends` must come from the socket, because a caller can write anything into a request. */
  return ({ nonce, tag, pairingId }: ProofRequest, ends: Omit<ProofBinding, 'nonce'>): { proof: string } => {
    const bound = { nonce, ...ends };
    let known: string | null = null;
    for (const hash of assistants.secretHashes(pairingId ?? null))
      if (areDigestsEqual(computeConnectionProof(hash, 'caller', bound), tag)) known = hash;
    if (known === null) throw createProofRefusal();
    return { proof: computeConnectionProof(known, 'companion', bound) };
  };
};
