import * as z from 'zod';
import type { AssistantChanges } from '../core/assistants/assistant.ts';
import type { Settings } from '../core/base/settings.ts';

/**
 * What a call of the window needs once the person has set up a proof. `proof`: the person confirms exactly this call.
 * `record`: the core records the call in the ledger. `none`: the call reads, changes a draft, stops something, or asks
 * with a prompt, which needs a proof of its own.
 */
export type Protection = 'none' | 'record' | 'proof';

/** The state by which a call is judged to weaken protection or not. */
export type CallState = {
  settings: Settings;
  relaxedMinutes: number;
  /** Returns whether changes let an assistant do more than now. */
  widensAccess: (assistantId: string, changes: AssistantChanges) => boolean;
  /**
   * Returns whether a code that was sent to this address connects the last connected account again, while no key of it
   * works.
   */
  canReconnect: (email: string) => boolean;
};

export type IpcCall<S extends z.ZodType, A> = {
  readonly input: S;
  readonly protection: Protection;
  /** Returns whether this input of a protected call weakens nothing in this state, so that it needs no proof. */
  readonly isFree: (input: z.output<S>, state: CallState) => boolean;
  /** Never set: the property exists only for its type. */
  answer?: { value: A };
};
/** Declares a call. The schema is built on first use, because it would slow down the start to build all schemas. */
export const defineIpcCall = <S extends z.ZodType>(
  protection: Protection,
  build: () => S,
  isFree: (input: z.output<S>, state: CallState) => boolean = () => false,
) => ({
  answering: <A>(): IpcCall<S, A> => {
    let built: S | undefined;
    return {
      protection,
      isFree,
      get input() {
        return (built ??= build());
      },
    };
  },
});

/** An id of the companion, the service or a program. Longer texts are refused before anything stores them. */
export const idShape = z.string().min(1).max(200);

export const createEmptyInputSchema = () => z.object({}).prefault({});
