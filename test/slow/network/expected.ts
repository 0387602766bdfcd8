import { routes, getRouteByName, isKeySentToRoute, type RouteName } from '../../../src/contract/index.ts';
import { faults, type Fault, type FaultName } from './faults.ts';

/** The expected result of one call that meets one fault. */
export type Expected = {
  /** How often it arrives at the service. */
  arrivals: number;
  /** How often it takes effect. */
  effects: number;
  says: { code: string; sentence: string; retryAfterS?: number } | null;
  /** The final state of its approval, if it needs one. */
  approval: 'done' | 'failed' | 'unconfirmed' | null;
  connection: 'connected' | 'reconnect' | 'none';
  /** Whether the person is told that the service cannot be reached. */
  offline: boolean;
};

/** Routes with an approval whose outcome a read can show. The person must check all other outcomes. */
export const tellable: readonly RouteName[] = [
  'publishListing',
  'publishChannels',
  'reviseChannels',
  'deleteFromChannels',
  'endListing',
  'endChannels',
  'reviseListing',
  'updateListing',
  'deleteListing',
  'generateListing',
  'quoteFees',
  'updateUser',
  'updateSellerDefaults',
  'disconnectMarket',
  'setExtras',
  'updateTemplate',
  'deleteTemplate',
  'deleteConnection',
  'revokeCurrentKey',
];

/** Returns whether the interface allows the request to be repeated. A draft has an idempotency key for that. */
const isRepeatable = (name: RouteName): boolean => {
  const { method, repeatable } = getRouteByName(name);
  return repeatable ?? (method === 'GET' || method === 'PUT' || method === 'DELETE');
};

const unreachable = {
  code: 'SERVICE_UNREACHABLE',
  sentence: 'The service cannot be reached. Check the internet connection; nothing was sent.',
};
const createNoAnswer = (name: RouteName) => ({
  code: 'NO_ANSWER',
  sentence:
    routes[name].method === 'GET'
      ? 'The service did not answer. Please try again in a moment.'
      : 'The service did not answer, so it is not known whether the request arrived.',
});
const createForbidden = (name: RouteName) =>
  isKeySentToRoute(getRouteByName(name))
    ? {
        code: 'RECONNECT_NEEDED',
        sentence: 'The service no longer accepts this connection. Please connect again.',
      }
    : { code: 'NOT_FOR_ASSISTANTS', sentence: 'The service no longer lets assistants do this.' };

const getSays = (name: RouteName, { result, says }: Fault): NonNullable<Expected['says']> => {
  if (says) return says;
  if (result === 'unreached') return unreachable;
  return result === 'forbidden' ? createForbidden(name) : createNoAnswer(name);
};

/** Returns whether one retry is expected. */
const isRetried = (name: RouteName, asked: boolean, { result }: Fault): boolean => {
  if (result === 'unreached') return true;
  if (result === 'forbidden') return isKeySentToRoute(getRouteByName(name));
  return result === 'unclear' && !asked && isRepeatable(name);
};

/** The guide is plain text, so any response is valid. */
const takesText: readonly RouteName[] = ['readGuide'];

/** Routes without an approval whose outcome is checked by reading the listing. */
const lookedUpUnasked: readonly RouteName[] = ['relistListing'];

/** Returns the expected result if the fault meets every attempt (`lasting`) or only the first. */
export const expected = (name: RouteName, asked: boolean, faultName: FaultName, lasting: boolean): Expected => {
  const fault: Fault = faults[faultName];
  const again = isRetried(name, asked, fault);
  const tries = again ? 2 : 1;
  const taken = faultName === 'malformed JSON' && takesText.includes(name);
  if (fault.result === 'answered' || taken || (again && !lasting)) {
    const arrivals = again && fault.result !== 'unreached' ? 2 : 1;
    return {
      arrivals,
      effects: fault.works ? arrivals : 1,
      says: null,
      approval: asked ? 'done' : null,
      connection: 'connected',
      offline: false,
    };
  }
  const arrivals = fault.result === 'unreached' ? 0 : tries;
  const failed: Expected = {
    arrivals,
    effects: fault.works ? arrivals : 0,
    says: getSays(name, fault),
    approval: asked ? 'failed' : null,
    connection: fault.result === 'forbidden' && again ? 'reconnect' : 'connected',
    offline: ['SERVICE_UNREACHABLE', 'NO_ANSWER'].includes(getSays(name, fault).code),
  };
  const isLookedUp = asked || lookedUpUnasked.includes(name);
  if (!isLookedUp || !['unclear', 'unclear for long', 'strange'].includes(fault.result)) return failed;
  const found = { ...failed, ...expectChecked(name, fault, faultName) };
  return asked ? found : { ...found, approval: null };
};

/** Returns the sentence about what came back, and how the text continues after it. */
const describeAnswer = ({ order, result }: Fault): { what: string; joint: string } => {
  if (order !== null && typeof order['status'] === 'number') {
    const said = typeof order['error'] === 'string' ? order['error'] : `HTTP ${order['status']}`;
    return { what: `The service answered with an error: “${said}”.`, joint: ' ' };
  }
  const what = result === 'strange' ? 'The service’s answer could not be understood' : 'The service did not answer';
  return { what, joint: ', and ' };
};

const joinText = (joint: string, text: string): string =>
  joint + (joint === ' ' ? text.slice(0, 1).toUpperCase() + text.slice(1) : text);

/** Returns the outcome of a request that needed an approval: it is never resent, but checked by a read or the person. */
const expectChecked = (name: RouteName, fault: Fault, faultName: FaultName): Partial<Expected> => {
  const { works } = fault;
  const { what, joint } = describeAnswer(fault);
  const isTold = tellable.includes(name) || (lookedUpUnasked.includes(name) && faultName !== 'timeout');
  if (!isTold) {
    const unknown =
      'there is no way to ask whether it went through. It is not sent again; check there before you ask once more.';
    const says = { code: 'UNCONFIRMED', sentence: what + joinText(joint, unknown) };
    return { approval: 'unconfirmed', says };
  }
  // A successful check shows that the service is reachable again.
  if (works) return { approval: 'done', says: null, offline: false };
  if (faultName === 'timeout') {
    // The service can still be processing the request, so the outcome stays open for ten minutes.
    const still =
      'The service did not answer. The companion is checking whether it went through; it is not sent again.';
    return { approval: 'unconfirmed', says: { code: 'UNCONFIRMED', sentence: still }, offline: false };
  }
  const sentence = what + joinText(joint, 'a check shows that nothing happened. You can ask again.');
  return { approval: 'failed', says: { code: 'NOT_DONE', sentence }, offline: false };
};
