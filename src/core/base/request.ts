import * as z from 'zod';
import type { RawInput, RouteName } from '../../contract/index.ts';

/** The source of a request: the person, or a paired assistant under its own name. */
export type Asker = { kind: 'person' } | { kind: 'assistant'; assistantId: string; name: string };
/** The person, or the companion on the person's behalf. */
export const person: Asker = { kind: 'person' };

/** The stored form of an asker. */
export const askerShape: z.ZodType<Asker> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() }),
]);

/** Returns the asker's id in stored rows. */
export const toAskerId = (by: Asker): string => (by.kind === 'person' ? 'person' : by.assistantId);

/**
 * The result of an approved act for display. `code` is `NOT_CHECKED` if reading cannot confirm it; `url` is its
 * page.
 */
export type OutcomeSummary = { code: string | null; sentence: string; url: string | null };

/**
 * The result of `perform`. `status` and `headers` are the service's. Source `cache` means that an assistant repeated
 * a call too soon and gets the answer from `ageMs` ago.
 */
export type Outcome =
  | {
      state: 'done';
      status: number;
      headers: Record<string, string>;
      answer: unknown;
      /** The raw answer of the service, if the asker may see all of it. */
      text?: string | undefined;
      source: 'service' | 'cache';
      ageMs: number;
      /** The verified result of an approved act; the service's answer alone is no proof. */
      told?: OutcomeSummary | undefined;
    }
  | { state: 'pending'; approvalId: string; summary: string; expiresAt: number };

export type PerformRequest = {
  by: Asker;
  route: RouteName;
  input: RawInput;
  /** The asker's explanation for the person. */
  reason?: string | undefined;
  /** How long to wait for the person's decision, in ms. */
  waitMs?: number;
  /**
   * The companion makes this request itself on behalf of the asker. Rights and limits of assistants are skipped:
   * never set it for a request that an assistant makes.
   */
  internal?: true;
  /** No caller waits interactively: while the service has a fault, the request waits until it recovers. */
  unattended?: true;
  /** The base URL at which the asker reaches this companion; URLs in the answer start with it. */
  reachedAt?: string;
  signal?: AbortSignal | undefined;
};

/**
 * Checks a request, requests an approval if one is needed, and sends it. Returns the service's answer, or `pending`
 * with the approval's id. Throws `Problem`. Every request to the service passes here.
 */
export type Perform = (request: PerformRequest) => Promise<Outcome>;
