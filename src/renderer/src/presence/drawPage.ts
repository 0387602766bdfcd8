import type { CeremonyView } from '../../../ipc/ceremonyPage.ts';

type Child = Node | string;

/** Creates an element. Texts become text nodes, so that no text from a listing can become an element. */
export const createElement = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

const drawRow = ({ act, title, lines, photo }: CeremonyView['rows'][number]): HTMLElement => {
  const text = createElement('div', {}, createElement('p', { className: 'act' }, act));
  if (title !== null) text.append(createElement('p', { className: 'foreign', dir: 'auto' }, `“${title}”`));
  text.append(...lines.map((line) => createElement('p', { className: 'foreign', dir: 'auto' }, line)));
  const row = createElement('li', { className: 'row' });
  // The photo says no more than the title, so screen readers skip it.
  if (photo !== null) row.append(createElement('img', { src: photo, alt: '', loading: 'lazy' }));
  row.append(text);
  return row;
};

const drawFact = ({ label, value }: CeremonyView['facts'][number]): Child[] => [
  createElement('dt', {}, label),
  createElement('dd', { className: 'foreign', dir: 'auto' }, value),
];

/** Draws what the person confirms. */
export const drawSubject = ({ rows, facts }: CeremonyView): HTMLElement[] => {
  const parts: HTMLElement[] = [];
  const list = createElement('ul', { className: 'rows' }, ...rows.map(drawRow));
  // A list that scrolls must be reachable with the keyboard.
  if (rows.length > 3) list.tabIndex = 0;
  if (rows.length > 0) parts.push(list);
  const factList = createElement('dl', {}, ...facts.flatMap(drawFact));
  if (facts.length > 3) factList.tabIndex = 0;
  if (facts.length > 0) parts.push(factList);
  return parts.length === 0 ? [] : [createElement('section', { className: 'subject' }, ...parts)];
};
