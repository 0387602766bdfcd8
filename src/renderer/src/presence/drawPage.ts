import type { CeremonyView, CeremonyPageData } from '../../../ipc/ceremonyPage.ts';

const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export type PinWait = {
  /** The field of the PIN is described by this element, so that a screen reader reads the time with the field. */
  timer: HTMLElement;
  isWaiting: () => boolean;
  start: (seconds: number) => void;
  stop: () => void;
};

/** Counts down until the next PIN can be entered. A timer is no live region, so it is not read out every second. */
export const createPinWait = (words: CeremonyPageData['words'], onOver: () => void): PinWait => {
  const timer = createElement('p', { className: 'status timer', id: 'pin-wait', role: 'timer' });
  let ticking: ReturnType<typeof setInterval> | null = null;
  const stop = (): void => {
    if (ticking !== null) clearInterval(ticking);
    ticking = null;
    timer.textContent = '';
  };
  return {
    timer,
    isWaiting: () => ticking !== null,
    start: (seconds) => {
      stop();
      const untilMs = performance.now() + seconds * 1_000;
      const tick = (): void => {
        const left = Math.ceil((untilMs - performance.now()) / 1_000);
        if (left > 0) timer.textContent = words.pinWaitsFor.replace('{{time}}', formatCountdown(left));
        else {
          stop();
          onOver();
        }
      };
      ticking = setInterval(tick, 1_000);
      tick();
    },
    stop,
  };
};

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
