import { Tokenizer } from 'htmlparser2';

/** Elements whose content is not displayed. */
const hidden = new Set(['script', 'style']);
const lineEnds = new Set('p div h1 h2 h3 h4 h5 h6 li ul ol tr table blockquote'.split(' '));
const cellEnds = new Set(['td', 'th', 'dt', 'dd']);

const endOf = (name: string): string => {
  if (lineEnds.has(name)) return '\n';
  return cellEnds.has(name) ? ' ' : '';
};

const startOf = (name: string): string => {
  if (name === 'li') return '– ';
  return name === 'br' ? '\n' : '';
};

/**
 * Converts untrusted HTML to plain text for search, comparison and display; the result is never used as HTML. It only
 * tokenises, because building a tree of 100,000 nested elements takes minutes.
 */
export const htmlText = (html: string): string => {
  let text = '';
  let isHidden = false;
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase();
  const nothing = (): void => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => (text += isHidden ? '' : html.slice(start, end)),
      ontextentity: (codePoint) => (text += isHidden ? '' : String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => {
        const name = nameAt(start, end);
        isHidden = hidden.has(name);
        text += startOf(name);
      },
      onclosetag: (start, end) => {
        isHidden = false;
        text += endOf(nameAt(start, end));
      },
      onattribdata: nothing,
      onattribend: nothing,
      onattribentity: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
      onselfclosingtag: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
};
