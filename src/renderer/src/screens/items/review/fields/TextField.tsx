import { TextInput } from '@mantine/core';
import { GrowingTextarea, type GrowingTextareaProps } from '../../../../components/fields/GrowingTextarea.tsx';
import { useId, type ReactNode } from 'react';
import { FieldFrame, onCtrlEnter, useDraftField } from '../../../../components/fields/DraftField.tsx';
import { MoneyInputField } from '../../../../components/fields/MoneyInput.tsx';
import type { OnQueued, SaveListing } from '../QueuedEdits.tsx';
import {
  formatCentsInput,
  formatCents,
  findMoneyProblem,
  parseCentsInput,
} from '../../../../components/text/format.ts';
import type { Listing } from '../../../../api/call.ts';
import { t } from '../../../../i18n.ts';
import styles from '../review.module.css';
import { useTitleLengthLimit } from '../../../selling/useSelling.ts';
import { marketChannel } from '../../../../../../contract/index.ts';
import { findTitleProblem } from './fieldProblems.ts';

type TextFieldProps = {
  label: string;
  saved: string;
  save: (text: string, onHeld: OnQueued) => Promise<void>;
  check?: (text: string) => string | null;
  /** Returns the text as it is saved and shown. */
  tidy?: (text: string) => string;
  hint?: (text: string) => ReactNode;
  problems?: readonly string[] | undefined;
  numeric?: boolean;
  /** Common values, offered while the person types. */
  suggestions?: readonly string[];
};

type WrappingTextareaProps = Omit<GrowingTextareaProps, 'onChange'> & { onType: (text: string) => void };

const WrappingTextarea = ({ onType, onKeyDown, ...input }: WrappingTextareaProps) => (
  <GrowingTextarea
    onChange={(event) => onType(event.currentTarget.value.replace(/\s*\n\s*/g, ' '))}
    onKeyDown={(event) => {
      onKeyDown?.(event);
      if (event.key === 'Enter') event.preventDefault();
    }}
    {...input}
  />
);

export const TextField = ({
  label,
  saved,
  save,
  check,
  tidy,
  hint,
  problems = [],
  numeric,
  suggestions = [],
}: TextFieldProps) => {
  const id = useId();
  const field = useDraftField({ saved, save, ...(check && { check }), ...(tidy && { tidy }) });
  const all = field.problem === null ? problems : [field.problem, ...problems];
  const input = {
    id,
    value: field.text,
    onBlur: () => void field.commit(),
    onKeyDown: onCtrlEnter(field.commit),
    error: all.length > 0,
    'aria-describedby': `${id}-problems`,
  };
  return (
    <FieldFrame id={id} label={label} hint={hint?.(field.text)} note={field.note} problems={all}>
      {numeric ? (
        <>
          <TextInput
            {...input}
            {...(suggestions.length > 0 && { list: `${id}-suggestions` })}
            onChange={(event) => field.type(event.currentTarget.value)}
            inputMode="decimal"
            styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
          />
          {suggestions.length > 0 && (
            <datalist id={`${id}-suggestions`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      ) : (
        <WrappingTextarea {...input} onType={field.type} />
      )}
    </FieldFrame>
  );
};

type PriceFieldProps = {
  listing: Listing;
  currency: string | null;
  save: SaveListing;
  problems: readonly string[] | undefined;
};

const normalisePriceText = (text: string): string => {
  const cents = parseCentsInput(text);
  return cents === null ? text : formatCentsInput(cents);
};

export const PriceField = ({ listing, currency, save, problems = [] }: PriceFieldProps) => {
  const { suggestedPrice, price } = listing;
  const id = useId();
  const field = useDraftField({
    saved: formatCentsInput(price),
    save: (text, onHeld) => save({ price: parseCentsInput(text) ?? 0 }, onHeld),
    check: findMoneyProblem,
    tidy: normalisePriceText,
  });
  const all = field.problem === null ? problems : [field.problem, ...problems];
  const suggestion =
    typeof suggestedPrice === 'number' ? (
      <p className={`${styles.soft} ${styles.suggested}`}>
        <span>{t('review.suggested', { price: formatCents(suggestedPrice, currency) })}</span>
        {suggestedPrice !== price && (
          <button
            type="button"
            className={styles.inline}
            onClick={() => {
              // Focuses the field first, because the button disappears when the price is applied.
              document.getElementById(id)?.focus();
              void save({ price: suggestedPrice });
            }}
          >
            {t('review.useSuggested')}
          </button>
        )}
      </p>
    ) : null;
  return (
    <FieldFrame id={id} label={t('review.price')} note={field.note} problems={all}>
      <MoneyInputField
        id={id}
        currency={currency}
        value={field.text}
        onChange={field.type}
        onChoose={field.keep}
        onBlur={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
        error={all.length > 0}
        aria-describedby={`${id}-problems`}
      />
      {suggestion}
    </FieldFrame>
  );
};

type NoteFieldProps = Pick<TextFieldProps, 'label' | 'saved' | 'save'> &
  Pick<GrowingTextareaProps, 'minRows' | 'placeholder'>;

/** A text of several lines that only the person and the writer see. */
export const NoteField = ({ label, saved, save, ...input }: NoteFieldProps) => {
  const id = useId();
  const field = useDraftField({ saved, save });
  return (
    <FieldFrame id={id} label={label} note={field.note} problems={field.problem === null ? [] : [field.problem]}>
      <GrowingTextarea
        id={id}
        maxRows={10}
        value={field.text}
        onChange={(event) => field.type(event.currentTarget.value)}
        onBlur={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
        aria-describedby={`${id}-problems`}
        {...input}
      />
    </FieldFrame>
  );
};

type TitleFieldProps = {
  id: string;
  saved: string;
  save: SaveListing;
  problems: readonly string[] | undefined;
};

export const TitleLengthCount = ({ title, channelIds }: { title: string; channelIds: readonly string[] }) => {
  const limit = useTitleLengthLimit(channelIds);
  if (limit === null) return null;
  const { length } = [...title];
  return (
    <span className={length > limit ? styles.over : undefined}>
      {length}/{limit}
    </span>
  );
};

/** The title is a single line of text, but the field is a text area, so that a long title wraps. */
export const ListingTitleField = ({ id, saved, save, problems = [] }: TitleFieldProps) => {
  const field = useDraftField({ saved, save: (title, onHeld) => save({ title }, onHeld), check: findTitleProblem });
  const all = field.problem === null ? problems : [field.problem, ...problems];
  return (
    <FieldFrame
      id={id}
      label={t('review.title')}
      hint={<TitleLengthCount title={field.text} channelIds={[marketChannel]} />}
      note={field.note}
      problems={all}
    >
      <WrappingTextarea
        id={id}
        inputClass={styles.title}
        value={field.text}
        onType={field.type}
        onBlur={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
        error={all.length > 0}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};
