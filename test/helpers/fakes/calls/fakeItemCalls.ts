import type { ItemView } from '../../../../src/core/storage/tables/itemRecord.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { fakeItems } from '../fakeData.ts';
import { refuse } from '../fakeRefusal.ts';

type Items = Pick<
  Answers,
  `items.${'get' | 'add' | 'addInto' | 'beginWith' | 'addSamples' | 'changePhotos' | 'change' | 'useText' | 'check' | 'defer' | 'cancel' | 'resume' | 'skipUnreadable' | 'remove'}`
>;

const arranged = { arrangeable: true, reviewReason: 'replacingPhotos' as const };

/** The list of items and what can be done with one. */
export const itemCalls = (fake: Fake): Items => {
  const item = (itemId: string): ItemView =>
    fake.items.find((one) => one.itemId === itemId) ?? refuse('NOT_FOUND', 'This item is no longer here.');
  return {
    'items.get': ({ itemId }) => item(itemId),
    'items.add': () => window.scenario?.added ?? { itemIds: [], skipped: 1, sentence: '1 item added, 1 file skipped.' },
    'items.addInto': ({ into }) => {
      if ('itemId' in into) {
        const { photos } = item(into.itemId);
        const [like] = photos;
        if (like) photos.push({ ...like, photoId: `${like.photoId}-${photos.length}`, name: 'sharper.jpg' });
        fake.changed('items');
        return { itemIds: [into.itemId], skipped: 0, sentence: '1 photo.' };
      }
      const like = item('laptop');
      const itemId = `of ${into.listingId}`;
      fake.items = [
        { ...like, itemId, listingId: into.listingId, step: 'arranging', stop: null, ...arranged },
        ...fake.items,
      ];
      fake.changed('items');
      return { itemIds: [itemId], skipped: 0, sentence: '1 photo.' };
    },
    'items.changePhotos': ({ itemId }) =>
      Object.assign(item(itemId), { step: 'arranging', stop: null, words: 'Ready to check', ...arranged }),
    'items.addSamples': () => {
      fake.items = fakeItems();
      fake.changed('items');
      return { itemIds: ['fox'], skipped: 0, sentence: '9 items added.' };
    },
    'items.change': ({ itemId, changes }) => Object.assign(item(itemId), changes),
    'items.beginWith': ({ itemId, templateId }) =>
      Object.assign(item(itemId), {
        template: { templateId, mayChange: true },
        ...(item(itemId).stop?.code === 'TEMPLATE_GONE' ? { stop: null, words: 'Starting the draft' } : {}),
      }),
    'items.useText': ({ itemId, used }) => {
      const one = item(itemId);
      return Object.assign(one, { text: one.text && { ...one.text, used } });
    },
    'items.check': ({ itemId, seen }) => {
      const { listingId } = item(itemId);
      const { title } = fake.listings[listingId ?? ''] ?? {};
      if (seen !== null && title !== seen.title) refuse('LOOK_AGAIN', 'This listing changed while you looked at it.');
      const now = Object.assign(item(itemId), { checked: seen !== null });
      fake.changed('items');
      return now;
    },
    'items.defer': ({ itemId }) =>
      Object.assign(item(itemId), { step: 'arranging', reviewReason: 'requested', deferrable: false }),
    'items.cancel': ({ itemId }) =>
      Object.assign(item(itemId), {
        words: 'You cancelled this',
        stop: { kind: 'cancelled', code: 'CANCELLED', sentence: 'You stopped this.', next: ['resume', 'remove'] },
      }),
    'items.skipUnreadable': ({ itemId }) => Object.assign(item(itemId), { stop: null, words: 'Going on' }),
    'items.resume': ({ itemId }) => Object.assign(item(itemId), { stop: null, words: 'Going on' }),
    'items.remove': ({ itemId }) => {
      fake.items = fake.items.filter((one) => one.itemId !== itemId);
      return null;
    },
  };
};
