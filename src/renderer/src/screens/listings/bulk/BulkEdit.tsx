import { Button, Modal, NativeSelect } from '@mantine/core';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { marketChannel } from '../../../../../contract/index.ts';
import { sentenceOf, type ListingRow } from '../../../api/call.ts';
import { oneOf } from '../../../api/unknownRecord.ts';
import { useFocusBack } from '../../../components/Keys.tsx';
import { ProblemLine } from '../../../components/Page.tsx';
import { t } from '../../../i18n.ts';
import { useTitleLimit } from '../../selling/useSelling.ts';
import styles from './bulk.module.css';
import {
  bulkFields,
  planBack,
  planChanges,
  type Applied,
  type BulkField,
  type BulkPlan,
  type BulkTarget,
} from './bulkChanges.ts';
import { firstDraft, ruleIn, useConditionsOf, useMedians, type BulkDraft } from './bulkDraft.ts';
import { BulkFields } from './BulkFields.tsx';
import { BulkPreview, type RowChoices } from './BulkPreview.tsx';
import { useBulkEdit, useBulkTargets, useLastBulk, type BulkEditing } from './useBulkEdit.ts';

const toggled = (set: ReadonlySet<string>, one: string): ReadonlySet<string> =>
  set.has(one) ? new Set([...set].filter((other) => other !== one)) : new Set([...set, one]);

const useRowChoices = (mayRemove: boolean, order: readonly string[]): RowChoices => {
  const last = useRef<string | null>(null);
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const remove = (listingId: string, range: boolean): void => {
    const ends = [order.indexOf(last.current ?? ''), order.indexOf(listingId)].sort((a, b) => a - b);
    last.current = listingId;
    const [from = -1, to = -1] = ends;
    if (!range || from < 0) setRemoved((before) => toggled(before, listingId));
    else setRemoved((before) => new Set([...before, ...order.slice(from, to + 1)]));
  };
  return {
    out,
    removed,
    onOut: (listingId) => setOut((before) => toggled(before, listingId)),
    onRemove: mayRemove ? remove : null,
  };
};

/** Returns the label of the button: the number of immediate changes and of requested approvals. */
const submitText = (now: number, asks: number): string => {
  if (now + asks === 0) return t('listings.bulk.none');
  if (now === 0) return t('listings.bulk.ask', { count: asks });
  return asks === 0 ? t('listings.bulk.now', { count: now }) : t('listings.bulk.nowAndAsk', { count: now, asks });
};

/** Returns why the button is disabled: no value yet, no listing accepts the change, or no row is ticked. */
const whyNone = (plan: BulkPlan | null): string => {
  if (plan === null) return t('listings.bulk.notYet');
  return t(plan.changes.length === 0 ? 'listings.bulk.noneFit' : 'listings.bulk.noneTicked');
};

type HintProps = { edit: BulkEditing; plan: BulkPlan | null; now: number; count: number };

/** Next to the button: the progress, the effect or why the button is disabled. */
const Hint = ({ edit, plan, now, count }: HintProps) => (
  <span className={styles.soft} aria-live="polite">
    {edit.busy && now > 0
      ? t('listings.bulk.sent', { count: edit.sent, of: now })
      : count === 0
        ? whyNone(plan)
        : t(count > now ? 'listings.bulk.hint' : 'listings.bulk.hintNow')}
  </span>
);

type BodyProps = {
  field: BulkField;
  plan: BulkPlan | null;
  edit: BulkEditing;
  mayRemove?: boolean;
  children?: ReactNode;
};

/** The preview of a change and the submit button: drafts change at once, other listings need an approval. */
const BulkBody = ({ field, plan, edit, mayRemove = false, children }: BodyProps) => {
  const order = (plan?.changes ?? []).map(({ row }) => row.listingId);
  const choices = useRowChoices(mayRemove, order);
  const rows = (plan?.changes ?? []).filter(({ row }) => !choices.out.has(row.listingId));
  const isRemoved = (row: ListingRow): boolean => choices.removed.has(row.listingId);
  const changes = rows.filter(({ row }) => !isRemoved(row));
  const removals = rows.filter(({ row }) => isRemoved(row));
  const now = changes.filter(({ live }) => !live).length;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (rows.length > 0) edit.send({ field, changes, removals });
  };
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      {children}
      {plan && <BulkPreview field={field} plan={plan} choices={choices} />}
      {edit.error && <ProblemLine>{sentenceOf(edit.error)}</ProblemLine>}
      <div className={styles.foot}>
        <Button type="submit" variant="ink" loading={edit.busy} disabled={rows.length === 0}>
          {submitText(now, rows.length - now)}
        </Button>
        <Hint edit={edit} plan={plan} now={now} count={rows.length} />
      </div>
    </form>
  );
};

type Props = { rows: readonly ListingRow[]; onClose: () => void; onDone: (failed: readonly ListingRow[]) => void };

type EditingProps = { targets: readonly BulkTarget[]; edit: BulkEditing; percent: number | null };

const Editing = ({ targets, edit, percent }: EditingProps) => {
  const [draft, setDraft] = useState<BulkDraft>({ ...firstDraft, typed: percent === null ? '' : String(percent) });
  const medians = useMedians();
  const listings = targets.flatMap(({ listing }) => listing ?? []);
  const conditions = useConditionsOf(listings, draft.field === 'condition');
  const site = listings.find(({ status }) => status !== 'published')?.marketplaceId ?? null;
  const longest = useTitleLimit(draft.field === 'title' ? [marketChannel] : []);
  const rule = ruleIn(draft, { medians: medians.medians, taken: conditions.taken, site, longest });
  const set = (changes: Partial<BulkDraft>): void => setDraft((before) => ({ ...before, ...changes }));
  return (
    <BulkBody field={draft.field} plan={rule && planChanges(targets, rule)} edit={edit} mayRemove>
      <div className={styles.fields}>
        <NativeSelect
          label={t('listings.bulk.what')}
          value={draft.field}
          onChange={(event) => set({ field: oneOf(bulkFields, event.currentTarget.value) ?? 'price', value: '' })}
          data={bulkFields.map((value) => ({ value, label: t(`listings.bulk.field.${value}`) }))}
        />
        <BulkFields {...{ draft, set, targets, medians, site }} conditions={conditions.choices} />
      </div>
    </BulkBody>
  );
};

/**
 * Changes one field of several listings. Drafts change at once; live listings go into one batch whose prompt shows each
 * row. `percent` preselects a price change.
 */
export const BulkEdit = ({ rows, percent, onClose, onDone }: Props & Pick<EditingProps, 'percent'>) => {
  useFocusBack();
  const targets = useBulkTargets(rows);
  const edit = useBulkEdit(onDone);
  // The modal moves the focus when it opens, so its fields must exist by then.
  if (!targets) return null;
  return (
    <Modal opened onClose={onClose} title={t('listings.bulk.title', { count: rows.length })} size={960} padding="lg">
      <Editing targets={targets} edit={edit} percent={percent} />
    </Modal>
  );
};

const PutBackDialog = ({ applied, onClose, onDone }: Omit<Props, 'rows'> & { applied: Applied }) => {
  useFocusBack();
  const targets = useBulkTargets(applied.rows.map(({ row }) => row));
  const edit = useBulkEdit(onDone);
  if (!targets) return null;
  return (
    <Modal opened onClose={onClose} title={t('listings.bulk.backTitle')} size={960} padding="lg">
      <BulkBody field={applied.field} plan={planBack(targets, applied)} edit={edit} />
    </Modal>
  );
};

/** Undoes the last bulk change for each row that has not changed since. */
export const PutBack = () => {
  const { last, forget } = useLastBulk();
  // A copy, because the undo itself becomes the last bulk change.
  const [open, setOpen] = useState<Applied | null>(null);
  if (last === null && open === null) return null;
  const close = (): void => setOpen(null);
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
      {open && <PutBackDialog applied={open} onClose={close} onDone={close} />}
    </div>
  );
};
