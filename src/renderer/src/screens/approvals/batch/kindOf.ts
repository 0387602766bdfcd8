import type { ApprovalView, BatchView } from '../../../api/types.ts';

type Kind = 'publish' | 'end' | 'change';

const publishes: readonly ApprovalView['route'][] = ['publishListing', 'publishChannels'];
const ends: readonly ApprovalView['route'][] = ['endListing', 'endChannels'];

/** What a batch is about: publishes only, ends only, or changes of any kind. A row that cannot be asked decides nothing. */
export const kindOf = ({ rows }: Pick<BatchView, 'rows'>): Kind => {
  const routes = rows.flatMap(({ approval }) => (approval ? [approval.route] : []));
  if (routes.every((route) => publishes.includes(route))) return 'publish';
  return routes.every((route) => ends.includes(route)) ? 'end' : 'change';
};
