import * as z from 'zod';
import type { RawInput, RouteName } from '../../contract/index.ts';

/** Who asks: the person in a window, or a paired assistant under the name it gave itself. */
export type Asker = { kind: 'person' } | { kind: 'assistant'; assistantId: string; name: string };
/** The person at the window, and the companion on the person's behalf. */
export const person: Asker = { kind: 'person' };

/** An asker as approvals and items store it. */
export const askerShape: z.ZodType<Asker> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('assistant'), assistantId: z.string(), name: z.string() }),
]);

/** Names an asker in stored rows. */
export const askerIdOf = (by: Asker): string => (by.kind === 'person' ? 'person' : by.assistantId);

/** How the person reads an act that was done: `code` is `NOT_CHECKED` where reading does not show it; `url` is its page. */
export type Told = { code: string | null; sentence: string; url: string | null };

/**
 * What a caller of `perform` gets. `status` and `headers` are the service's own; `cache` says that an assistant asked
 * again too soon and gets the answer of `ageMs` ago.
 */
export type Outcome =
  | {
      state: 'done';
      status: number;
      headers: Record<string, string>;
      answer: unknown;
      /** The answer as the service wrote it, where the asker may see all of it. */
      text?: string | undefined;
      source: 'service' | 'cache';
      ageMs: number;
      /** What the person reads of it where they said yes: the service's answer alone proves nothing. */
      told?: Told | undefined;
    }
  | { state: 'pending'; approvalId: string; summary: string; expiresAt: number };

export type Request = {
  by: Asker;
  route: RouteName;
  input: RawInput;
  /** The asker's own words for the person. */
  reason?: string | undefined;
  /** How long to wait for the person, in ms. */
  waitMs?: number;
  /**
   * The companion makes this request in its own time, whoever wanted it. Neither the rights nor the limits of an assistant
   * hold for it: never set it for what an assistant asks for itself.
   */
  internal?: true;
  /** Nobody waits for it: where the service has a fault, it waits until that is over. */
  unattended?: true;
  /** Where the asker reaches this companion: addresses of its own that it is given begin with this. */
  reachedAt?: string;
  signal?: AbortSignal | undefined;
};

/**
 * The one way to the service: judges a request, asks the person where a yes is needed, and sends it. Answers the service's
 * answer, or `pending` with the id of the approval. Throws `Problem`.
 */
export type Perform = (request: Request) => Promise<Outcome>;
