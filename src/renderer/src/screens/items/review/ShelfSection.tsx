import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { CallAnswer, CallInput } from '../../../../../ipc/calls.ts';
import { callCore } from '../../../api/call.ts';
import { openLabelsDialog } from '../../../api/labelTargets.ts';
import { useUsualCurrency } from '../../../api/queries.ts';
import { notifyError, useCoreQuery } from '../../../api/useCall.ts';
import { FieldFrame, onCtrlEnter, useDraftField } from '../../../components/fields/DraftField.tsx';
import { MoneyInputField } from '../../../components/fields/MoneyInput.tsx';
import { useOfferedAction } from '../../../components/acts/offeredActs.tsx';
import { KeyCap, useScreenKeys } from '../../../components/Keys.tsx';
import { findMoneyProblem, formatCentsInput, parseCentsInput } from '../../../components/text/format.ts';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t } from '../../../i18n.ts';
import { NoteField, TextField } from './fields/TextField.tsx';
import styles from './review.module.css';

type ShelfTarget = { itemId: string } | { listingId: string };
type ShelfView = CallAnswer<'shelf.read'>;
type ShelfFields = ShelfView['fields'];
type ShelfChanges = CallInput<'shelf.change'>['changes'];
type Money = NonNullable<ShelfFields['cost']>;

const toTargets = (target: ShelfTarget) =>
  'itemId' in target ? { itemIds: [target.itemId] } : { listingIds: [target.listingId] };

/** The key begins with the topic that announces every change of the shelf. */
const useShelf = (target: ShelfTarget): ShelfView | undefined =>
  useCoreQuery(['listings', 'shelf', target], 'shelf.read', target).data;

const trimText = (text: string): string => text.trim();

type SaveShelf = (changes: ShelfChanges) => Promise<void>;

type MoneyFieldProps = {
  label: string;
  saved: Money | null;
  /** The currency of a new amount. */
  currency: string;
  save: (amount: Money | null) => Promise<void>;
};

const findAmountProblem = (text: string): string | null =>
  text.trim() === '' ? null : findMoneyProblem(text, { least: 0 });

const normaliseAmountText = (text: string): string => {
  const cents = parseCentsInput(text);
  return cents === null ? text : formatCentsInput(cents);
};

const ShelfMoneyField = ({ label, saved, currency: usual, save }: MoneyFieldProps) => {
  const id = useId();
  const currency = saved?.currency ?? usual;
  const field = useDraftField({
    saved: formatCentsInput(saved?.minor),
    save: (text) => {
      const minor = parseCentsInput(text);
      return save(minor === null ? null : { minor, currency });
    },
    check: findAmountProblem,
    tidy: normaliseAmountText,
  });
  return (
    <FieldFrame id={id} label={label} note={field.note} problems={field.problem === null ? [] : [field.problem]}>
      <MoneyInputField
        id={id}
        currency={currency}
        value={field.text}
        onChange={field.type}
        onChoose={field.keep}
        onBlur={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
        error={field.problem !== null}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};

const ShelfDateField = ({ saved, save }: { saved: string | null; save: (text: string | null) => Promise<void> }) => {
  const id = useId();
  const field = useDraftField({ saved: saved ?? '', save: (text) => save(text === '' ? null : text) });
  return (
    <FieldFrame
      id={id}
      label={t('shelf.boughtAt')}
      note={field.note}
      problems={field.problem === null ? [] : [field.problem]}
    >
      <TextInput
        id={id}
        type="date"
        value={field.text}
        onChange={(event) => field.type(event.currentTarget.value)}
        onBlur={() => void field.commit()}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};

export const emptyPackage = { weightG: null, lengthMm: null, widthMm: null, heightMm: null };
type Package = NonNullable<ShelfFields['package']>;

const toPackage = (changed: Package): Package | null =>
  Object.values(changed).every((value) => value === null) ? null : changed;

const formatSize = ({ lengthMm, widthMm, heightMm }: Package): string => {
  const lengths = [lengthMm, widthMm, heightMm];
  return lengths.includes(null) ? '' : lengths.map((mm) => formatCentimetres(mm ?? 0)).join(' × ');
};
const formatCentimetres = (mm: number): string => String(mm / 10);

/** Returns three lengths in mm; null if the text does not have three lengths in cm. */
export const parseSize = (text: string): readonly [number, number, number] | null => {
  const lengths = text.split(/[×x*\s]+/i).filter(Boolean);
  const [length = 0, width = 0, height = 0] = lengths.map((part) => Math.round(Number(part.replace(',', '.')) * 10));
  const areLengths = [length, width, height].every((mm) => mm >= 1 && mm <= 100_000);
  return lengths.length === 3 && areLengths ? [length, width, height] : null;
};

export const findGramsProblem = (text: string): string | null =>
  /^\s*([1-9]\d{0,5})?\s*$/.test(text) ? null : t('shelf.weightProblem');

export const findSizeProblem = (text: string): string | null =>
  text.trim() === '' || parseSize(text) !== null ? null : t('shelf.sizeProblem');

const normaliseSizeText = (text: string): string => parseSize(text)?.map(formatCentimetres).join(' × ') ?? text;

/** Returns the tags of a text in which commas separate them. */
export const parseTags = (text: string): string[] => text.split(',').flatMap((tag) => tag.trim() || []);

type ShelfFieldsProps = { fields: ShelfFields; currency: string; save: SaveShelf };

const ShelfPackageFields = ({ fields, save }: ShelfFieldsProps) => {
  const packed = fields.package ?? emptyPackage;
  const savePackage = (changes: Partial<Package>): Promise<void> =>
    save({ package: toPackage({ ...packed, ...changes }) });
  return (
    <div className={styles.pair} data-even>
      <TextField
        label={t('shelf.weight')}
        numeric
        saved={packed.weightG === null ? '' : String(packed.weightG)}
        save={(text) => savePackage({ weightG: text.trim() === '' ? null : Number(text) })}
        check={findGramsProblem}
      />
      <TextField
        label={t('shelf.size')}
        numeric
        saved={formatSize(packed)}
        tidy={normaliseSizeText}
        save={(text) => {
          const [lengthMm, widthMm, heightMm] = parseSize(text) ?? [null, null, null];
          return savePackage({ lengthMm, widthMm, heightMm });
        }}
        check={findSizeProblem}
      />
    </div>
  );
};

const MoreShelfFields = ({ fields, currency, save }: ShelfFieldsProps) => (
  <>
    <p className={styles.soft}>{t('shelf.private')}</p>
    <TextField
      label={t('shelf.tags')}
      hint={() => t('shelf.tagsHint')}
      saved={fields.tags.join(', ')}
      tidy={(text) => parseTags(text).join(', ')}
      save={(text) => save({ tags: parseTags(text) })}
    />
    <div className={styles.pair} data-even>
      <TextField
        label={t('shelf.boughtFrom')}
        saved={fields.boughtFrom ?? ''}
        save={(boughtFrom) => save({ boughtFrom })}
      />
      <ShelfDateField saved={fields.boughtAt} save={(boughtAt) => save({ boughtAt })} />
    </div>
    <ShelfPackageFields {...{ fields, currency, save }} />
    <div className={styles.pair} data-even>
      <ShelfMoneyField
        label={t('shelf.postagePaid')}
        saved={fields.postagePaid}
        currency={currency}
        save={(postagePaid) => save({ postagePaid })}
      />
      <ShelfMoneyField
        label={t('shelf.otherCosts')}
        saved={fields.otherCosts}
        currency={currency}
        save={(otherCosts) => save({ otherCosts })}
      />
    </div>
    <NoteField label={t('shelf.note')} minRows={2} saved={fields.note ?? ''} save={(note) => save({ note })} />
  </>
);

const FirstShelfFields = ({ fields, currency, save }: ShelfFieldsProps) => (
  <div className={styles.shelf}>
    <TextField
      label={t('listings.column.sku')}
      tidy={trimText}
      saved={fields.sku ?? ''}
      save={(sku) => save({ sku })}
    />
    <TextField label={t('shelf.place')} tidy={trimText} saved={fields.place ?? ''} save={(place) => save({ place })} />
    <ShelfMoneyField label={t('shelf.cost')} saved={fields.cost} currency={currency} save={(cost) => save({ cost })} />
  </div>
);

const noFields: ShelfFields = {
  ...{ sku: null, place: null, cost: null, boughtAt: null, boughtFrom: null },
  ...{ package: null, tags: [], note: null, postagePaid: null, otherCosts: null },
};

/**
 * What only the person knows about an item or listing. The fields are rendered before their values are read, so that
 * nothing moves. If `currency` is null, new amounts have the currency of the site in the settings.
 */
export const ShelfSection = ({ target, currency }: { target: ShelfTarget; currency: string | null }) => {
  const view = useShelf(target);
  const [open, setOpen] = useState(false);
  const { fields, nextSku, skuTakenBy } = view ?? { fields: noFields, nextSku: null, skuTakenBy: null };
  const save: SaveShelf = async (changes) => void (await callCore('shelf.change', { ...toTargets(target), changes }));
  const assignNextSku = (): void =>
    void callCore('shelf.number', toTargets(target)).then(
      ({ withoutPlace: count }) => count > 0 && notifications.show({ message: t('shelf.withoutPlace', { count }) }),
      notifyError,
    );
  useScreenKeys({ g: assignNextSku });
  useOfferedAction({ act: 'sku', name: t('shelf.key'), run: assignNextSku });
  useOfferedAction({ act: 'labels', name: t('labels.find'), run: () => openLabelsDialog(toTargets(target)) });
  const usual = useUsualCurrency();
  const given = { fields, currency: currency ?? usual, save };
  return (
    <section aria-label={t('shelf.title')} className={styles.shelfSection}>
      <FirstShelfFields {...given} />
      {skuTakenBy && (
        <p role="status" className={styles.taken}>
          <IconAlertTriangle size={15} aria-hidden />
          {t('shelf.taken', { name: escapeHiddenText(skuTakenBy.name) })}
        </p>
      )}
      <div className={styles.fieldLine}>
        <button type="button" className={styles.disclosure} aria-expanded={open} onClick={() => setOpen(!open)}>
          <IconChevronRight size={14} aria-hidden />
          {t('shelf.more')}
        </button>
        {nextSku !== null && (
          <button
            type="button"
            className={styles.inline}
            aria-label={t('shelf.assign', { sku: escapeHiddenText(nextSku) })}
            aria-keyshortcuts="G"
            onClick={assignNextSku}
          >
            {nextSku} <KeyCap>G</KeyCap>
          </button>
        )}
      </div>
      {open && <MoreShelfFields {...given} />}
    </section>
  );
};
