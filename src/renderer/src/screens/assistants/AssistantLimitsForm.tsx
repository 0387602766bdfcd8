import { type Assistant, callCore } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { MoneyInputField } from '../../components/fields/MoneyInput.tsx';
import {
  formatCentsInput,
  parseAmbiguousAmounts,
  parseCentsInput,
  formatMinorAmount,
} from '../../components/text/format.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';
import { Button, NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import { ProblemLine } from '../../components/ScreenPage.tsx';
import styles from './assistants.module.css';

export type DayLimits = { publishesPerDay: number | null; moneyCentsPerDay: number | null };
type AssistantAccess = DayLimits & Pick<Assistant, 'scope' | 'shelf' | 'touches'>;

/** An empty field means no limit. Returns an error sentence if a field is invalid. */
export const parseDayLimits = (publishes: string, money: string): DayLimits | string => {
  const count = publishes.trim();
  if (count !== '' && !/^\d{1,5}$/.test(count)) return t('assistants.limits.publishesWrong');
  const cents = parseCentsInput(money);
  if (parseAmbiguousAmounts(money)) return t('parts.money.choose');
  if (money.trim() !== '' && (cents === null || cents < 0))
    return t('assistants.limits.moneyWrong', { example: formatCentsInput(500) });
  return { publishesPerDay: count === '' ? null : Number(count), moneyCentsPerDay: cents };
};

const diffAssistantAccess = (
  { budget, scope, shelf, touches }: Assistant,
  wanted: AssistantAccess,
): Partial<AssistantAccess> => {
  const now: AssistantAccess = { ...budget, scope, shelf, touches };
  return {
    ...(wanted.publishesPerDay === now.publishesPerDay ? {} : { publishesPerDay: wanted.publishesPerDay }),
    ...(wanted.moneyCentsPerDay === now.moneyCentsPerDay ? {} : { moneyCentsPerDay: wanted.moneyCentsPerDay }),
    ...(wanted.scope === scope ? {} : { scope: wanted.scope }),
    ...(wanted.shelf === shelf ? {} : { shelf: wanted.shelf }),
    ...(wanted.touches === touches ? {} : { touches: wanted.touches }),
  };
};

const formatUsageOfLimit = (used: string, most: string | null): string =>
  most === null ? used : t('assistants.of', { used, most });

export const formatUsageToday = ({ budget }: Assistant): string => {
  const most = budget.moneyCentsPerDay === null ? null : formatMinorAmount(budget.moneyCentsPerDay, 'USD');
  const publishes = budget.publishesPerDay === null ? null : String(budget.publishesPerDay);
  return t('assistants.today', {
    count: budget.publishesToday,
    publishes: formatUsageOfLimit(String(budget.publishesToday), publishes),
    money: formatUsageOfLimit(formatMinorAmount(budget.moneyCentsToday, 'USD'), most),
  });
};

export const formatAssistantAccess = ({ scope, shelf, touches, folders }: Assistant): string =>
  [
    t(`assistants.may.${scope}`),
    touches === 'own' ? t('assistants.touchesOwn') : t('assistants.touchesAll'),
    ...(shelf ? [t('assistants.seesShelf')] : []),
    ...(folders.length > 0 ? [t('assistants.folders.count', { count: folders.length })] : []),
  ].join(' · ');

type AssistantChange = Omit<CallInput<'assistants.change'>, 'assistantId'>;

export const useAssistantChange = (assistantId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: AssistantChange) => callCore('assistants.change', { assistantId, ...change }),
    onSettled: () => client.invalidateQueries({ queryKey: ['assistants'] }),
  });
};

type LimitsFormProps = {
  assistant: Assistant;
  busy: boolean;
  change: (change: AssistantChange, onDone: () => void) => void;
};

export const listScopeChoices = () => [
  { value: 'read', label: t('assistants.limits.scopeRead') },
  { value: 'draft', label: t('assistants.limits.scopeDraft') },
  { value: 'ask', label: t('assistants.limits.scopeAsk') },
];

type AssistantLimitsProps = {
  publishes: TextInputProps;
  money: { value?: string; onChange: (text: string) => void };
  children: ReactNode;
};

export const AssistantLimitFields = ({ publishes, money, children }: AssistantLimitsProps) => (
  <div className={styles.limits}>
    {children}
    <TextInput
      label={t('assistants.limits.publishes')}
      placeholder={t('assistants.limits.none')}
      inputMode="numeric"
      {...publishes}
    />
    <MoneyInputField
      label={t('assistants.limits.money')}
      placeholder={t('assistants.limits.none')}
      currency="USD"
      value={money.value ?? ''}
      onChange={money.onChange}
    />
  </div>
);

export const AssistantLimitsForm = ({
  assistant,
  busy,
  change,
  onClose,
}: LimitsFormProps & { onClose: () => void }) => {
  const { budget, scope, shelf, touches } = assistant;
  const [wrong, setWrong] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      scope,
      touches,
      shelf: shelf ? 'yes' : 'no',
      publishes: budget.publishesPerDay === null ? '' : String(budget.publishesPerDay),
      money: formatCentsInput(budget.moneyCentsPerDay),
    },
  });
  const submitAssistantLimits = form.onSubmit(({ publishes, money, shelf: mayShelf, ...may }) => {
    const read = parseDayLimits(publishes, money);
    setWrong(typeof read === 'string' ? read : null);
    if (typeof read !== 'string')
      change(diffAssistantAccess(assistant, { ...read, ...may, shelf: mayShelf === 'yes' }), onClose);
  });
  return (
    <form className={styles.limitsForm} onSubmit={submitAssistantLimits} aria-label={t('assistants.limits.title')}>
      <AssistantLimitFields publishes={form.getInputProps('publishes')} money={form.getInputProps('money')}>
        <NativeSelect label={t('assistants.limits.scope')} data={listScopeChoices()} {...form.getInputProps('scope')} />
        <NativeSelect
          label={t('assistants.limits.touches')}
          data={[
            { value: 'all', label: t('assistants.limits.all') },
            { value: 'own', label: t('assistants.limits.own') },
          ]}
          {...form.getInputProps('touches')}
        />
        <NativeSelect
          label={t('assistants.limits.shelf')}
          data={[
            { value: 'no', label: t('assistants.limits.shelfNo') },
            { value: 'yes', label: t('assistants.limits.shelfYes') },
          ]}
          {...form.getInputProps('shelf')}
        />
      </AssistantLimitFields>
      <div className={styles.buttons}>
        <Button type="submit" variant="ink" loading={busy}>
          {t('assistants.limits.save')}
        </Button>
        <Button onClick={onClose}>{t('assistants.limits.keep')}</Button>
      </div>
      {wrong && <ProblemLine>{wrong}</ProblemLine>}
    </form>
  );
};
