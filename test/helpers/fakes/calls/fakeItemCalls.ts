import type { ItemView } from '../../../../src/core/storage/tables/itemRecord.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { fakeItems } from '../fakeData.ts';
import { refuse } from '../fakeRefusal.ts';

type Items = Pick<Answers, `items.${'get' | 'add' | 'addSamples' | 'note' | 'cancel' | 'resume' | 'remove'}`>;

/** The list of items and what can be done with one. */
export const itemCalls = (fake: Fake): Items => {
  const item = (itemId: string): ItemView =>
    fake.items.find((one) => one.itemId === itemId) ?? refuse('NOT_FOUND', 'This item is no longer here.');
  return {
    'items.get': ({ itemId }) => item(itemId),
    'items.add': () =>
      window.scenario?.added ?? { itemIds: [], skipped: 1, sentence: '1 item added, 1 file passed over.' },
    'items.addSamples': () => {
      fake.items = fakeItems();
      fake.changed('items');
      return { itemIds: ['fox'], skipped: 0, sentence: '9 items added.' };
    },
    'items.note': ({ itemId, note }) => Object.assign(item(itemId), { note }),
    'items.cancel': ({ itemId }) =>
      Object.assign(item(itemId), {
        words: 'You cancelled this',
        stop: { kind: 'cancelled', code: 'CANCELLED', sentence: 'You stopped this.', next: ['resume', 'remove'] },
      }),
    'items.resume': ({ itemId }) => Object.assign(item(itemId), { stop: null, words: 'Going on' }),
    'items.remove': ({ itemId }) => {
      fake.items = fake.items.filter((one) => one.itemId !== itemId);
      return null;
    },
  };
};
