import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import type { Fact, Prompt } from '../../api/types.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import { labelWords } from './labelWords.ts';
import { groupsOf, type FactGroup } from './factGroups.ts';
import styles from './receipt.module.css';

/** A name that somebody else gave stands as it is, and looks like nothing of ours. */
const Name = ({ fact, raw }: { fact: Fact; raw: boolean }) =>
  raw ? (
    <code>
      <UntrustedText text={fact.label} fold={80} />
    </code>
  ) : (
    <UntrustedText text={labelWords(fact)} fold={80} />
  );

const List = ({ facts, raw }: { facts: readonly Fact[]; raw: boolean }) => (
  <dl>
    {facts.map((fact) => (
      <div key={fact.key}>
        <dt>
          <Name fact={fact} raw={raw} />
        </dt>
        <dd>
          <UntrustedText text={translate(fact.says, fact.value)} fold={160} />
        </dd>
      </div>
    ))}
  </dl>
);

/** One group: what decides comes first, and the rest of a long one is one press away, so that the money stays in sight. */
const Group = ({ group: { namespace, facts, raw, atOnce } }: { group: FactGroup }) => {
  const [all, setAll] = useState(false);
  const id = useId();
  // Unfolding a single one would take the room that it needs itself.
  const folded = !all && facts.length > atOnce + (atOnce === 0 ? 0 : 1);
  const shown = folded ? facts.slice(0, atOnce) : facts;
  return (
    <section
      className={styles.group}
      data-raw={raw || undefined}
      aria-labelledby={namespace === 'listing' ? undefined : id}
    >
      {namespace !== 'listing' && (
        <h3 id={id} className={styles.label}>
          {t(`approvals.group.${namespace}`)}
        </h3>
      )}
      {shown.length > 0 && <List facts={shown} raw={raw} />}
      {(folded || all) && (
        <Button
          variant="quiet"
          size="compact-sm"
          aria-expanded={all}
          aria-describedby={namespace === 'listing' ? undefined : id}
          onClick={() => setAll(!all)}
        >
          {all ? t('parts.showLess') : t('approvals.showGroup', { count: facts.length })}
        </Button>
      )}
    </section>
  );
};

/** The facts of a prompt, each where it comes from; the title stands above them already. */
export const Facts = ({ prompt }: { prompt: Pick<Prompt, 'facts' | 'target'> }) => {
  const groups = groupsOf(prompt);
  if (groups.length === 0) return null;
  return (
    <div className={styles.facts}>
      {groups.map((group) => (
        <Group key={group.namespace} group={group} />
      ))}
    </div>
  );
};
