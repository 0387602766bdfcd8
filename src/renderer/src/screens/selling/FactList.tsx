import { t } from '../../i18n/t.ts';
import { fieldWords } from '../../api/unknownRecord.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import styles from './selling.module.css';

/** Names and values of others, a hairline between them. */
export const FactList = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) =>
  facts.length === 0 ? null : (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>
            <UntrustedText text={name} fold={80} flag={false} />
          </dt>
          <dd>
            <UntrustedText text={value} fold={200} />
          </dd>
        </div>
      ))}
    </dl>
  );

const asWords = (value: string): string => {
  if (value === 'true') return t('selling.form.yes');
  return value === 'false' ? t('selling.form.no') : value;
};

/** The same for fields that only the service knows: their names are made to words. */
export const OpenFacts = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) => (
  <FactList facts={facts.map(([name, value]) => [fieldWords(name), asWords(value)] as const)} />
);
