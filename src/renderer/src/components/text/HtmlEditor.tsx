import { Button, Textarea } from '@mantine/core';
import { RichTextEditor, type RichTextEditorLabels } from '@mantine/tiptap';
import '@mantine/tiptap/styles.css';
import { useEditor } from '@tiptap/react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../i18n.ts';
import styles from './htmlEditor.module.css';
import { keepsAll, richExtensions, tidyRich } from './richHtml.ts';

type Props = {
  id: string;
  label: string;
  /** HTML, as the service has it. */
  value: string;
  onChange: (html: string) => void;
  onLeave?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  autoFocus?: boolean;
};

const labels = (): Partial<RichTextEditorLabels> => ({
  boldControlLabel: t('parts.rich.bold'),
  italicControlLabel: t('parts.rich.italic'),
  h2ControlLabel: t('parts.rich.heading'),
  h3ControlLabel: t('parts.rich.subheading'),
  bulletListControlLabel: t('parts.rich.bullets'),
  orderedListControlLabel: t('parts.rich.numbers'),
});

const Tools = ({ onHtml }: { onHtml: () => void }) => (
  <RichTextEditor.Toolbar className={styles.tools}>
    <RichTextEditor.ControlsGroup>
      <RichTextEditor.Bold />
      <RichTextEditor.Italic />
    </RichTextEditor.ControlsGroup>
    <RichTextEditor.ControlsGroup>
      <RichTextEditor.H2 />
      <RichTextEditor.H3 />
    </RichTextEditor.ControlsGroup>
    <RichTextEditor.ControlsGroup>
      <RichTextEditor.BulletList />
      <RichTextEditor.OrderedList />
    </RichTextEditor.ControlsGroup>
    <Button size="compact-sm" variant="quiet" className={styles.mode} onClick={onHtml}>
      {t('parts.rich.asHtml')}
    </Button>
  </RichTextEditor.Toolbar>
);

const roomAround = 12;

/** How far the caret stays from the edges of what scrolls; below as the style of the editor says, for what always stands there. */
const caretRoom = (element: () => Element | undefined) => ({
  top: roomAround,
  left: 0,
  right: 0,
  get bottom(): number {
    const own = element();
    return own ? parseFloat(getComputedStyle(own).scrollMarginBottom) : roomAround;
  },
});

type RichProps = Props & { onHtml: () => void; onUnknown: () => void };

/** The words as buyers read them. It writes only what was changed here, never what was merely opened. */
const Rich = ({ id, label, value, onChange, onLeave, onKeyDown, autoFocus = false, onHtml, onUnknown }: RichProps) => {
  const known = useRef(value);
  const words = useRef<HTMLDivElement>(null);
  const [room] = useState(() => caretRoom(() => words.current?.firstElementChild ?? undefined));
  const editor = useEditor({
    extensions: richExtensions,
    content: value,
    autofocus: autoFocus ? 'start' : false,
    // Its styles are in a sheet of ours: the policy of the window takes no others.
    injectCSS: false,
    editorProps: {
      scrollThreshold: room,
      scrollMargin: room,
      attributes: { id, role: 'textbox', 'aria-label': label, 'aria-multiline': 'true' },
      // Ctrl-Enter keeps what was typed, as in every field; here it would be a new line as well.
      handleKeyDown: (_view, event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey),
    },
    onUpdate: ({ editor: written }) => {
      known.current = tidyRich(written.getHTML());
      onChange(known.current);
    },
  });
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    if (keepsAll(value)) editor.commands.setContent(value, { emitUpdate: false });
    else onUnknown();
  }, [value, editor, onUnknown]);
  return (
    <RichTextEditor editor={editor} labels={labels()} withTypographyStyles={false} className={styles.editor}>
      <Tools onHtml={onHtml} />
      <RichTextEditor.Content ref={words} className={styles.words} onBlur={onLeave} onKeyDown={onKeyDown} />
    </RichTextEditor>
  );
};

/**
 * A description as text, with its HTML one press away. What the editor of text does not know would be lost by the first
 * word that is changed: such a description stays HTML, and says so.
 */
export const HtmlEditor = (props: Props) => {
  const { id, label, value, onChange, onLeave, onKeyDown, autoFocus = false } = props;
  const [mode, setMode] = useState<'rich' | 'html' | 'onlyHtml'>(() => (keepsAll(value) ? 'rich' : 'onlyHtml'));
  const onUnknown = useRef(() => setMode('onlyHtml')).current;
  if (mode === 'rich') return <Rich {...props} onHtml={() => setMode('html')} onUnknown={onUnknown} />;
  return (
    <div className={styles.html}>
      <div className={styles.line}>
        <span role="status">{mode === 'onlyHtml' && t('parts.rich.onlyHtml')}</span>
        <Button
          size="compact-sm"
          variant="quiet"
          className={styles.mode}
          onClick={() => setMode(keepsAll(value) ? 'rich' : 'onlyHtml')}
        >
          {t('parts.rich.asText')}
        </Button>
      </div>
      <Textarea
        id={id}
        aria-label={label}
        autosize
        minRows={8}
        maxRows={16}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onLeave}
        onKeyDown={onKeyDown}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </div>
  );
};
