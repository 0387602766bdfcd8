import { Button, Modal, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { callCore } from '../../../api/call.ts';
import { MoneyInputField } from '../../../components/fields/MoneyInput.tsx';
import { ErrorLine } from '../../../components/ScreenPage.tsx';
import { findMoneyProblem, parseCentsInput } from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import {
  emptyPackage,
  findGramsProblem,
  findSizeProblem,
  parseSize,
  parseTags,
} from '../../items/review/ShelfSection.tsx';
import styles from './bulk.module.css';

/** The ids are in the order of the list. */
export type ShelfTargets = Pick<CallInput<'shelf.change'>, 'itemIds' | 'listingIds'>;

export const countTargets = ({ itemIds = [], listingIds = [] }: ShelfTargets): number =>
  itemIds.length + listingIds.length;

const emptyValues = {
  ...{ place: '', cost: '', tags: '', boughtFrom: '', boughtAt: '' },
  ...{ weight: '', size: '', note: '' },
};
type ShelfValues = typeof emptyValues;
type ShelfEdit = Omit<CallInput<'shelf.change'>, keyof ShelfTargets>;

/** Empty fields change nothing. */
const toShelfEdit = (values: ShelfValues, currency: string): ShelfEdit => {
  const minor = parseCentsInput(values.cost);
  const texts = Object.entries({
    place: values.place,
    boughtFrom: values.boughtFrom,
    boughtAt: values.boughtAt,
    note: values.note,
  });
  const addTags = parseTags(values.tags);
  const [lengthMm = null, widthMm = null, heightMm = null] = parseSize(values.size) ?? [];
  const weightG = values.weight.trim() === '' ? null : Number(values.weight);
  const addPackage = { ...emptyPackage, weightG, lengthMm, widthMm, heightMm };
  return {
    changes: {
      ...Object.fromEntries(texts.filter(([, text]) => text.trim() !== '')),
      ...(minor !== null && { cost: { minor, currency } }),
    },
    ...(addTags.length > 0 && { addTags }),
    ...((weightG !== null || lengthMm !== null) && { addPackage }),
  };
};

type DialogProps = { targets: ShelfTargets; currency: string; onClose: () => void };

/** Changes what only the person knows about a selection. */
export const ShelfDialog = ({ targets, currency, onClose }: DialogProps) => {
  const form = useForm({
    initialValues: emptyValues,
    validate: {
      cost: (text) => (text.trim() === '' ? null : findMoneyProblem(text, { least: 0 })),
      weight: findGramsProblem,
      size: findSizeProblem,
    },
  });
  const change = useMutation({
    mutationFn: (values: ShelfValues) => callCore('shelf.change', { ...targets, ...toShelfEdit(values, currency) }),
    onSuccess: onClose,
  });
  return (
    <Modal opened onClose={onClose} title={t('shelf.dialog', { count: countTargets(targets) })} padding="lg">
      <form className={styles.form} onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <div className={styles.pair}>
          <TextInput label={t('shelf.place')} maxLength={50} data-autofocus {...form.getInputProps('place')} />
          <MoneyInputField
            label={t('shelf.cost')}
            currency={currency}
            value={form.values.cost}
            onChange={(cost) => form.setFieldValue('cost', cost)}
            error={form.errors['cost']}
          />
        </div>
        <TextInput label={t('shelf.addTags')} description={t('shelf.tagsHint')} {...form.getInputProps('tags')} />
        <div className={styles.pair}>
          <TextInput label={t('shelf.boughtFrom')} maxLength={100} {...form.getInputProps('boughtFrom')} />
          <TextInput type="date" label={t('shelf.boughtAt')} {...form.getInputProps('boughtAt')} />
        </div>
        <div className={styles.pair}>
          <TextInput label={t('shelf.weight')} inputMode="numeric" {...form.getInputProps('weight')} />
          <TextInput label={t('shelf.size')} {...form.getInputProps('size')} />
        </div>
        <Textarea label={t('shelf.note')} rows={2} maxLength={2_000} {...form.getInputProps('note')} />
        <ErrorLine error={change.error} />
        <div className={styles.foot}>
          <Button type="submit" variant="ink" loading={change.isPending}>
            {t('shelf.save')}
          </Button>
          <span className={styles.soft}>{t('shelf.keepEmpty')}</span>
        </div>
      </form>
    </Modal>
  );
};
