import type { Fact, Prompt } from '../../api/types.ts';
import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import { labelWords } from './labelWords.ts';
import styles from './receipt.module.css';

type Namespace = Fact['namespace'];

/** Facts of one origin. `raw`: their names were given by others. `atOnce`: how many are seen before "Show all". */
type FactGroup = { namespace: Namespace; facts: readonly Fact[]; raw: boolean; atOnce: number };

/** In the order in which they are read: ours first, then what others named, and last all the rest. */
const groups: readonly Omit<FactGroup, 'facts'>[] = [
  { namespace: 'listing', raw: false, atOnce: 7 },
  { namespace: 'request', raw: false, atOnce: 7 },
  { namespace: 'account', raw: false, atOnce: 7 },
  { namespace: 'defaults', raw: false, atOnce: 4 },
  { namespace: 'specifics', raw: true, atOnce: 4 },
  { namespace: 'policies', raw: true, atOnce: 4 },
  { namespace: 'templates', raw: true, atOnce: 4 },
  { namespace: 'record', raw: true, atOnce: 0 },
];

/** The facts of a prompt by their origin. The title of its target is left out, as it stands above them. */
export const groupsOf = ({ facts, target }: Pick<Prompt, 'facts' | 'target'>): FactGroup[] =>
  groups.flatMap((group) => {
    const own = facts.filter(
      ({ namespace, key }) =>
        namespace === group.namespace && !(target !== null && namespace === 'listing' && key === 'title'),
    );
    return own.length === 0 ? [] : [{ ...group, facts: own }];
  });

/** The value of a fact of the listing that we have a name for. */
export const listingFact = (facts: readonly Fact[], key: string): Fact | undefined =>
  facts.find((fact) => fact.namespace === 'listing' && fact.key === key);

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
