import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';
import { call } from '../../api/call.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Assistant } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { centsToText } from '../../components/text/format.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { changedOf, limitsFrom } from './dayLimits.ts';
import styles from './assistants.module.css';

type Change = Omit<CallInput<'assistants.change'>, 'assistantId'>;

/** Pauses an assistant or changes its limits. */
export const useAssistantChange = (assistantId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => call('assistants.change', { assistantId, ...change }),
    onSettled: () => client.invalidateQueries({ queryKey: ['assistants'] }),
  });
};

type Props = { assistant: Assistant; busy: boolean; change: (change: Change, onDone: () => void) => void };

const scopes = () => [
  { value: 'read', label: t('assistants.limits.scopeRead') },
  { value: 'draft', label: t('assistants.limits.scopeDraft') },
  { value: 'ask', label: t('assistants.limits.scopeAsk') },
];

/** What an assistant may do, in a day, and to which listings. */
export const Limits = ({ assistant, busy, change, onClose }: Props & { onClose: () => void }) => {
  const { budget, scope, touches } = assistant;
  const [wrong, setWrong] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      scope,
      touches,
      publishes: budget.publishesPerDay === null ? '' : String(budget.publishesPerDay),
      money: centsToText(budget.moneyCentsPerDay),
    },
  });
  const onSubmit = form.onSubmit(({ publishes, money, ...may }) => {
    const read = limitsFrom(publishes, money);
    setWrong(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') change(changedOf(assistant, { ...read, ...may }), onClose);
  });
  return (
    <form className={styles.limits} onSubmit={onSubmit} aria-label={t('assistants.limits.title')}>
      <NativeSelect
        className={styles.wide}
        label={t('assistants.limits.scope')}
        data={scopes()}
        {...form.getInputProps('scope')}
      />
      <NativeSelect
        label={t('assistants.limits.touches')}
        data={[
          { value: 'all', label: t('assistants.limits.all') },
          { value: 'own', label: t('assistants.limits.own') },
        ]}
        {...form.getInputProps('touches')}
      />
      <TextInput
        label={t('assistants.limits.publishes')}
        placeholder={t('assistants.limits.none')}
        inputMode="numeric"
        {...form.getInputProps('publishes')}
      />
      <TextInput
        label={t('assistants.limits.money')}
        placeholder={t('assistants.limits.none')}
        inputMode="decimal"
        {...form.getInputProps('money')}
      />
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
