import { core } from '../../../../i18n/english.ts';
import type { Change, Fact, Money, Prompt } from '../../api/call.ts';
import { translateMessage, t } from '../../i18n.ts';
import { Trans } from 'react-i18next';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { formatMinorAmount } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import styles from './prompt.module.css';
import factsStyles from './promptFacts.module.css';
import tables from './tables.module.css';
import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';

const { labels } = core;
const isKnownFieldLabel = (label: string): label is keyof typeof labels => Object.hasOwn(labels, label);

export const findFieldLabel = (path: string): string | null =>
  isKnownFieldLabel(path) ? translateMessage({ key: `labels.${path}` }, labels[path]) : null;

export const formatFactLabel = ({ label, labelSays }: Pick<Fact, 'label' | 'labelSays'>): string =>
  labelSays ? translateMessage(labelSays, label) : (findFieldLabel(label) ?? label);

const formatFee = ({ state, totalMinor, currency }: Money, unchecked: string): string => {
  if (state === 'free') return t('approvals.fees.free');
  return state === 'unavailable' || totalMinor === null ? unchecked : formatMinorAmount(totalMinor, currency ?? '');
};

const formatFeeTotal = (money: Money): string => formatFee(money, t('approvals.fees.unchecked'));

/** For example "US$0.35", "Free" or "Not checked". */
export const formatFeeBriefly = (money: Money | null): string =>
  money ? formatFee(money, t('approvals.fees.uncheckedShort')) : '';

export const formatMoneyLabel = (money: Money | null): string =>
  translateMessage(money?.label, t('approvals.fees.name'));

const FeeLinesTable = ({ money }: { money: Money }) => (
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
  </table>
);

/** The lines of the fee and why it could not be checked. */
export const PromptFeeLines = ({ money }: { money: Money }) => (
  <>
    {money.lines.length > 0 && <FeeLinesTable money={money} />}
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
  </>
);

export const PromptFeeTotal = ({ money }: { money: Money }) => (
  <table className={tables.total}>
    <tbody>
      <tr data-words={money.state === 'unavailable' || undefined}>
        <th scope="row">{money.lines.length > 0 ? t('approvals.fees.total') : formatMoneyLabel(money)}</th>
        <td>{formatFeeTotal(money)}</td>
      </tr>
    </tbody>
  </table>
);

export const QuoteAgeLine = ({ money }: { money: Money }) =>
  money.state === 'unavailable' ? null : (
    <p className={styles.small}>
      <Trans i18nKey="approvals.fees.quoted" components={{ when: <RelativeTime at={money.quotedAt} /> }} />
    </p>
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

type FactSource = Pick<Prompt, 'facts' | 'target'> & Partial<Pick<Prompt, 'changes'>>;

const isTargetTitle = ({ namespace, key }: Fact): boolean => namespace === 'listing' && key === 'title';

/** A change already shows the value that its field has now. */
const isShownByChange = ({ namespace, key, value }: Fact, changes: readonly Change[]): boolean =>
  ['listing', 'specifics', 'record'].includes(namespace) &&
  changes.some((change) => change.key === key && change.before === value);

/** Leaves out what the prompt shows above the facts: the title of the target and values that change. */
export const groupFactsByOrigin = ({ facts, target, changes = [] }: FactSource): FactGroup[] =>
  factGroups.flatMap((group) => {
    const own = facts.filter(
      (fact) =>
        fact.namespace === group.namespace &&
        !(target !== null && isTargetTitle(fact)) &&
        !isShownByChange(fact, changes),
    );
    return own.length === 0 ? [] : [{ ...group, facts: own }];
  });

export const findListingFact = (facts: readonly Fact[], key: string): Fact | undefined =>
  facts.find((fact) => fact.namespace === 'listing' && fact.key === key);

/** Returns the price of a listing, unless the request changes it. */
export const findUnchangedPrice = ({ facts, changes }: Pick<Prompt, 'facts' | 'changes'>): Fact | undefined =>
  changes.some(({ key }) => key === 'price') ? undefined : findListingFact(facts, 'price');

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
      className={factsStyles.group}
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

/** These groups apply unless the request or the listing says otherwise. */
const defaultGroups: readonly Namespace[] = ['account', 'defaults', 'policies', 'templates'];

const DefaultFactsSection = ({ groups }: { groups: readonly FactGroup[] }) => {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={factsStyles.defaults}>
      <Button
        variant="quiet"
        size="compact-sm"
        aria-expanded={open}
        aria-controls={id}
        rightSection={<IconChevronDown size={14} aria-hidden />}
        onClick={() => setOpen(!open)}
      >
        {t('approvals.byDefault', { count: groups.reduce((sum, { facts }) => sum + facts.length, 0) })}
      </Button>
      <div id={id} hidden={!open}>
        {groups.map((group) => (
          <FactGroupSection key={group.namespace} group={group} />
        ))}
      </div>
    </div>
  );
};

type PromptFactsProps = {
  prompt: FactSource;
  /** A fact that the prompt shows above. */
  shown?: Fact | undefined;
  /** Folds what applies by default. What the request sets is never folded. */
  foldsDefaults?: boolean;
};

export const PromptFacts = ({ prompt, shown, foldsDefaults = false }: PromptFactsProps) => {
  const groups = groupFactsByOrigin({ ...prompt, facts: prompt.facts.filter((fact) => fact !== shown) });
  const isFoldedGroup = ({ namespace }: FactGroup): boolean => foldsDefaults && defaultGroups.includes(namespace);
  const folded = groups.filter(isFoldedGroup);
  if (groups.length === 0) return null;
  return (
    <div className={factsStyles.facts}>
      {groups.map((group) => !isFoldedGroup(group) && <FactGroupSection key={group.namespace} group={group} />)}
      {folded.length > 0 && <DefaultFactsSection groups={folded} />}
    </div>
  );
};
