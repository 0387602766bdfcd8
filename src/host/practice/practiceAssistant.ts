import * as z from 'zod';
import type { AssistantApi } from '../../bridge/assistantApi.ts';
import { listing } from '../../contract/index.ts';
import { toProblemView } from '../../core/base/problem.ts';
import type { Log } from '../../core/base/ports.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { HostTranslator } from '../hostTranslator.ts';
import { practiceSite } from './practicePeople.ts';

/** The person needs time to look around before the assistant asks for anything. */
const requestAfterMs = 60_000;

const listingsAnswer = z.looseObject({ listings: z.array(listing) });

/** The promise resolves after the desktop app can open windows. */
export type PracticeTexts = Promise<Pick<HostTranslator, 'format'>>;

type PracticeAssistantContext = {
  companion: Pick<Companion, 'builtIn' | 'approvals' | 'clock' | 'onChanged'>;
  /** The practice assistant has only the access that every assistant has. */
  api: Pick<AssistantApi, 'call'>;
  texts: PracticeTexts;
  log: Log;
};

/** Prefers a listing on the practice site. */
const requestFirstPublish = async ({ companion, api, texts }: PracticeAssistantContext): Promise<void> => {
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

/** Requests one approval, one minute after the practice shop appears. The stored approval prevents a second request. */
export const startPracticeAssistant = (context: PracticeAssistantContext): (() => void) => {
  const { companion, log } = context;
  const { builtIn, approvals, clock } = companion;
  const begun = new Map<string, AbortController>();

  const requestAfterDelay = async ({ signal }: AbortController): Promise<void> => {
    await clock.sleep(requestAfterMs, signal);
    await requestFirstPublish(context);
  };
  const updateRequestTimer = (): void => {
    const assistantId = builtIn.id();
    for (const [id, waiting] of begun)
      if (id !== assistantId) {
        waiting.abort();
        begun.delete(id);
      }
    if (assistantId === null || begun.has(assistantId) || approvals.listOfAsker(assistantId).length > 0) return;
    const waiting = new AbortController();
    begun.set(assistantId, waiting);
    requestAfterDelay(waiting).catch((error: unknown) => {
      if (!waiting.signal.aborted)
        log('info', 'practice assistant request failed', { code: toProblemView(error).code });
    });
  };
  const stopListening = companion.onChanged((topic) => {
    if (topic === 'app') updateRequestTimer();
  });
  updateRequestTimer();
  return () => {
    stopListening();
    for (const waiting of begun.values()) waiting.abort();
  };
};
