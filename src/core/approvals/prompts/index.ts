import { routeNames, getRouteByName, type ParsedInput, type RouteName, type Routes } from '../../../contract/index.ts';
import type { Prompt, Subject } from '../../storage/tables/approvalRecord.ts';
import { toRecordOrEmpty } from '../../base/json.ts';
import { createBoundSubject, type SubjectRequest, type GatheredFacts } from '../subject.ts';
import { createMessage } from '../../../i18n/message.ts';
import { accountPrompts } from './account.ts';
import { channelPrompts } from './channelPrompts.ts';
import { renderPromptContent, parseSubjectListing } from './renderPromptContent.ts';
import { listingPrompts } from './listings.ts';
import { gatherIdNames, createBoundIdNames } from './idNames.ts';
import type { PromptDefinition, UnboundPromptInfo, Reads } from './promptDefinition.ts';
import { publishChannels, publishListing } from './publish.ts';
import { setupPrompts } from './setup.ts';

/** The companion's own rules require approval for some bodies of these routes. */
type RuleApprovalRoute = 'generateListing' | 'updateUserNotificationPreferences' | 'updatePushPreferences';

type ApprovalRoute =
  | {
      [N in RouteName]: Routes[N] extends { askFirst: true } | { askFirstWhen: readonly string[] } ? N : never;
    }[RouteName]
  | RuleApprovalRoute;

/** A route that is missing here is a compile error. */
const promptsByRoute: { [N in ApprovalRoute]: PromptDefinition<N> } = {
  publishListing,
  publishChannels,
  ...listingPrompts,
  ...channelPrompts,
  ...setupPrompts,
  ...accountPrompts,
};

export const promptedRoutes = routeNames.filter((name): name is ApprovalRoute => Object.hasOwn(promptsByRoute, name));

/** Used for routes that need approval only because the service's live route list requires it. */
const liveListPrompt: PromptDefinition<RouteName> = {
  gather: async ({ params = {} }: { params?: Record<string, string> }, reads) => {
    const { listingId } = params;
    if (listingId === undefined) return {};
    const listing = await reads.listing(listingId);
    return { listing, photos: await reads.photos(listing, false) };
  },
  render: ({ subject }) => {
    const { summary, reversible } = getRouteByName(subject.request.route);
    return {
      act: summary.replace(/[.;].*$/, ''),
      consequence: createMessage('prompts.otherMeans', { summary }),
      yes: createMessage('prompts.otherYes'),
      ...(reversible === false ? {} : { undo: createMessage('prompts.otherUndo') }),
    };
  },
};

// TypeScript cannot relate a route name that is known only at run time to the type of its entry.
const findPromptDefinition = (route: RouteName): PromptDefinition<RouteName> =>
  (promptsByRoute as unknown as Partial<Record<RouteName, PromptDefinition<RouteName>>>)[route] ?? liveListPrompt;

const createCachedReads = (reads: Reads): Reads => {
  const answers = new Map<string, Promise<unknown>>();
  const readKeyOnce = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const answer = answers.get(key) ?? read();
    answers.set(key, answer);
    // Each key is always used with one read function, so the type is right.
    return answer as Promise<T>;
  };
  return {
    ...reads,
    policies: (site) => readKeyOnce(`policies ${site}`, () => reads.policies(site)),
    plain: (route) => readKeyOnce(route, () => reads.plain(route)),
  };
};

const findRequestSite = ({ listing, context = {} }: GatheredFacts, body: unknown): string | null => {
  const sites = [body, context['record'], listing].map((record) => toRecordOrEmpty(record)['marketplaceId']);
  return sites.find((site): site is string => typeof site === 'string') ?? null;
};

/** Reads everything that the approval will be bound to. Throws a `Problem` if the service would refuse the request. */
export const gatherBoundSubject = async (
  asked: SubjectRequest,
  by: 'person' | 'assistant',
  from: Reads,
): Promise<{ subject: Subject; moment: UnboundPromptInfo }> => {
  const reads = createCachedReads(from);
  const { moment, ...gathered } = await findPromptDefinition(asked.route).gather(
    asked.input as ParsedInput<RouteName>,
    reads,
    by,
  );
  const { body, params, query } = toRecordOrEmpty(asked.input);
  const { listing, context } = gathered;
  const site = findRequestSite(gathered, body);
  const names = await gatherIdNames([body, params, query, listing, context], { site, listing }, reads);
  return {
    subject: createBoundSubject(asked, names.length === 0 ? gathered : { ...gathered, context: { ...context, names } }),
    moment: moment ?? { readAt: reads.now(), reason: null },
  };
};

export const renderPrompt = (subject: Subject, moment: UnboundPromptInfo): Prompt => {
  const names = createBoundIdNames(subject);
  const sheet = findPromptDefinition(subject.request.route).render({
    input: subject.request.input as ParsedInput<RouteName>,
    get listing() {
      return parseSubjectListing(subject);
    },
    subject,
    moment,
    names,
  });
  return renderPromptContent(subject, sheet, names);
};
