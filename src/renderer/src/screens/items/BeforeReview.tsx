import { useItemMutation } from '../../api/useCall.ts';
import { IconBarcode } from '@tabler/icons-react';
import type { CallInput } from '../../../../ipc/calls.ts';
import { callCore, type ItemView } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import styles from './before.module.css';
import { ShelfSection } from './review/ShelfSection.tsx';
import { ItemTemplateField } from './TemplateSelect.tsx';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import { NoteField } from './review/fields/TextField.tsx';

type Barcode = ItemView['barcodes'][number];
type SetBarcodeState = (value: string, state: CallInput<'items.barcode'>['state']) => void;

const FoundBarcodeRow = ({ value, say }: { value: string; say: SetBarcodeState }) => (
  <li>
    <IconBarcode size={16} aria-hidden />
    <span>{value}</span>
    <button type="button" aria-label={t('photo.barcodes.useOne', { value })} onClick={() => say(value, 'confirmed')}>
      {t('photo.barcodes.use')}
    </button>
    <button type="button" aria-label={t('photo.barcodes.noOne', { value })} onClick={() => say(value, 'dismissed')}>
      {t('photo.barcodes.no')}
    </button>
  </li>
);

const UsedBarcodeRow = ({ value, say }: { value: string; say: SetBarcodeState }) => (
  <li>
    <span>{t('photo.barcodes.used', { value })}</span>
    <button type="button" aria-label={t('photo.barcodes.noOne', { value })} onClick={() => say(value, 'dismissed')}>
      {t('photo.barcodes.back')}
    </button>
  </li>
);

const isBarcodeShown = ({ state }: Barcode): boolean => state !== 'dismissed';
const wasItemPublished = ({ step }: ItemView): boolean => step === 'live' || step === 'ended';

/** The writer uses a barcode only after the person confirms it. */
export const ItemBarcodeList = ({ item }: { item: ItemView }) => {
  const { mutate } = useItemMutation((answer: CallInput<'items.barcode'>) => callCore('items.barcode', answer));
  const open = item.barcodes.filter(isBarcodeShown);
  if (open.length === 0 || wasItemPublished(item)) return null;
  const setBarcodeState: SetBarcodeState = (value, state) => mutate({ itemId: item.itemId, value, state });
  return (
    <ul className={styles.barcodes} aria-label={t('photo.barcodes.title')}>
      {open.map(({ value, state }) =>
        state === 'confirmed' ? (
          <UsedBarcodeRow key={value} value={value} say={setBarcodeState} />
        ) : (
          <FoundBarcodeRow key={value} value={value} say={setBarcodeState} />
        ),
      )}
    </ul>
  );
};

const ItemNoteField = ({ item: { itemId, note } }: { item: ItemView }) => (
  <div className={styles.text}>
    <NoteField
      label={t('items.note')}
      minRows={3}
      placeholder={t('items.noteHint')}
      saved={note}
      save={async (text) => void (await callCore('items.change', { itemId, changes: { note: text } }))}
    />
  </div>
);

const FolderTextField = ({ item, text }: { item: ItemView; text: NonNullable<ItemView['text']> }) => {
  const use = useItemMutation((used: boolean) => callCore('items.useText', { itemId: item.itemId, used }));
  return (
    <div className={styles.text}>
      <label>
        <input
          type="checkbox"
          checked={text.used}
          disabled={use.isPending}
          onChange={(event) => use.mutate(event.currentTarget.checked)}
        />
        {t('items.useText', { name: escapeHiddenText(text.name) })}
      </label>
      <p className={styles.soft}>
        <UntrustedText text={text.text} fold={300} />
      </p>
    </div>
  );
};

export const UsedWritingInput = ({ item: { note, text } }: { item: ItemView }) => {
  const used = text?.used ? text : null;
  if (note === '' && used === null) return null;
  return (
    <div>
      <h3>{t('items.yourNote')}</h3>
      {note !== '' && (
        <p className={styles.soft}>
          <UntrustedText text={note} fold={300} />
        </p>
      )}
      {used && (
        <p className={styles.soft}>
          {t('items.usedText', { name: escapeHiddenText(used.name) })}
          {'\n'}
          <UntrustedText text={used.text} fold={300} />
        </p>
      )}
    </div>
  );
};

const PrivatePartsLine = ({ item: { privateParts } }: { item: ItemView }) =>
  privateParts.length > 0 && (
    <p className={styles.soft}>
      {t('items.privateParts', { words: privateParts.map(({ text }) => escapeHiddenText(text)).join(', ') })}
    </p>
  );

export const BeforeReview = ({ item }: { item: ItemView }) => (
  <>
    {item.noteOpen ? (
      <>
        <ItemNoteField item={item} />
        {item.text && <FolderTextField item={item} text={item.text} />}
      </>
    ) : (
      <UsedWritingInput item={item} />
    )}
    <PrivatePartsLine item={item} />
    <ShelfSection target={{ itemId: item.itemId }} currency={null} />
    <ItemTemplateField item={item} />
    {!item.stop && item.reviewReason === null && <p className={styles.soft}>{t('items.comesHere')}</p>}
  </>
);
