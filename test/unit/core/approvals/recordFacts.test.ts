import { expect, test } from 'vitest';
import { createRecordFacts } from '../../../../src/core/approvals/prompts/listingFacts.ts';
import de from '../../../../src/i18n/locales/de/core.json' with { type: 'json' };
import { createMessageTranslator } from '../../../../src/i18n/format.ts';
import { createMessage } from '../../../../src/i18n/message.ts';

const german = createMessageTranslator('de', de);
const template = {
  marketplaceId: 'MKT_DE',
  handlingTimeDays: 2,
  flatMinor: 499,
  postage: 'flat',
  giftWrap: true,
  inner: { price: 100 },
};

test('template fields are translated, and amounts use the currency of the template’s site', () => {
  const facts = createRecordFacts('templates', template);
  const shownRows = facts.map(({ label, labelSays, value, says }) => [
    labelSays ? german(labelSays) : label,
    (says ? (german(says) ?? value) : value).replaceAll('\u00a0', ' '),
  ]);
  expect(shownRows).toEqual([
    ['Website', 'Deutschland'],
    ['Bearbeitungszeit in Tagen', '2'],
    ['Versandpauschale', '4,99 €'],
    ['Versandkosten', 'pauschaler Versand'],
    ['Unbekanntes Feld „giftWrap“', 'ja'],
    ['Unbekanntes Feld „inner.price“', '1,00 €'],
  ]);
});

test('a nested field is labelled as unknown, and an unknown value is shown unchanged', () => {
  const facts = createRecordFacts('templates', { inner: { price: 'flat' }, postage: 'free' });
  expect(facts.map(({ labelSays, says }) => [labelSays, says])).toEqual([
    [
      createMessage('values.unknownField', { field: createMessage('notices.quoted', { text: 'inner.price' }) }),
      undefined,
    ],
    [{ key: 'labels.postage' }, undefined],
  ]);
});

test('an amount on an unknown site is shown without a currency', () => {
  const [fact] = createRecordFacts('defaults', { bestOffer: { autoAcceptCents: 4_500 } });
  expect(fact?.value).not.toContain('$');
});
