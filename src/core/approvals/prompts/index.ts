import { routeOf, type ParsedInput, type RouteName, type Routes } from '../../../contract/index.ts';
import { saying } from '../../../words/saying.ts';
import { accountPrompts } from './account.ts';
import { listingPrompts } from './listings.ts';
import type { Draw, Drawn, Reads } from './prompt.ts';
import { drawPublish, drawPublishChannels } from './publish.ts';
import { setupPrompts } from './setup.ts';
import { changesIn, sheet } from './sheet.ts';

/** Routes that ask always or for some bodies, by the built-in table. Writing a listing again asks, too. */
type AskingRoute =
  | {
      [N in RouteName]: Routes[N] extends { askFirst: true } | { askFirstWhen: readonly string[] } ? N : never;
    }[RouteName]
  | 'generateListing';

/** The prompt of every route that asks; one that is missing does not compile. */
const draws: { [N in AskingRoute]: Draw<N> } = {
  publishListing: drawPublish,
  publishChannels: drawPublishChannels,
  ...listingPrompts,
  ...setupPrompts,
  ...accountPrompts,
};

/** The routes that have a prompt of their own. */
export const promptedRoutes = Object.keys(draws) as AskingRoute[];

/** Draws what the person is shown for a request, from fresh reads. */
export const drawPrompt = (name: RouteName, input: unknown, reads: Reads): Promise<Drawn> => {
  const draw = (draws as Partial<Record<RouteName, Draw<RouteName>>>)[name];
  // The table pairs each name with its input; that is lost on a name known only at run time.
  return draw ? draw(input as ParsedInput<RouteName>, reads) : Promise.resolve(drawStricter(name, input, reads));
};

/** A route that asks only because the live list says so: its summary and every field that it would send. */
const drawStricter = (name: RouteName, input: unknown, reads: Reads): Drawn => {
  const { summary, reversible } = routeOf(name);
  return sheet(
    {
      act: summary.replace(/[.;].*$/, ''),
      consequence: saying('prompts.otherMeans', { summary }),
      yes: saying('prompts.otherYes'),
      ...(reversible === false ? {} : { undo: saying('prompts.otherUndo') }),
      changes: changesIn(undefined, input),
    },
    reads,
  );
};
