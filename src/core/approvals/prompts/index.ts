import { routeNames, routeOf, type ParsedInput, type RouteName, type Routes } from '../../../contract/index.ts';
import type { Prompt, Subject } from '../../storage/tables/approvalRecord.ts';
import { recordOf } from '../../base/json.ts';
import { createSubject, type Asked, type Gathered } from '../subject.ts';
import { message } from '../../../i18n/message.ts';
import { accountActs } from './account.ts';
import { channelActs } from './channelActs.ts';
import { drawSheet, listingOf } from './draw.ts';
import { listingActs } from './listings.ts';
import { gatherNames, namesIn } from './names.ts';
import type { Act, Moment, Reads } from './prompt.ts';
import { publishChannels, publishListing } from './publish.ts';
import { setupActs } from './setup.ts';

/**
 * Routes that need approval for some bodies by the companion's own rules: regenerating, and turning off important notices.
 */
type AskingByRule = 'generateListing' | 'updateUserNotificationPreferences' | 'updatePushPreferences';

/** Routes that need approval always or for some bodies, by the built-in table or by a rule. */
type AskingRoute =
  | {
      [N in RouteName]: Routes[N] extends { askFirst: true } | { askFirstWhen: readonly string[] } ? N : never;
    }[RouteName]
  | AskingByRule;

/** The act of every route that needs approval. A missing route does not compile. */
const acts: { [N in AskingRoute]: Act<N> } = {
  publishListing,
  publishChannels,
  ...listingActs,
  ...channelActs,
  ...setupActs,
  ...accountActs,
};

export const promptedRoutes = routeNames.filter((name): name is AskingRoute => Object.hasOwn(acts, name));

/** The act of a route that needs approval only by the live list: its summary, and every field that it sends. */
const stricter: Act<RouteName> = {
  gather: async ({ params = {} }: { params?: Record<string, string> }, reads) => {
    const { listingId } = params;
    if (listingId === undefined) return {};
    const listing = await reads.listing(listingId);
    return { listing, photos: await reads.photos(listing, false) };
  },
  sheet: ({ subject }) => {
    const { summary, reversible } = routeOf(subject.request.route);
    return {
      act: summary.replace(/[.;].*$/, ''),
      consequence: message('prompts.otherMeans', { summary }),
      yes: message('prompts.otherYes'),
      ...(reversible === false ? {} : { undo: message('prompts.otherUndo') }),
    };
  },
};

// The table types each act by its route. That link is lost for a name known only at run time.
const actOf = (route: RouteName): Act<RouteName> =>
  (acts as unknown as Partial<Record<RouteName, Act<RouteName>>>)[route] ?? stricter;

/** Reads each list once per prompt. */
const readOnce = (reads: Reads): Reads => {
  const answers = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const answer = answers.get(key) ?? read();
    answers.set(key, answer);
    // Each key is used with one read function, so the type is known.
    return answer as Promise<T>;
  };
  return {
    ...reads,
    policies: (site) => once(`policies ${site}`, () => reads.policies(site)),
    plain: (route) => once(route, () => reads.plain(route)),
  };
};

/** Returns the site whose policies a request may name. */
const siteOfRequest = ({ listing, context = {} }: Gathered, body: unknown): string | null => {
  const sites = [body, context['record'], listing].map((record) => recordOf(record)['marketplaceId']);
  return sites.find((site): site is string => typeof site === 'string') ?? null;
};

/**
 * Reads everything that the approval of this request will be bound to. Throws a `Problem` if the service would refuse it
 * anyway.
 */
export const gatherSubject = async (
  asked: Asked,
  by: 'person' | 'assistant',
  from: Reads,
): Promise<{ subject: Subject; moment: Moment }> => {
  const reads = readOnce(from);
  const { moment, ...gathered } = await actOf(asked.route).gather(asked.input as ParsedInput<RouteName>, reads, by);
  const { body, params, query } = recordOf(asked.input);
  const { listing, context } = gathered;
  const site = siteOfRequest(gathered, body);
  const names = await gatherNames([body, params, query, listing, context], { site, listing }, reads);
  return {
    subject: createSubject(asked, names.length === 0 ? gathered : { ...gathered, context: { ...context, names } }),
    moment: moment ?? { readAt: reads.now(), reason: null },
  };
};

export const drawPrompt = (subject: Subject, moment: Moment): Prompt => {
  const names = namesIn(subject);
  const sheet = actOf(subject.request.route).sheet({
    input: subject.request.input as ParsedInput<RouteName>,
    get listing() {
      return listingOf(subject);
    },
    subject,
    moment,
    names,
  });
  return drawSheet(subject, sheet, names);
};
