import { Button } from '@mantine/core';
import { GrowingTextarea } from '../fields/GrowingTextarea.tsx';
import { RichTextEditor, type RichTextEditorLabels } from '@mantine/tiptap';
import '@mantine/tiptap/styles.css';
import { useEditor, Editor } from '@tiptap/react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../i18n.ts';
import styles from './htmlEditor.module.css';
import StarterKit from '@tiptap/starter-kit';

const richExtensions = [
  StarterKit.configure({ link: false, code: false, codeBlock: false, dropcursor: false, trailingNode: false }),
];

/** Untrusted HTML is safe here, because `DOMParser` runs no scripts and loads no resources. */
const parseHtmlBody = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** The editor wraps the text of each list item in a paragraph, but most descriptions have no paragraph there. */
const unwrapListItemParagraphs = (body: HTMLElement): void => {
  for (const point of body.querySelectorAll('li')) {
    const [first, ...others] = point.children;
    if (first?.matches('p:not([class], [style])') && others.every((other) => other.matches('ul, ol')))
      first.replaceWith(...first.childNodes);
  }
};

const tidyEditorHtml = (html: string): string => {
  const body = parseHtmlBody(html);
  unwrapListItemParagraphs(body);
  return body.textContent.trim() === '' && !body.querySelector('hr') ? '' : body.innerHTML;
};

const blockElements = /^(p|h[1-6]|ul|ol|li|blockquote|hr)$/;
const equivalentTags: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' };

const serialiseNode = (node: Node): string => {
  if (node instanceof Element) return serialiseElement(node);
  return node.nodeType === Node.TEXT_NODE
    ? (node.textContent ?? '').replace(/[ \t\r\n]+/g, ' ')
    : `<!${node.nodeName}>`;
};

/** Text between blocks becomes a paragraph, so that equal content has equal HTML. */
const serialiseChildren = (parent: Element, wraps: boolean): string => {
  const parts = [...parent.childNodes].map((node) => ({
    text: serialiseNode(node),
    isBlock: node instanceof Element && blockElements.test(node.localName),
  }));
  if (!wraps && !parts.some(({ isBlock }) => isBlock))
    return parts
      .map(({ text }) => text)
      .join('')
      .trim();
  let written = '';
  let words = '';
  const flushWords = (): void => {
    if (words.trim() !== '') written += wraps ? `<p>${words.trim()}</p>` : words.trim();
    words = '';
  };
  for (const { text, isBlock } of parts) {
    if (!isBlock) words += text;
    else {
      flushWords();
      written += text;
    }
  }
  flushWords();
  return written;
};

const serialiseElement = (element: Element): string => {
  const name = equivalentTags[element.localName] ?? element.localName;
  const attributes = [...element.attributes].map(({ name: key, value }) => ` ${key}="${value}"`).sort();
  return `<${name}${attributes.join('')}>${serialiseChildren(element, name === 'blockquote')}</${name}>`;
};

const canonicaliseHtml = (html: string): string => {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  unwrapListItemParagraphs(parsed.body);
  // The parser moves elements such as style into the head, so the head is included.
  return parsed.head.innerHTML.trim() + serialiseChildren(parsed.body, true);
};

const canEditorKeepHtml = (html: string): boolean => {
  const editor = new Editor({ element: null, extensions: richExtensions, content: html, injectCSS: false });
  const written = editor.getHTML();
  editor.destroy();
  // Empty paragraphs have no meaning, and the prompt cannot show them, so they are ignored.
  return canonicaliseHtml(html).replaceAll('<p></p>', '') === canonicaliseHtml(written).replaceAll('<p></p>', '');
};

type Props = {
  id: string;
  label: string;
  value: string;
  onChange: (html: string) => void;
  onLeave?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  autoFocus?: boolean;
};

const createEditorLabels = (): Partial<RichTextEditorLabels> => ({
  boldControlLabel: t('parts.rich.bold'),
  italicControlLabel: t('parts.rich.italic'),
  h2ControlLabel: t('parts.rich.heading'),
  h3ControlLabel: t('parts.rich.subheading'),
  bulletListControlLabel: t('parts.rich.bullets'),
  orderedListControlLabel: t('parts.rich.numbers'),
});

const EditorToolbar = ({ onHtml }: { onHtml: () => void }) => (
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

const caretMarginPx = 12;

/**
 * A bar covers the bottom of the screen. The editor's style reserves space for the bar, so the bottom margin is read
 * from that style.
 */
const createCaretMargin = (element: () => Element | undefined) => ({
  top: caretMarginPx,
  left: 0,
  right: 0,
  get bottom(): number {
    const own = element();
    return own ? parseFloat(getComputedStyle(own).scrollMarginBottom) : caretMarginPx;
  },
});

type RichProps = Props & { onHtml: () => void; onUnknown: () => void };

/** The editor reports only changes that the person makes, so opening a description changes nothing. */
const RichTextArea = ({
  id,
  label,
  value,
  onChange,
  onLeave,
  onKeyDown,
  autoFocus = false,
  onHtml,
  onUnknown,
}: RichProps) => {
  const known = useRef(value);
  const words = useRef<HTMLDivElement>(null);
  const [room] = useState(() => createCaretMargin(() => words.current?.firstElementChild ?? undefined));
  const editor = useEditor({
    extensions: richExtensions,
    content: value,
    autofocus: autoFocus ? 'start' : false,
    // The content security policy forbids injected styles, so our stylesheet contains the styles of the editor.
    injectCSS: false,
    editorProps: {
      scrollThreshold: room,
      scrollMargin: room,
      attributes: { id, role: 'textbox', 'aria-label': label, 'aria-multiline': 'true' },
      // Ctrl-Enter saves. Without this handler, the editor would also insert a line break.
      handleKeyDown: (_view, event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey),
    },
    onUpdate: ({ editor: written }) => {
      known.current = tidyEditorHtml(written.getHTML());
      onChange(known.current);
    },
  });
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    if (canEditorKeepHtml(value)) editor.commands.setContent(value, { emitUpdate: false });
    else onUnknown();
  }, [value, editor, onUnknown]);
  return (
    <RichTextEditor
      editor={editor}
      labels={createEditorLabels()}
      withTypographyStyles={false}
      className={styles.editor}
    >
      <EditorToolbar onHtml={onHtml} />
      <RichTextEditor.Content ref={words} className={styles.words} onBlur={onLeave} onKeyDown={onKeyDown} />
    </RichTextEditor>
  );
};

/**
 * The text editor removes HTML that it does not know. A description with such HTML can therefore be edited only as
 * HTML.
 */
export const HtmlEditor = (props: Props) => {
  const { id, label, value, onChange, onLeave, onKeyDown, autoFocus = false } = props;
  const [mode, setMode] = useState<'rich' | 'html' | 'onlyHtml'>(() =>
    canEditorKeepHtml(value) ? 'rich' : 'onlyHtml',
  );
  const onUnknown = useRef(() => setMode('onlyHtml')).current;
  if (mode === 'rich') return <RichTextArea {...props} onHtml={() => setMode('html')} onUnknown={onUnknown} />;
  return (
    <div className={styles.html}>
      <div className={styles.line}>
        <span role="status">{mode === 'onlyHtml' && t('parts.rich.onlyHtml')}</span>
        <Button
          size="compact-sm"
          variant="quiet"
          className={styles.mode}
          onClick={() => setMode(canEditorKeepHtml(value) ? 'rich' : 'onlyHtml')}
        >
          {t('parts.rich.asText')}
        </Button>
      </div>
      <GrowingTextarea
        id={id}
        aria-label={label}
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
