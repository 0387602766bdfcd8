import type { AnswerOf, InputOf, RouteName } from '../../../contract/index.ts';
import { call } from './call.ts';
import { CallError } from './callError.ts';
import { t } from '../i18n/t.ts';

/** What came of a request to the service: its answer, or a question that now waits for the person. */
export type Performed<N extends RouteName> =
  { state: 'done'; answer: AnswerOf<N> } | { state: 'pending'; approvalId: string };

/** Any route of the interface, asked by the person, through the one door. */
export const perform = async <N extends RouteName>(route: N, input: InputOf<N>): Promise<Performed<N>> => {
  const outcome = await call('service.perform', { route, input });
  return outcome.state === 'done'
    ? { state: 'done', answer: outcome.answer as AnswerOf<N> }
    : { state: 'pending', approvalId: outcome.approvalId };
};

/** The answer of a route that never asks. */
export const read = async <N extends RouteName>(route: N, input: InputOf<N>): Promise<AnswerOf<N>> => {
  const performed = await perform(route, input);
  if (performed.state === 'done') return performed.answer;
  throw new CallError({ code: 'WAITING_FOR_YES', sentence: t('help.waits') });
};
