import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { marketChannel } from '../../../../../contract/index.ts';
import { type Listing, getErrorSentence } from '../../../api/call.ts';
import { ActionButton } from '../../../components/acts/offeredActs.tsx';
import { ErrorLine, ProblemLine } from '../../../components/ScreenPage.tsx';
import { CheckLine, SwitchLine } from '../../../components/fields/SettingLines.tsx';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t } from '../../../i18n.ts';
import { useAccountUser } from '../../account/useAccount.ts';
import { useListingLock } from '../../approvals/usePrompts.ts';
import type { PublishOption } from '../../selling/answers.ts';
import { createConnectionOptionsQuery } from '../../selling/useSelling.ts';
import styles from './channels.module.css';
import { formatMarketName, type OfferedChannel, useChannelActionRequest } from './useListingChannels.ts';

type PublishChannelsProps = { listing: Listing; offered: readonly OfferedChannel[] };

const useTickedChannels = (offered: readonly OfferedChannel[]) => {
  const [untickedIds, setUntickedIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ticked: offered.map(({ channelId }) => channelId).filter((channelId) => !untickedIds.has(channelId)),
    tick: (channelId: string, on: boolean): void =>
      setUntickedIds((before) => new Set(on ? [...before].filter((id) => id !== channelId) : [...before, channelId])),
  };
};

/** Uses the person's choice in this form, else the value of the listing, else the person's setting. */
const useAutoDelistChoice = (listing: Listing): [on: boolean, set: (on: boolean) => void] => {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const usual = useAccountUser().data?.autoDelist ?? false;
  const own = listing.status === 'published' ? listing['autoDelistOnSale'] : undefined;
  return [chosen ?? (typeof own === 'boolean' ? own : usual), setChosen];
};

/** The values by channel and option. Default values are left out. */
type ChosenOptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

const useChosenOptions = () => {
  const [chosen, setChosen] = useState<ChosenOptions>({});
  return {
    valueOf: (channelId: string, { key, usual }: PublishOption): string => chosen[channelId]?.[key] ?? usual ?? '',
    choose: (channelId: string, { key, usual }: PublishOption, value: string): void => {
      const { [key]: _before, ...others } = chosen[channelId] ?? {};
      const isUsual = value === '' || value === usual;
      setChosen({ ...chosen, [channelId]: isUsual ? others : { ...others, [key]: value } });
    },
    /** Returns undefined if all options have their default values. */
    on: (channelIds: readonly string[]): ChosenOptions | undefined => {
      const some = Object.entries(chosen).filter(
        ([channelId, values]) => channelIds.includes(channelId) && Object.keys(values).length > 0,
      );
      return some.length === 0 ? undefined : Object.fromEntries(some);
    },
  };
};

type ChannelOptionsProps = { channel: OfferedChannel; chosen: ReturnType<typeof useChosenOptions> };

const ChannelOptionFields = ({ channel: { channelId, name, connection }, chosen }: ChannelOptionsProps) => {
  const { data: options = [], error } = useQuery(createConnectionOptionsQuery(connection));
  return (
    <>
      {options
        .filter(({ values }) => values.length > 0)
        .map((option) => (
          <NativeSelect
            key={option.key}
            label={t('listings.channels.optionOn', { option: escapeHiddenText(option.name), name })}
            data={[
              ...(option.usual === null ? [{ value: '', label: t('listings.channels.asUsual') }] : []),
              ...option.values.map(({ value, label }) => ({
                value,
                label:
                  value === option.usual
                    ? t('selling.channels.usual', { value: escapeHiddenText(label) })
                    : escapeHiddenText(label),
              })),
            ]}
            value={chosen.valueOf(channelId, option)}
            onChange={(event) => chosen.choose(channelId, option, event.currentTarget.value)}
          />
        ))}
      <ErrorLine error={error} />
    </>
  );
};

export const PublishChannelsForm = ({ listing, offered }: PublishChannelsProps) => {
  const { ticked, tick } = useTickedChannels(offered);
  const [delist, setDelist] = useAutoDelistChoice(listing);
  const chosen = useChosenOptions();
  const [wrong, setWrong] = useState<string | null>(null);
  const ask = useChannelActionRequest(listing.listingId);
  const locked = useListingLock(listing.listingId) !== null;
  const isFirst = listing.status === 'pending_review';
  const name = t(isFirst ? 'listings.channels.publishTogether' : 'listings.channels.publish');
  const submitChannelPublish = (event: FormEvent): void => {
    event.preventDefault();
    setWrong(ticked.length === 0 ? t('listings.channels.chooseFirst') : null);
    if (ticked.length === 0) return;
    const channels = isFirst ? [marketChannel, ...ticked] : ticked;
    const options = chosen.on(ticked);
    const body = { channels, autoDelistOnSale: delist, ...(options === undefined ? {} : { options }) };
    ask.mutate({ route: 'publishChannels', body });
  };
  const problem = wrong ?? (ask.error ? getErrorSentence(ask.error) : null);
  return (
    <form className={styles.form} aria-label={name} onSubmit={submitChannelPublish}>
      <fieldset className={styles.choice}>
        <legend>{name}</legend>
        {isFirst && <CheckLine label={formatMarketName(listing)} on fixed />}
        {offered.map(({ channelId, name: channel }) => (
          <CheckLine
            key={channelId}
            label={channel}
            on={ticked.includes(channelId)}
            set={(on) => tick(channelId, on)}
          />
        ))}
      </fieldset>
      {offered
        .filter(({ channelId }) => ticked.includes(channelId))
        .map((channel) => (
          <ChannelOptionFields key={channel.channelId} channel={channel} chosen={chosen} />
        ))}
      <SwitchLine
        label={t('listings.channels.delist')}
        help={t('listings.channels.delistHelp')}
        on={delist}
        set={setDelist}
      />
      {problem && <ProblemLine>{problem}</ProblemLine>}
      <div className={styles.line}>
        <ActionButton act="channels" type="submit" loading={ask.isPending} disabled={locked}>
          {t('listings.channels.publishThere')}
        </ActionButton>
        <span className={styles.soft}>{t('listings.channels.publishHint')}</span>
      </div>
    </form>
  );
};
