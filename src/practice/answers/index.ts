import type { RouteName } from '../../contract/index.ts';
import { accountAnswers } from './account.ts';
import { agentAnswers } from './agent.ts';
import type { Answers } from './answer.ts';
import { billingAnswers } from './billing.ts';
import { channelAnswers } from './channels.ts';
import { insightAnswers } from './insights.ts';
import { listingAnswers } from './listings.ts';
import { marketAnswers } from './market.ts';

/** What every route of the interface does. A route without an answer does not compile. */
export const answers = {
  ...accountAnswers,
  ...listingAnswers,
  ...marketAnswers,
  ...insightAnswers,
  ...billingAnswers,
  ...channelAnswers,
  ...agentAnswers,
} satisfies Answers<RouteName>;
