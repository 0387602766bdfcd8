import * as z from 'zod';
import type { AssistantApi } from '../../bridge/assistantApi.ts';
import { listing } from '../../contract/index.ts';
import { problemView } from '../../core/base/problem.ts';
import type { Log } from '../../core/base/ports.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { HostTranslator } from '../hostTranslator.ts';
import { practiceSite } from './practicePeople.ts';

/** The person looks around first. */
const askAfterMs = 60_000;

const listingsAnswer = z.looseObject({ listings: z.array(listing) });

/** The words of the practice assistant, in the person's language. A desktop has its texts once it can have windows. */
export type PracticeTexts = Promise<Pick<HostTranslator, 'format'>>;

type PracticeAssistantContext = {
  companion: Pick<Companion, 'builtIn' | 'approvals' | 'clock' | 'onChanged'>;
  /** What every assistant uses; it asks in no other way. */
  api: Pick<AssistantApi, 'call'>;
  texts: PracticeTexts;
  log: Log;
};

/** Asks to publish a listing that is ready, best on the person's own site. Nothing is asked where none is. */
const ask = async ({ companion, api, texts }: PracticeAssistantContext): Promise<void> => {
  const by = companion.builtIn.asker();
  if (!by) return;
  const found = await api.call({ by, route: 'listListings', input: { query: { status: 'pending_review' } } });
  if (found.state !== 'done') return;
  const { listings } = listingsAnswer.parse(found.body);
  const ready = listings.filter(({ publishBlockers }) => (publishBlockers ?? []).length === 0);
  const chosen = ready.find(({ marketplaceId }) => marketplaceId === practiceSite) ?? ready[0];
  if (!chosen) return;
  const reason = (await texts).format('shell.mayPublish');
  await api.call({ by, route: 'publishListing', input: { params: { listingId: chosen.listingId } }, reason });
};

/**
 * Speaks for the assistant that comes with a practice shop: a minute after it is there it asks one question, as any
 * assistant asks. What it asked is in the approvals, so it asks once, whatever ended or was begun again since. Who takes
 * its rights away, or leaves the account, hears nothing. Answers how it is stopped.
 */
export const startPracticeAssistant = (context: PracticeAssistantContext): (() => void) => {
  const { companion, log } = context;
  const { builtIn, approvals, clock } = companion;
  /** Those that wait for their minute, or had it since the start. */
  const begun = new Map<string, AbortController>();

  const askInAMinute = async ({ signal }: AbortController): Promise<void> => {
    await clock.sleep(askAfterMs, signal);
    await ask(context);
  };
  const look = (): void => {
    const assistantId = builtIn.id();
    for (const [id, waiting] of begun)
      if (id !== assistantId) {
        waiting.abort();
        begun.delete(id);
      }
    if (assistantId === null || begun.has(assistantId) || approvals.ofAsker(assistantId).length > 0) return;
    const waiting = new AbortController();
    begun.set(assistantId, waiting);
    askInAMinute(waiting).catch((error: unknown) => {
      if (!waiting.signal.aborted)
        log('info', 'the practice assistant asks nothing', { code: problemView(error).code });
    });
  };
  const stopListening = companion.onChanged((topic) => {
    if (topic === 'app') look();
  });
  look();
  return () => {
    stopListening();
    for (const waiting of begun.values()) waiting.abort();
  };
};
