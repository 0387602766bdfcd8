import type { ActivityRow } from '../../../../src/core/assistants/activity.ts';
import type { OfferView, PairingView } from '../../../../src/core/assistants/assistant.ts';
import { createMessage } from '../../../../src/i18n/message.ts';
import { omitUndefined } from '../omitUndefined.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';

type Assisting = Pick<Answers, Extract<keyof Answers, `assistants.${string}` | `offers.${string}`>>;

const fox = 'Wool sweater with a fox, size M';
const acts: readonly Pick<ActivityRow, 'what' | 'title' | 'fields' | 'status' | 'answeredFrom'>[] = [
  { what: createMessage('activity.listings'), title: null, fields: [], status: 200, answeredFrom: 'service' },
  { what: createMessage('activity.read'), title: fox, fields: [], status: 200, answeredFrom: 'cache' },
  {
    what: createMessage('activity.changeLive'),
    title: fox,
    fields: [createMessage('labels.price'), createMessage('labels.quantity')],
    status: 202,
    answeredFrom: 'companion',
  },
  { what: createMessage('activity.delete'), title: null, fields: [], status: 403, answeredFrom: 'refused' },
];

/** The activity of two assistants, newest first. */
export const fakeActivity = (count = 30): ActivityRow[] =>
  Array.from({ length: Math.ceil(count / acts.length) }, () => acts)
    .flat()
    .slice(0, count)
    .map((act, at) => ({
      ...act,
      at: Date.now() - at * 47_000,
      assistantId: at % 3 === 2 ? 'ast_2' : 'ast_1',
      name: at % 3 === 2 ? 'Weekend bot' : 'Garage helper',
    }));

export const fakeOffer: OfferView = {
  offerId: 'off_1',
  by: 'Garage helper',
  what: 'It would like you to sign in to the marketplace again.',
  isKnown: true,
  host: 'market.example',
  at: 0,
};

export const fakePairing = (): PairingView => ({
  ...{ pairingId: 'p1', name: 'Desk assistant', code: '482 913' },
  nameLike: { kind: 'assistant', name: 'Desk assistаnt' },
  ...{ askedAt: Date.now(), expiresAt: Date.now() + 280_000 },
});

/** Calls about the paired assistants, their activity and the pages that they offer. */
export const createAssistantCalls = (fake: Fake): Assisting => {
  const tell = (): null => {
    setTimeout(() => fake.changed('assistants'), 20);
    return null;
  };
  const dropOffer = (offerId: string): null => {
    fake.offers = fake.offers.filter((one) => one.offerId !== offerId);
    return tell();
  };
  const dropPairing = (pairingId: string): null => {
    fake.pairings = fake.pairings.filter((one) => one.pairingId !== pairingId);
    return tell();
  };
  return {
    'assistants.list': () => ({
      assistants: fake.assistants,
      pairings: fake.pairings.filter(({ expiresAt }) => expiresAt > Date.now()),
    }),
    'assistants.accept': ({ pairingId }) => dropPairing(pairingId),
    'assistants.refuse': ({ pairingId }) => dropPairing(pairingId),
    'assistants.change': ({ assistantId, moneyCentsPerDay, publishesPerDay, ...change }) => {
      fake.assistants = fake.assistants.map((one) =>
        one.assistantId === assistantId
          ? {
              ...one,
              ...omitUndefined(change),
              restored: one.restored && change.paused !== false,
              budget: { ...one.budget, ...omitUndefined({ moneyCentsPerDay, publishesPerDay }) },
            }
          : one,
      );
      return tell();
    },
    'assistants.revoke': ({ assistantId }) => {
      fake.assistants = fake.assistants.filter((one) => one.assistantId !== assistantId);
      return tell();
    },
    'assistants.activity': ({ assistantId }) => ({
      rows: fake.activity.filter((row) => assistantId === undefined || row.assistantId === assistantId),
    }),
    'offers.list': () => fake.offers,
    'offers.open': ({ offerId }) => dropOffer(offerId),
    'offers.dismiss': ({ offerId }) => dropOffer(offerId),
  };
};
