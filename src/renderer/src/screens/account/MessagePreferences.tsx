import { sentenceOf } from '../../api/call.ts';
import { fieldWords } from '../../api/unknownRecord.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { plainly } from '../../components/text/untrustedText.ts';
import { SwitchLine } from '../settings/SwitchLine.tsx';
import { useMessagePreferences, type MessageWay } from './useAccount.ts';
import { screens, t } from '../../i18n/t.ts';
import styles from '../settings/settings.module.css';
import own from './account.module.css';

const known = screens.account.mails.kind;
const isKnown = (kind: string): kind is keyof typeof known => Object.hasOwn(known, kind);
const wordsOf = (kind: string): string => (isKnown(kind) ? t(`account.mails.kind.${kind}`) : plainly(fieldWords(kind)));

const Switches = ({ where }: { where: MessageWay }) => {
  const { data, error, save } = useMessagePreferences(where);
  const problem = error ?? save.error;
  if (data?.length === 0) return null;
  const name = t(`account.mails.${where}`);
  return (
    <div className={own.switches} role="group" aria-label={name} aria-busy={!data && !problem}>
      <h3>{name}</h3>
      {problem && <ProblemLine>{sentenceOf(problem)}</ProblemLine>}
      {!data && !problem && <div className={own.coming} />}
      {data?.map(([kind, on]) => (
        <SwitchLine key={kind} label={wordsOf(kind)} on={on} set={(to) => save.mutate({ [kind]: to })} />
      ))}
    </div>
  );
};

/** Which e-mails and which messages on the phone the service sends. Only a click here changes one, one at a time. */
export const MessagePreferences = () => (
  <section aria-label={t('account.mails.title')} className={styles.plan}>
    <h2>{t('account.mails.title')}</h2>
    <p className={styles.small}>{t('account.mails.keep')}</p>
    <div className={own.beside}>
      <Switches where="email" />
      <Switches where="push" />
    </div>
  </section>
);
