import * as z from 'zod';
import type { RawInput, RouteName } from '../../contract/index.ts';

export type AssistantAsker = { kind: 'assistant'; assistantId: string; name: string };
export type Asker = { kind: 'person' } | AssistantAsker;
/** The person, or the companion when it works for the person. */
export const person: Asker = { kind: 'person' };

export const askerShape: z.ZodType<Asker> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() }),
]);

/** Returns the id that stored rows use for an asker. */
export const toAskerId = (by: Asker): string => (by.kind === 'person' ? 'person' : by.assistantId);

/** `code` is `NOT_CHECKED` if the companion cannot verify the result of the approved act. */
export type OutcomeSummary = { code: string | null; sentence: string; url: string | null };

/** If an assistant repeats a call too soon, the source is `cache` and the answer is `ageMs` old. */
export type Outcome =
  | {
      state: 'done';
      status: number;
      headers: Record<string, string>;
      answer: unknown;
      text?: string | undefined;
      source: 'service' | 'cache';
      ageMs: number;
      /** The verified result of an approved act. The answer of the service alone does not prove it. */
      told?: OutcomeSummary | undefined;
    }
  | { state: 'pending'; approvalId: string; summary: string; expiresAt: number };

export type PerformRequest = {
  by: Asker;
  route: RouteName;
  input: RawInput;
  reason?: string | undefined;
  /** The item to remove after the person's yes is carried out, because its quantity is then part of the listing. */
  addedItemId?: string | undefined;
  /** How long to wait for the person's decision, in ms. */
  waitMs?: number;
  /** Skips the checks of an assistant's rights and limits, so never set it for a request that an assistant makes. */
  internal?: true;
  /** Set if no caller is waiting for the result. The request is then held back while the service has a fault. */
  unattended?: true;
  /** The base URL under which the asker reaches this companion. URLs in the answer start with it. */
  reachedAt?: string;
  signal?: AbortSignal | undefined;
};

/**
 * Sends a request, or creates an approval if one is needed. Throws `Problem`. Every request to the service passes
 * through this function.
 */
export type Perform = (request: PerformRequest) => Promise<Outcome>;
