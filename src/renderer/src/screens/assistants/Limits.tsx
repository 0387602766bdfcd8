import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { Assistants } from '../../api/types.ts';
import { centsToText, formatMinor } from '../../parts/money.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { limitsFrom } from './limitsFrom.ts';
import type { Change } from './useChange.ts';
import styles from './assistants.module.css';

type Assistant = Assistants['assistants'][number];
type Props = { assistant: Assistant; busy: boolean; change: (change: Change, onDone: () => void) => void };

/** What an assistant has used today, of what it may. */
export const usedWords = ({ budget }: Assistant): string => {
  const publishes = `${budget.publishesToday}${budget.publishesPerDay === null ? '' : ` of ${budget.publishesPerDay}`}`;
  const spent = formatMinor(budget.moneyCentsToday, 'USD');
  const money = budget.moneyCentsPerDay === null ? spent : `${spent} of ${formatMinor(budget.moneyCentsPerDay, 'USD')}`;
  return `Today: ${publishes} ${budget.publishesToday === 1 ? 'publish' : 'publishes'}, ${money} spent`;
};

/** What an assistant may do in a day, and to which listings. */
export const Limits = ({ assistant, busy, change, onClose }: Props & { onClose: () => void }) => {
  const { budget } = assistant;
  const [publishes, setPublishes] = useState(budget.publishesPerDay === null ? '' : String(budget.publishesPerDay));
  const [money, setMoney] = useState(centsToText(budget.moneyCentsPerDay));
  const [touches, setTouches] = useState(assistant.touches);
  const [wrong, setWrong] = useState<string | null>(null);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const read = limitsFrom(publishes, money);
    setWrong(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') change({ ...read, touches }, onClose);
  };
  return (
    <form className={styles.limits} onSubmit={onSubmit} aria-label="Limits">
      <TextInput
        label="Publishes a day"
        placeholder="No limit"
        inputMode="numeric"
        value={publishes}
        onChange={(event) => setPublishes(event.currentTarget.value)}
      />
      <TextInput
        label="US$ a day"
        placeholder="No limit"
        inputMode="decimal"
        value={money}
        onChange={(event) => setMoney(event.currentTarget.value)}
      />
      <NativeSelect
        label="May touch"
        value={touches}
        onChange={(event) => setTouches(event.currentTarget.value === 'own' ? 'own' : 'all')}
        data={[
          { value: 'all', label: 'All listings' },
          { value: 'own', label: 'Only its own' },
        ]}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="ink" loading={busy}>
          Save limits
        </Button>
        <Button onClick={onClose}>Keep as they are</Button>
      </div>
      {wrong && <ProblemLine>{wrong}</ProblemLine>}
    </form>
  );
};
