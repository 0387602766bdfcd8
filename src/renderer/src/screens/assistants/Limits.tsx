import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';
import { call } from '../../api/call.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { Assistant } from '../../api/types.ts';
import { t } from '../../i18n/t.ts';
import { centsToText } from '../../components/text/format.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { changedOf, limitsFrom, type Limits as Chosen } from './dayLimits.ts';
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
const isScope = (value: string): value is Assistant['scope'] => ['read', 'draft', 'ask'].includes(value);

/** What an assistant may do, in a day, and to which listings. */
export const Limits = ({ assistant, busy, change, onClose }: Props & { onClose: () => void }) => {
  const { budget } = assistant;
  const [publishes, setPublishes] = useState(budget.publishesPerDay === null ? '' : String(budget.publishesPerDay));
  const [money, setMoney] = useState(centsToText(budget.moneyCentsPerDay));
  const [may, setMay] = useState<Pick<Chosen, 'scope' | 'touches'>>(assistant);
  const [wrong, setWrong] = useState<string | null>(null);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const read = limitsFrom(publishes, money);
    setWrong(typeof read === 'string' ? read : null);
    if (typeof read !== 'string')
      change(changedOf(assistant, { ...read, scope: may.scope, touches: may.touches }), onClose);
  };
  return (
    <form className={styles.limits} onSubmit={onSubmit} aria-label={t('assistants.limits.title')}>
      <NativeSelect
        className={styles.wide}
        label={t('assistants.limits.scope')}
        value={may.scope}
        onChange={({ currentTarget: { value } }) => isScope(value) && setMay({ ...may, scope: value })}
        data={scopes()}
      />
      <NativeSelect
        label={t('assistants.limits.touches')}
        value={may.touches}
        onChange={(event) => setMay({ ...may, touches: event.currentTarget.value === 'own' ? 'own' : 'all' })}
        data={[
          { value: 'all', label: t('assistants.limits.all') },
          { value: 'own', label: t('assistants.limits.own') },
        ]}
      />
      <TextInput
        label={t('assistants.limits.publishes')}
        placeholder={t('assistants.limits.none')}
        inputMode="numeric"
        value={publishes}
        onChange={(event) => setPublishes(event.currentTarget.value)}
      />
      <TextInput
        label={t('assistants.limits.money')}
        placeholder={t('assistants.limits.none')}
        inputMode="decimal"
        value={money}
        onChange={(event) => setMoney(event.currentTarget.value)}
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
