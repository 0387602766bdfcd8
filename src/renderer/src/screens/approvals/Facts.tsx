import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Prompt } from '../../api/types.ts';
import { Said } from '../../parts/Said.tsx';
import { t } from '../../i18n/t.ts';
import { told } from '../../i18n/told.ts';
import { labelWords } from '../../parts/promptWords.ts';
import styles from './receipt.module.css';

type Shown = NonNullable<Prompt['target']>['facts'];

/** What decides comes first; the rest of a long list is one press away, so that the money stays in sight. */
const atOnce = 7;

/** The facts of the thing that is asked about. */
export const Facts = ({ facts }: { facts: Shown }) => {
  const [all, setAll] = useState(false);
  const folded = !all && facts.length > atOnce + 1;
  return (
    <div className={styles.facts}>
      <dl>
        {(folded ? facts.slice(0, atOnce) : facts).map((fact, at) => (
          <div key={at}>
            <dt>
              <Said text={labelWords(fact.label)} fold={80} />
            </dt>
            <dd>
              <Said text={told(fact.says, fact.value)} fold={160} />
            </dd>
          </div>
        ))}
      </dl>
      {folded && (
        <Button variant="quiet" size="compact-sm" onClick={() => setAll(true)}>
          {t('approvals.allFacts', { count: facts.length })}
        </Button>
      )}
    </div>
  );
};
