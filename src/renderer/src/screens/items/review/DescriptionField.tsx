import { Button, Textarea, useComputedColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, useState } from 'react';
import { FieldFrame } from '../../../parts/FieldFrame.tsx';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { onCtrlEnter, useDraftField } from '../../../parts/useDraftField.ts';
import type { Listing } from '../../../api/types.ts';
import { descriptionPage } from './safeHtml.ts';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

type Props = { listing: Listing; save: Save; problems: readonly string[] | undefined; readOnly: boolean };

const Shown = ({ html }: { html: string }) => {
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  return (
    <iframe
      className={styles.description}
      title={t('review.descriptionShown')}
      sandbox=""
      srcDoc={descriptionPage(html, dark)}
    />
  );
};

const previewAfterMs = 300;

/** The HTML, and below it what buyers read of it. */
const Editor = ({ listing, save, onDone }: Pick<Props, 'listing' | 'save'> & { onDone: () => void }) => {
  const id = useId();
  const field = useDraftField({
    saved: listing.description ?? '',
    save: (description, onHeld) => save({ description }, onHeld),
  });
  const [shown] = useDebouncedValue(field.text, previewAfterMs);
  return (
    <FieldFrame
      id={id}
      label={t('review.description')}
      hint="HTML"
      note={field.note}
      problems={field.problem === null ? [] : [field.problem]}
    >
      <Textarea
        id={id}
        autosize
        minRows={8}
        maxRows={16}
        autoFocus
        value={field.text}
        onChange={(event) => field.type(event.currentTarget.value)}
        onBlur={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
        aria-describedby={`${id}-problems`}
      />
      <Shown html={shown} />
      <div>
        <Button onClick={onDone}>{t('review.doneEditing')}</Button>
      </div>
    </FieldFrame>
  );
};

/** The description, shown where it can do nothing, and edited as its HTML. */
export const DescriptionField = ({ listing, save, problems = [], readOnly }: Props) => {
  const [editing, setEditing] = useState(false);
  if (editing) return <Editor listing={listing} save={save} onDone={() => setEditing(false)} />;
  return (
    <section aria-label={t('review.description')}>
      <div className={styles.line}>
        <h3>{t('review.description')}</h3>
        <span />
        {!readOnly && (
          <Button
            size="compact-sm"
            variant="quiet"
            onClick={() => setEditing(true)}
            aria-label={t('review.editDescription')}
          >
            {t('review.edit')}
          </Button>
        )}
      </div>
      {problems.map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      <Shown html={listing.description ?? ''} />
    </section>
  );
};
