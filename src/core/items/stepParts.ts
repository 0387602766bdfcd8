import type { AnswerOf, InputOf, RouteName } from '../../contract/index.ts';
import type { ItemsContext } from './context.ts';
import type { Step } from '../storage/tables/itemRecord.ts';
import type { ItemRow } from '../storage/tables/itemsTable.ts';
import { stopFor } from './itemErrors.ts';

/** A request of the way itself. None of these may ever need the person: the ones that do are asked for elsewhere. */
export const request = async <N extends RouteName>(
  context: ItemsContext,
  item: ItemRow,
  route: N,
  input: InputOf<N>,
  signal: AbortSignal,
): Promise<AnswerOf<N>> => {
  const outcome = await context.perform({ by: item.by, paced: true, unattended: true, route, input, signal });
  if (outcome.state === 'pending') throw stopFor('ASKED_AGAIN');
  return outcome.answer as AnswerOf<N>;
};

/** The listing of an item that is past its draft. */
export const listingIdOf = (item: ItemRow): string => {
  if (item.listing_id === null) throw new Error('An item past its draft has a listing.');
  return item.listing_id;
};

/** Puts an item on its next step. */
export const advance = (
  context: ItemsContext,
  item: ItemRow,
  step: Step,
  more: Parameters<ItemsContext['table']['change']>[1] = {},
): void => {
  context.table.change(item.item_id, { step, ...more }, context.clock.now());
  context.touched(item.item_id);
};
