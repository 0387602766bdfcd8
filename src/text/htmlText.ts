import { Tokenizer } from 'htmlparser2';

const hiddenElements = new Set(['script', 'style']);
const lineEnds = new Set('p div h1 h2 h3 h4 h5 h6 li ul ol tr table blockquote'.split(' '));
const cellEnds = new Set(['td', 'th', 'dt', 'dd']);

const getTextForClosingTag = (name: string): string => {
  if (lineEnds.has(name)) return '\n';
  return cellEnds.has(name) ? ' ' : '';
};

const getTextForOpeningTag = (name: string): string => {
  if (name === 'li') return '– ';
  return name === 'br' ? '\n' : '';
};

/**
 * Converts untrusted HTML to plain text; the result is not safe as HTML. Builds no element tree, because a tree of
 * 100,000 nested elements takes minutes.
 */
export const convertHtmlToText = (html: string): string => {
  let text = '';
  let isHidden = false;
  const getTagName = (start: number, end: number): string => html.slice(start, end).toLowerCase();
  const ignoreToken = (): void => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => (text += isHidden ? '' : html.slice(start, end)),
      ontextentity: (codePoint) => (text += isHidden ? '' : String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => {
        const name = getTagName(start, end);
        isHidden = hiddenElements.has(name);
        text += getTextForOpeningTag(name);
      },
      onclosetag: (start, end) => {
        isHidden = false;
        text += getTextForClosingTag(getTagName(start, end));
      },
      onattribdata: ignoreToken,
      onattribend: ignoreToken,
      onattribentity: ignoreToken,
      onattribname: ignoreToken,
      oncdata: ignoreToken,
      oncomment: ignoreToken,
      ondeclaration: ignoreToken,
      onend: ignoreToken,
      onopentagend: ignoreToken,
      onprocessinginstruction: ignoreToken,
      onselfclosingtag: ignoreToken,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
};
