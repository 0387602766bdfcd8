import { Editor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';

/** What the editor of text knows: paragraphs, headings, lists, quotes, lines, and bold, italic, underlined or struck words. */
export const richExtensions = [
  StarterKit.configure({ link: false, code: false, codeBlock: false, dropcursor: false, trailingNode: false }),
];

/** Read without being shown: nothing of it runs, and nothing is loaded. */
const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** The editor writes a paragraph into each point of a list; most descriptions have none there. */
const unwrapPoints = (body: HTMLElement): void => {
  for (const point of body.querySelectorAll('li')) {
    const [first, ...others] = point.children;
    if (first?.matches('p:not([class], [style])') && others.every((other) => other.matches('ul, ol')))
      first.replaceWith(...first.childNodes);
  }
};

/** What the editor made of it, as it is kept. */
export const tidyRich = (html: string): string => {
  const body = bodyOf(html);
  unwrapPoints(body);
  return body.textContent.trim() === '' && !body.querySelector('hr') ? '' : body.innerHTML;
};

const blocks = /^(p|h[1-6]|ul|ol|li|blockquote|hr)$/;
const alike: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' };

const nodeText = (node: Node): string => {
  if (node instanceof Element) return elementText(node);
  return node.nodeType === Node.TEXT_NODE
    ? (node.textContent ?? '').replace(/[ \t\r\n]+/g, ' ')
    : `<!${node.nodeName}>`;
};

/** Children in one way of writing: words beside blocks are a paragraph, and spaces between blocks are nothing. */
const childrenText = (parent: Element, wraps: boolean): string => {
  const parts = [...parent.childNodes].map((node) => ({
    text: nodeText(node),
    isBlock: node instanceof Element && blocks.test(node.localName),
  }));
  if (!wraps && !parts.some(({ isBlock }) => isBlock))
    return parts
      .map(({ text }) => text)
      .join('')
      .trim();
  let written = '';
  let words = '';
  const endWords = (): void => {
    if (words.trim() !== '') written += wraps ? `<p>${words.trim()}</p>` : words.trim();
    words = '';
  };
  for (const { text, isBlock } of parts) {
    if (!isBlock) words += text;
    else {
      endWords();
      written += text;
    }
  }
  endWords();
  return written;
};

const elementText = (element: Element): string => {
  const name = alike[element.localName] ?? element.localName;
  const attributes = [...element.attributes].map(({ name: key, value }) => ` ${key}="${value}"`).sort();
  return `<${name}${attributes.join('')}>${childrenText(element, name === 'blockquote')}</${name}>`;
};

const canonical = (html: string): string => {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  unwrapPoints(parsed.body);
  // What a browser puts into the head, as styles, stands outside of the body.
  return parsed.head.innerHTML.trim() + childrenText(parsed.body, true);
};

/** Whether the editor of text can hold all of it: what it wrote would say the same, to the last attribute. */
export const keepsAll = (html: string): boolean => {
  const editor = new Editor({ element: null, extensions: richExtensions, content: html, injectCSS: false });
  const written = editor.getHTML();
  editor.destroy();
  // An empty paragraph says nothing, and cannot be seen in what is sent.
  return canonical(html).replaceAll('<p></p>', '') === canonical(written).replaceAll('<p></p>', '');
};
