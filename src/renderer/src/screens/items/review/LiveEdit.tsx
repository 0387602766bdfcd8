import { TextInput } from '@mantine/core';
import { GrowingTextarea } from '../../../components/fields/GrowingTextarea.tsx';
import { useId, useState, type FormEvent } from 'react';
import { marketChannel } from '../../../../../contract/index.ts';
import { type Listing, getErrorSentence } from '../../../api/call.ts';
import { FieldFrame } from '../../../components/fields/DraftField.tsx';
import { CheckLine } from '../../../components/fields/SettingLines.tsx';
import { createLazyComponent } from '../../../components/createLazyComponent.tsx';
import { createEscapeHandler } from '../../../components/Keys.tsx';
import { MoneyInputField } from '../../../components/fields/MoneyInput.tsx';
import { formatCentsInput, findMoneyProblem, parseCentsInput } from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import {
  formatMarketName,
  useChannelActionRequest,
  useListingChannels,
} from '../../listings/channels/useListingChannels.ts';
import { findQuantityProblem, findTitleProblem } from './fields/fieldProblems.ts';
import { TitleLengthCount } from './fields/TextField.tsx';
import { ReviewFormFooter } from './ReviewForm.tsx';
import styles from './review.module.css';

const HtmlEditor = createLazyComponent(
  async () => (await import('../../../components/text/HtmlEditor.tsx')).HtmlEditor,
);

export type LiveDraft = { title: string; price: string; quantity: string; description: string; sku: string };
/** `price` is in hundredths of the currency. */
type LiveChanges = { title?: string; price?: number; quantity?: number; description?: string; sku?: string };

export const createLiveDraft = (listing: Listing): LiveDraft => ({
  title: listing.title ?? '',
  price: formatCentsInput(listing.price),
  quantity: String(listing.quantity ?? 1),
  description: listing.description ?? '',
  sku: listing.sku ?? '',
});

/** Returns only the changed fields, or an error sentence if a value is invalid. */
export const computeLiveChanges = (listing: Listing, draft: LiveDraft): LiveChanges | string => {
  const was = createLiveDraft(listing);
  const changes: LiveChanges = {};
  if (draft.title !== was.title) changes.title = draft.title.trim();
  if (draft.description !== was.description) changes.description = draft.description;
  if (draft.sku.trim() !== was.sku) changes.sku = draft.sku.trim();
  if (draft.quantity !== was.quantity) changes.quantity = Number(draft.quantity);
  if (draft.price !== was.price) {
    const problem = findMoneyProblem(draft.price);
    if (problem !== null) return problem;
    const cents = parseCentsInput(draft.price);
    if (cents !== null && cents !== listing.price) changes.price = cents;
  }
  const wrong =
    findTitleProblem(draft.title) ?? (changes.quantity === undefined ? null : findQuantityProblem(draft.quantity));
  if (wrong !== null) return wrong;
  return Object.keys(changes).length === 0 ? t('review.check.nothing') : changes;
};

type Props = { listing: Listing; currency: string | null };

type ChangeTarget = { channelId: string; name: string };

type Field = { draft: LiveDraft; set: (changes: Partial<LiveDraft>) => void };

type FieldsProps = Field & Pick<Props, 'currency'> & { channels: readonly string[] };

const LiveFormFields = ({ draft, set, currency, channels }: FieldsProps) => {
  const titleId = useId();
  return (
    <>
      <FieldFrame
        id={titleId}
        label={t('review.newTitle')}
        hint={<TitleLengthCount title={draft.title} channelIds={channels} />}
      >
        <GrowingTextarea
          id={titleId}
          autoFocus
          value={draft.title}
          onChange={(event) => set({ title: event.currentTarget.value.replace(/\s*\n\s*/g, ' ') })}
        />
      </FieldFrame>
      <div className={styles.pair}>
        <MoneyInputField
          currency={currency}
          label={t('review.newPrice')}
          value={draft.price}
          onChange={(price) => set({ price })}
        />
        <TextInput
          label={t('review.newQuantity')}
          inputMode="numeric"
          value={draft.quantity}
          onChange={(event) => set({ quantity: event.currentTarget.value })}
        />
      </div>
      <div>
        <p className={styles.fieldName}>{t('review.newDescription')}</p>
        <HtmlEditor
          id="new-description"
          label={t('review.newDescription')}
          value={draft.description}
          onChange={(description) => set({ description })}
        />
      </div>
      <TextInput
        label={t('review.newSku')}
        maxLength={200}
        value={draft.sku}
        onChange={(event) => set({ sku: event.currentTarget.value })}
      />
    </>
  );
};

const TargetChannels = ({ targets, off, onOff }: TargetChannelsProps) => (
  <fieldset className={styles.targets}>
    <legend>{t('review.changeOn')}</legend>
    {targets.map(({ channelId, name }) => (
      <CheckLine key={channelId} label={name} on={!off.has(channelId)} set={(on) => onOff(channelId, !on)} />
    ))}
  </fieldset>
);
type TargetChannelsProps = {
  targets: readonly ChangeTarget[];
  off: ReadonlySet<string>;
  onOff: (channelId: string, isOff: boolean) => void;
};

/** A change on the marketplace alone has its own route. */
const createRevisionRequest = (channels: readonly string[], changes: LiveChanges) =>
  channels.length === 1 && channels[0] === marketChannel
    ? ({ route: 'reviseListing', body: changes } as const)
    : ({ route: 'reviseChannels', body: { channels: [...channels], ...changes } } as const);

type FormProps = Props & { name: string; targets: readonly ChangeTarget[]; onClose: () => void };

export const LiveEditForm = ({ listing, currency, name, targets, onClose }: FormProps) => {
  const [draft, setDraft] = useState(() => createLiveDraft(listing));
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [wrong, setWrong] = useState<string | null>(null);
  const ask = useChannelActionRequest(listing.listingId, onClose);
  const channels = targets.map(({ channelId }) => channelId).filter((channelId) => !off.has(channelId));
  const toggleTarget = (channelId: string, isOff: boolean): void =>
    setOff(new Set(isOff ? [...off, channelId] : [...off].filter((one) => one !== channelId)));
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const changes = channels.length === 0 ? t('listings.channels.chooseFirst') : computeLiveChanges(listing, draft);
    setWrong(typeof changes === 'string' ? changes : null);
    if (typeof changes !== 'string') ask.mutate(createRevisionRequest(channels, changes));
  };
  return (
    <form
      className={styles.liveForm}
      onSubmit={onSubmit}
      onKeyDown={createEscapeHandler(onClose)}
      data-own-keys="Escape"
      aria-label={name}
    >
      <LiveFormFields
        draft={draft}
        set={(changes) => setDraft((now) => ({ ...now, ...changes }))}
        currency={currency}
        channels={channels}
      />
      {targets.length > 1 && <TargetChannels targets={targets} off={off} onOff={toggleTarget} />}
      <ReviewFormFooter
        submit={t('review.changeLive')}
        busy={ask.isPending}
        problem={wrong ?? (ask.error ? getErrorSentence(ask.error) : null)}
        onClose={onClose}
      />
    </form>
  );
};

export const LiveEdit = ({ onClose, ...form }: Props & { onClose: () => void }) => {
  const { places } = useListingChannels(form.listing);
  const market = { channelId: marketChannel, name: formatMarketName(form.listing) };
  const others = places.filter(({ own, state }) => !own && state.isLive);
  return <LiveEditForm {...form} name={t('review.editLiveName')} targets={[market, ...others]} onClose={onClose} />;
};
