import DOMPurify from 'dompurify';
import { getStyleNonce, type Listing } from '../../../../api/call.ts';
import { Button, useComputedColorScheme } from '@mantine/core';
import { useId, useState } from 'react';
import { FieldFrame, onCtrlEnter, useDraftField } from '../../../../components/fields/DraftField.tsx';
import { createLazyComponent } from '../../../../components/createLazyComponent.tsx';
import { ActionButton } from '../../../../components/acts/offeredActs.tsx';
import { ProblemLine } from '../../../../components/ScreenPage.tsx';
import type { SaveListing } from '../QueuedEdits.tsx';
import { t } from '../../../../i18n.ts';
import styles from '../review.module.css';

/** Allows formatting, but no scripts, resources, forms or links. */
const allowedHtml = {
  ALLOWED_TAGS:
    'p br hr b strong i em u s small sub sup h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th caption blockquote pre code div span'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['colspan', 'rowspan', 'dir', 'lang'],
};

const getPageStyle = (dark: boolean): string =>
  `html{color-scheme:${dark ? 'dark' : 'light'};color:${dark ? '#ece8e0' : '#221f1b'};background:${dark ? '#1e1c19' : '#fff'};` +
  'font:14px/20px system-ui,sans-serif}body{margin:12px 16px;overflow-wrap:anywhere}h1,h2,h3,h4{font-size:1em}' +
  'table{border-collapse:collapse}td,th{padding:2px 12px 2px 0;text-align:start;vertical-align:top}';

/** The page contains sanitised HTML. Its policy allows only the companion's own style. */
const buildDescriptionPage = (html: string, dark: boolean): string => {
  const nonce = getStyleNonce();
  const policy = `default-src 'none'; style-src ${nonce ? `'nonce-${nonce}'` : "'unsafe-inline'"}`;
  return (
    `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<style nonce="${nonce}">${getPageStyle(dark)}</style></head><body>${DOMPurify.sanitize(html, allowedHtml)}</body></html>`
  );
};

type Props = { listing: Listing; save: SaveListing | null; problems?: readonly string[] | undefined };

const DescriptionFrame = ({ html }: { html: string }) => {
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  return (
    <iframe
      className={styles.description}
      title={t('review.descriptionShown')}
      sandbox=""
      srcDoc={buildDescriptionPage(html, dark)}
    />
  );
};

const HtmlEditor = createLazyComponent(
  async () => (await import('../../../../components/text/HtmlEditor.tsx')).HtmlEditor,
);

type EditorProps = { listing: Listing; save: SaveListing; onDone: () => void };

const DescriptionEditor = ({ listing, save, onDone }: EditorProps) => {
  const id = useId();
  const field = useDraftField({
    saved: listing.description ?? '',
    save: (description, onHeld) => save({ description }, onHeld),
  });
  return (
    <FieldFrame
      id={id}
      label={t('review.description')}
      note={field.note}
      problems={field.problem === null ? [] : [field.problem]}
    >
      <HtmlEditor
        id={id}
        label={t('review.description')}
        autoFocus
        value={field.text}
        onChange={field.type}
        onLeave={() => void field.commit()}
        onKeyDown={onCtrlEnter(field.commit)}
      />
      <div>
        <Button onClick={onDone}>{t('review.doneEditing')}</Button>
      </div>
    </FieldFrame>
  );
};

/** With `save: null`, the description can only be read. */
export const DescriptionField = ({ listing, save, problems = [] }: Props) => {
  const [editing, setEditing] = useState(false);
  // The text stays until the editor is there, so that nothing jumps and the focus stays on the button.
  const startEditing = (): void =>
    void HtmlEditor.load()
      .catch(() => undefined)
      .then(() => setEditing(true));
  if (editing && save) return <DescriptionEditor listing={listing} save={save} onDone={() => setEditing(false)} />;
  return (
    <section aria-label={t('review.description')}>
      <div className={styles.line}>
        <h3>{t('review.description')}</h3>
        <span />
        {save && (
          <ActionButton
            act="editDescription"
            size="compact-sm"
            variant="quiet"
            onClick={startEditing}
            aria-label={t('review.editDescription')}
          >
            {t('review.edit')}
          </ActionButton>
        )}
      </div>
      {problems.map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      <DescriptionFrame html={listing.description ?? ''} />
    </section>
  );
};
