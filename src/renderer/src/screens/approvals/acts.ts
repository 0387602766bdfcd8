import type { ApprovalView } from '../../api/types.ts';

type Route = ApprovalView['route'];
/** What an approval is about, as far as the screens have words of their own for it. */
export type Act = 'publish' | 'change' | 'end' | 'delete' | 'other';

const acts: Partial<Record<Route, Act>> = {
  publishListing: 'publish',
  publishChannels: 'publish',
  reviseListing: 'change',
  reviseChannels: 'change',
  endListing: 'end',
  endChannels: 'end',
  deleteListing: 'delete',
};

/** What a route does, as far as the questions tell acts apart. */
export const actOf = (route: Route): Act => acts[route] ?? 'other';

const holds: Partial<Record<Route, 'delete' | 'disconnect'>> = {
  deleteTemplate: 'delete',
  disconnectMarket: 'disconnect',
  deleteConnection: 'disconnect',
  revokeCurrentKey: 'disconnect',
};

/** What happens when the seconds to take it back are over. */
export const holdOf = (route: Route): 'end' | 'delete' | 'disconnect' | 'other' => {
  const act = actOf(route);
  return act === 'end' || act === 'delete' ? act : (holds[route] ?? 'other');
};

/** Whether a route puts a listing on sale. */
export const isPublish = (route: Route): boolean => actOf(route) === 'publish';
