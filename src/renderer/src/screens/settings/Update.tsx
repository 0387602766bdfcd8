import { Button } from '@mantine/core';
import type { CallAnswer, CallInput } from '../../../../ipc/calls.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { useShellAct } from './useShell.ts';
import { t } from '../../i18n/t.ts';
import styles from './settings.module.css';

type UpdateState = NonNullable<CallAnswer<'app.shell'>['update']>;
type Step = { act: CallInput<'app.update'>['act']; label: string };

/** What the person may say yes to next; null while it goes on by itself. */
const stepOf = (update: UpdateState): Step | null => {
  if (update.state === 'found') return { act: 'load', label: t('settings.care.load', { version: update.version }) };
  if (update.state === 'ready')
    return { act: 'install', label: t('settings.care.install', { version: update.version }) };
  if ('version' in update || update.state === 'checking') return null;
  return { act: 'check', label: t('settings.care.look') };
};

const wordsOf = (update: UpdateState): string =>
  'version' in update
    ? t(`settings.care.${update.state}`, { version: update.version })
    : t(`settings.care.${update.state}`);

/** A newer version: looking, loading and installing are a yes each. */
export const Update = ({ update }: { update: UpdateState }) => {
  const { mutate, isPending, error } = useShellAct((act: Step['act']) => call('app.update', { act }));
  const step = stepOf(update);
  return (
    <div className={styles.line} role="group" aria-label={t('settings.care.update')}>
      {step && (
        <Button loading={isPending} onClick={() => mutate(step.act)}>
          {step.label}
        </Button>
      )}
      <span className={styles.small} role="status">
        {wordsOf(update)}
      </span>
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
    </div>
  );
};
