import { core } from '../../../../i18n/english.ts';
import type { Fact, Money, Prompt } from '../../api/call.ts';
import { translateMessage, t } from '../../i18n.ts';
import { Trans } from 'react-i18next';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { formatMinorAmount } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import styles from './prompt.module.css';
import tables from './tables.module.css';
import { Button } from '@mantine/core';
import { useId, useState } from 'react';

const { labels } = core;
const isKnownFieldLabel = (label: string): label is keyof typeof labels => Object.hasOwn(labels, label);

export const findFieldLabel = (path: string): string | null =>
  isKnownFieldLabel(path) ? translateMessage({ key: `labels.${path}` }, labels[path]) : null;

export const formatFactLabel = ({ label, labelSays }: Pick<Fact, 'label' | 'labelSays'>): string =>
  labelSays ? translateMessage(labelSays, label) : (findFieldLabel(label) ?? label);

const formatFeeTotal = (money: Money): string => {
  if (money.state === 'free') return t('approvals.fees.free');
  if (money.state === 'unavailable' || money.totalMinor === null) return t('approvals.fees.unchecked');
  return formatMinorAmount(money.totalMinor, money.currency ?? '');
};

/** For example "US$0.35", "Free" or "Not checked". */
export const formatFeeBriefly = (money: Money | null): string => {
  if (!money) return '';
  if (money.state === 'free') return t('approvals.fees.free');
  return money.state === 'unavailable' || money.totalMinor === null
    ? t('approvals.fees.uncheckedShort')
    : formatMinorAmount(money.totalMinor, money.currency ?? '');
};

export const formatMoneyLabel = (money: Money | null): string =>
  translateMessage(money?.label, t('approvals.fees.name'));

export const PromptFeesTable = ({ money }: { money: Money }) => (
  <section className={styles.section} aria-label={formatMoneyLabel(money)}>
    <table className={tables.fees}>
      <tbody>
        {money.lines.map((line, at) => (
          <tr key={at}>
            <th scope="row">
              <UntrustedText text={translateMessage(line.says, line.name)} fold={80} />
            </th>
            <td>
              {line.amountMinor === 0
                ? t('approvals.fees.freeLine')
                : formatMinorAmount(line.amountMinor, money.currency ?? '')}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr data-words={money.state === 'unavailable' || undefined}>
          <th scope="row">{money.lines.length > 0 ? t('approvals.fees.total') : formatMoneyLabel(money)}</th>
          <td>{formatFeeTotal(money)}</td>
        </tr>
      </tfoot>
    </table>
    {money.state === 'unavailable' && (
      <p className={tables.look}>
        {money.reason ? (
          <Trans
            i18nKey="approvals.fees.uncheckedWhy"
            components={{ reason: <UntrustedText text={translateMessage(money.says, money.reason)} /> }}
          />
        ) : (
          t('approvals.fees.uncheckedText')
        )}
      </p>
    )}
    {money.state !== 'unavailable' && (
      <p className={styles.small}>
        <Trans i18nKey="approvals.fees.quoted" components={{ when: <RelativeTime at={money.quotedAt} /> }} />
      </p>
    )}
  </section>
);

type Namespace = Fact['namespace'];

/**
 * `raw` means that the companion did not write the labels. `atOnce` is the number of facts that are shown without a
 * click.
 */
type FactGroup = { namespace: Namespace; facts: readonly Fact[]; raw: boolean; atOnce: number };

/** The prompt shows the groups in this order. */
const factGroups: readonly Omit<FactGroup, 'facts'>[] = [
  { namespace: 'listing', raw: false, atOnce: 7 },
  // All fields that the request sets are always shown.
  { namespace: 'request', raw: false, atOnce: Number.POSITIVE_INFINITY },
  { namespace: 'account', raw: false, atOnce: 7 },
  { namespace: 'defaults', raw: false, atOnce: 4 },
  { namespace: 'specifics', raw: true, atOnce: 4 },
  { namespace: 'policies', raw: true, atOnce: 3 },
  { namespace: 'templates', raw: true, atOnce: 4 },
  { namespace: 'record', raw: true, atOnce: 0 },
];

/** Leaves out the title of the target, because the prompt shows it above the facts. */
export const groupFactsByOrigin = ({ facts, target }: Pick<Prompt, 'facts' | 'target'>): FactGroup[] =>
  factGroups.flatMap((group) => {
    const own = facts.filter(
      ({ namespace, key }) =>
        namespace === group.namespace && !(target !== null && namespace === 'listing' && key === 'title'),
    );
    return own.length === 0 ? [] : [{ ...group, facts: own }];
  });

export const findListingFact = (facts: readonly Fact[], key: string): Fact | undefined =>
  facts.find((fact) => fact.namespace === 'listing' && fact.key === key);

/** A label that the companion did not write is shown unchanged and in a different style. */
const FactName = ({ fact, raw }: { fact: Fact; raw: boolean }) =>
  (raw || fact.foreign) && !fact.labelSays ? (
    <code>
      <UntrustedText text={fact.label} fold={80} />
    </code>
  ) : (
    <UntrustedText text={formatFactLabel(fact)} fold={80} />
  );

const FactList = ({ facts, raw }: { facts: readonly Fact[]; raw: boolean }) => (
  <dl>
    {facts.map((fact) => (
      <div key={fact.key}>
        <dt>
          <FactName fact={fact} raw={raw} />
        </dt>
        <dd>
          <UntrustedText text={translateMessage(fact.says, fact.value)} fold={160} />
        </dd>
      </div>
    ))}
  </dl>
);

const FactGroupSection = ({ group: { namespace, facts, raw, atOnce } }: { group: FactGroup }) => {
  const [all, setAll] = useState(false);
  const id = useId();
  // A "Show all" button for a single fact would need as much space as the fact.
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
      {shown.length > 0 && <FactList facts={shown} raw={raw} />}
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

export const PromptFacts = ({ prompt }: { prompt: Pick<Prompt, 'facts' | 'target'> }) => {
  const groups = groupFactsByOrigin(prompt);
  if (groups.length === 0) return null;
  return (
    <div className={styles.facts}>
      {groups.map((group) => (
        <FactGroupSection key={group.namespace} group={group} />
      ))}
    </div>
  );
};
