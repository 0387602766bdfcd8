import { Button, Modal, NativeSelect } from '@mantine/core';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { editableStatuses, marketChannel } from '../../../../../contract/index.ts';
import type { ListingRow } from '../../../api/call.ts';
import { findKnownWord } from '../../../api/unknownRecord.ts';
import { useFocusRestore } from '../../../components/Keys.tsx';
import { ErrorLine, ProblemLine } from '../../../components/ScreenPage.tsx';
import { getSharedWeightUnits } from '../../../components/text/packedWeight.ts';
import { t } from '../../../i18n.ts';
import { useTitleLengthLimit } from '../../selling/useSelling.ts';
import styles from './bulk.module.css';
import {
  bulkFields,
  planBulkUndo,
  planBulkChanges,
  type AppliedBulkEdit,
  type BulkField,
  type BulkPlan,
  type BulkTarget,
} from './bulkChanges.ts';
import { emptyBulkDraft, toBulkRule, useCategoryConditions, useMedianPrices, type BulkDraft } from './bulkDraft.ts';
import { BulkFieldInputs } from './BulkFields.tsx';
import { BulkPreviewTable, type RowChoices } from './BulkPreview.tsx';
import { useBulkEditRun, useBulkEditTargets, useLastBulkEdit, type BulkEditState } from './useBulkEdit.ts';

const toggleSetMember = (set: ReadonlySet<string>, member: string): ReadonlySet<string> =>
  set.has(member) ? new Set([...set].filter((other) => other !== member)) : new Set([...set, member]);

const noneRemoved: ReadonlySet<string> = new Set();

const useBulkRowChoices = (mayRemove: boolean, order: readonly string[]): RowChoices => {
  const last = useRef<string | null>(null);
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const toggleRowRemoval = (listingId: string, range: boolean): void => {
    const ends = [order.indexOf(last.current ?? ''), order.indexOf(listingId)].sort((a, b) => a - b);
    last.current = listingId;
    const [from = -1, to = -1] = ends;
    if (!range || from < 0) setRemoved((before) => toggleSetMember(before, listingId));
    else setRemoved((before) => new Set([...before, ...order.slice(from, to + 1)]));
  };
  return {
    out,
    removed: mayRemove ? removed : noneRemoved,
    onOut: (listingId) => setOut((before) => toggleSetMember(before, listingId)),
    onRemove: mayRemove ? toggleRowRemoval : null,
  };
};

const formatSubmitLabel = (now: number, asks: number, allLive: boolean): string => {
  if (now + asks === 0) return t('listings.bulk.none');
  if (now === 0) return t(allLive ? 'listings.bulk.ask' : 'listings.bulk.askAny', { count: asks });
  return asks === 0 ? t('listings.bulk.now', { count: now }) : t('listings.bulk.nowAndAsk', { count: now, asks });
};

const formatDisabledReason = (plan: BulkPlan | null): string => {
  if (plan === null) return t('listings.bulk.notYet');
  return t(plan.changes.length === 0 ? 'listings.bulk.noneFit' : 'listings.bulk.noneTicked');
};

type HintProps = { edit: BulkEditState; plan: BulkPlan | null; now: number; count: number };

const BulkEditHint = ({ edit, plan, now, count }: HintProps) => (
  <span className={styles.soft} aria-live="polite">
    {edit.busy && now > 0
      ? t('listings.bulk.sent', { count: edit.sent, of: now })
      : count === 0
        ? formatDisabledReason(plan)
        : t(count > now ? 'listings.bulk.hint' : 'listings.bulk.hintNow')}
  </span>
);

type BulkFormProps = {
  field: BulkField;
  plan: BulkPlan | null;
  edit: BulkEditState;
  /** Only a person who changes prices weighs ending a listing instead. */
  mayRemove?: boolean;
  children?: ReactNode;
};

const BulkEditForm = ({ field, plan, edit, mayRemove = false, children }: BulkFormProps) => {
  const order = (plan?.changes ?? []).map(({ row }) => row.listingId);
  const choices = useBulkRowChoices(mayRemove, order);
  const rows = (plan?.changes ?? []).filter(({ row }) => !choices.out.has(row.listingId));
  const isRowRemoved = (row: ListingRow): boolean => choices.removed.has(row.listingId);
  const changes = rows.filter(({ row }) => !isRowRemoved(row));
  const removals = rows.filter(({ row }) => isRowRemoved(row));
  const now = changes.filter(({ asks }) => !asks).length;
  const submitBulkEdit = (event: FormEvent): void => {
    event.preventDefault();
    if (rows.length > 0) edit.send({ field, changes, removals });
  };
  return (
    <form className={styles.form} onSubmit={submitBulkEdit}>
      {children}
      {field === 'sku' && changes.length > 1 && (
        <ProblemLine>{t('listings.bulk.sameSku', { count: changes.length })}</ProblemLine>
      )}
      {plan && <BulkPreviewTable field={field} plan={plan} choices={choices} />}
      <ErrorLine error={edit.error} />
      <div className={styles.foot}>
        <Button type="submit" variant="ink" loading={edit.busy} disabled={rows.length === 0}>
          {formatSubmitLabel(
            now,
            rows.length - now,
            rows.every(({ live }) => live),
          )}
        </Button>
        <BulkEditHint edit={edit} plan={plan} now={now} count={rows.length} />
      </div>
    </form>
  );
};

type BulkDialogProps = {
  rows: readonly ListingRow[];
  onClose: () => void;
  onDone: (failed: readonly ListingRow[]) => void;
};

type BulkEditFieldsProps = { targets: readonly BulkTarget[]; edit: BulkEditState; percent: number | null };

const BulkEditFields = ({ targets, edit, percent }: BulkEditFieldsProps) => {
  const [draft, setDraft] = useState<BulkDraft>({ ...emptyBulkDraft, typed: percent === null ? '' : String(percent) });
  const medians = useMedianPrices();
  const listings = targets.flatMap(({ listing }) => listing ?? []);
  const conditions = useCategoryConditions(listings, draft.field === 'condition');
  const site = listings.find(({ status }) => status !== 'published')?.marketplaceId ?? null;
  const editable = listings.filter(({ status }) => editableStatuses.includes(status));
  const units = getSharedWeightUnits(editable.map(({ marketplaceId }) => marketplaceId));
  const longest = useTitleLengthLimit(draft.field === 'title' ? [marketChannel] : []);
  const rule = toBulkRule(draft, { medians: medians.medians, accepted: conditions.accepted, site, longest, units });
  const changeBulkDraft = (changes: Partial<BulkDraft>): void => setDraft((before) => ({ ...before, ...changes }));
  return (
    <BulkEditForm
      field={draft.field}
      plan={rule && planBulkChanges(targets, rule)}
      edit={edit}
      mayRemove={draft.field === 'price'}
    >
      <div className={styles.fields}>
        <NativeSelect
          label={t('listings.bulk.what')}
          value={draft.field}
          onChange={(event) =>
            changeBulkDraft({ field: findKnownWord(bulkFields, event.currentTarget.value) ?? 'price', value: '' })
          }
          data={bulkFields.map((value) => ({ value, label: t(`listings.bulk.field.${value}`) }))}
        />
        <BulkFieldInputs
          {...{ draft, set: changeBulkDraft, targets, medians, site, units }}
          conditions={conditions.choices}
        />
      </div>
    </BulkEditForm>
  );
};

/** Drafts change at once. Changes of offers and of live listings need an approval. `percent` preselects a price change. */
export const BulkEditDialog = ({
  rows,
  percent,
  onClose,
  onDone,
}: BulkDialogProps & Pick<BulkEditFieldsProps, 'percent'>) => {
  useFocusRestore();
  const targets = useBulkEditTargets(rows);
  const edit = useBulkEditRun(onDone);
  // The modal focuses a field when it opens, so the fields must exist before the modal opens.
  if (!targets) return null;
  return (
    <Modal opened onClose={onClose} title={t('listings.bulk.title', { count: rows.length })} size={960} padding="lg">
      <BulkEditFields targets={targets} edit={edit} percent={percent} />
    </Modal>
  );
};

const UndoBulkEditDialog = ({
  applied,
  onClose,
  onDone,
}: Omit<BulkDialogProps, 'rows'> & { applied: AppliedBulkEdit }) => {
  useFocusRestore();
  const targets = useBulkEditTargets(applied.rows.map(({ row }) => row));
  const edit = useBulkEditRun(onDone);
  if (!targets) return null;
  return (
    <Modal opened onClose={onClose} title={t('listings.bulk.backTitle')} size={960} padding="lg">
      <BulkEditForm field={applied.field} plan={planBulkUndo(targets, applied)} edit={edit} />
    </Modal>
  );
};

export const UndoBulkEdit = () => {
  const { last, forget } = useLastBulkEdit();
  // Running the undo replaces `last`, so the dialog keeps the change that it undoes.
  const [open, setOpen] = useState<AppliedBulkEdit | null>(null);
  if (last === null && open === null) return null;
  const closeUndoDialog = (): void => setOpen(null);
  return (
    <div className={styles.putBack} role="status">
      {last && (
        <>
          <span className={styles.soft}>
            {t('listings.bulk.last', { count: last.rows.length, field: t(`listings.bulk.field.${last.field}`) })}
          </span>
          <Button size="compact-sm" onClick={() => setOpen(last)}>
            {t('listings.bulk.back')}
          </Button>
          <Button size="compact-sm" variant="quiet" onClick={forget}>
            {t('listings.bulk.forget')}
          </Button>
        </>
      )}
      {open && <UndoBulkEditDialog applied={open} onClose={closeUndoDialog} onDone={closeUndoDialog} />}
    </div>
  );
};
