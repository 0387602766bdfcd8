/// <reference types="vite/client" />
import type { CeremonyPageData, CeremonyWord } from '../../../ipc/ceremonyPage.ts';
import {
  askServer,
  cancelCeremony,
  CeremonyError,
  askBrowser,
  endBrowserDialog,
  findBrowserErrorWord,
  isPasskeySupported,
} from './askServer.ts';
import { createElement, drawSubject, createPinWait } from './drawPage.ts';
import style from './page.css?inline';

const { words, opened } = JSON.parse(document.getElementById('data')?.textContent ?? '') as CeremonyPageData;
const { isRegistration } = opened;

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
document.adoptedStyleSheets = [sheet];

const status = createElement('p', { className: 'status', role: 'status' });
const problem = createElement('p', { className: 'problem', role: 'alert' });
const controls = createElement('div', { className: 'controls' });
const main = createElement('main', {}, status, problem);
document.getElementById('root')?.append(main);

let isOver = false;
let isBusy = false;

const say = (word: CeremonyWord): void => {
  status.textContent = words[word];
  problem.textContent = '';
};
const sayProblem = (sentence: string): void => {
  status.textContent = '';
  problem.textContent = sentence;
};

/** Ends the page with a sentence. The window of the companion reads the result from the core. */
const endPage = (show: () => void): void => {
  if (isOver) return;
  isOver = true;
  endBrowserDialog();
  pinWait.stop();
  controls.replaceChildren();
  show();
};

/** Ends the page and closes its window. Only a window that a program opened can close itself. */
const endAndClose = (word: CeremonyWord): void => {
  endPage(() => say(word));
  window.close();
};

const updateControls = (): void => {
  for (const control of controls.querySelectorAll<HTMLInputElement | HTMLButtonElement>('input, button[data-act]'))
    control.disabled = isBusy || (control.dataset['act'] === 'pin' && pinWait.isWaiting());
};
const setBusy = (isNowBusy: boolean): void => {
  isBusy = isNowBusy;
  updateControls();
};

const pinWait = createPinWait(words, () => {
  updateControls();
  say('pinWaitOver');
});
const startPinWait = (seconds: number): void => {
  pinWait.start(seconds);
  updateControls();
};

/** After these refusals, the person can try again on the same page. */
const repeatable = new Set(['PIN_WRONG', 'PIN_WAITS']);
/** A PIN that is too short would end the registration, so the page checks it first. */
const minPinLength = 6;

/** A page cannot tell a private window, so this sentence follows if a passkey might be missing. */
const sayBrowserError = (word: CeremonyWord): void => {
  sayProblem(words[isRegistration && word === 'noAuthenticator' ? 'noAuthenticatorSetUp' : word]);
  const mightBePrivate = word === 'noAuthenticator' || word === 'notConfirmed';
  if (mightBePrivate && !isRegistration) status.textContent = words.privateWindow;
};

const showFailure = (error: unknown, tookMs: number): void => {
  if (isOver) return;
  const word = findBrowserErrorWord(error, tookMs);
  if (word !== null) return sayBrowserError(word);
  if (!(error instanceof CeremonyError)) return endPage(() => sayProblem(words.unreachable));
  const { code, sentence, retryAfterS } = error.problem;
  if (!repeatable.has(code)) return endPage(() => sayProblem(sentence));
  sayProblem(sentence);
  if (retryAfterS !== undefined) startPinWait(retryAfterS);
};

/** Runs one attempt to confirm. After a failure that can be repeated, the controls work again. */
const attempt = async (work: () => Promise<unknown>): Promise<void> => {
  const startedAt = performance.now();
  setBusy(true);
  try {
    await work();
    endAndClose(isRegistration ? 'saved' : 'done');
  } catch (error) {
    showFailure(error, performance.now() - startedAt);
    setBusy(false);
    controls.querySelector<HTMLElement>('input, button')?.focus();
  }
};

const createButton = (word: CeremonyWord, onPress: () => void): HTMLButtonElement => {
  const button = createElement('button', { className: 'primary', type: 'button' }, words[word]);
  button.dataset['act'] = word;
  button.addEventListener('click', onPress);
  return button;
};

const leavePage = (): void => void cancelCeremony().then(() => endAndClose('cancelled'));

const createCancelButton = (): HTMLButtonElement => {
  const button = createElement('button', { type: 'button' }, words.cancel);
  button.addEventListener('click', leavePage);
  return button;
};

const onEscape = (event: KeyboardEvent): void => {
  if (event.key === 'Escape' && !event.isComposing && !isOver) leavePage();
};

const drawActions = (...buttons: HTMLElement[]): HTMLElement =>
  createElement('div', { className: 'actions' }, ...buttons, createCancelButton());

const createPinField = (word: 'pin' | 'pinAgain'): { label: HTMLLabelElement; field: HTMLInputElement } => {
  const field = createElement('input', { type: 'password', autocomplete: 'off', required: true, maxLength: 200 });
  return { label: createElement('label', {}, words[word], field), field };
};

const drawPinForm = (): HTMLElement => {
  const pin = createPinField('pin');
  const again = createPinField('pinAgain');
  const hint = createElement('p', { className: 'status' }, words.pinHint);
  const submit = createElement(
    'button',
    { className: 'primary', type: 'submit' },
    words[isRegistration ? 'setPin' : 'usePin'],
  );
  submit.dataset['act'] = 'pin';
  pin.field.setAttribute('aria-describedby', pinWait.timer.id);
  const form = createElement('form', { noValidate: true }, pin.label);
  if (isRegistration) {
    pin.field.minLength = minPinLength;
    form.append(again.label, hint);
  }
  form.append(drawActions(submit), pinWait.timer);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { value } = pin.field;
    hint.hidden = isRegistration && [...value].length < minPinLength;
    if (hint.hidden) return sayProblem(words.pinHint);
    if (isRegistration && value !== again.field.value) return sayProblem(words.pinsDiffer);
    if (value === '' || pinWait.isWaiting()) return pin.field.focus();
    say('checking');
    void attempt(async () => {
      try {
        await askServer(isRegistration ? 'new-pin' : 'pin', { pin: value });
      } finally {
        pin.field.value = '';
      }
    });
  });
  return form;
};

const usePasskey = async (): Promise<void> => {
  say('waiting');
  const answer = await askBrowser(isRegistration, opened.passkeyOptions ?? {});
  say('checking');
  await askServer(isRegistration ? 'new-passkey' : 'passkey', answer);
};

const useSystem = async (): Promise<void> => {
  say('waiting');
  await askServer(isRegistration ? 'new-system' : 'system');
};

/** Draws the ways to confirm and starts the one that needs no further press. */
const offerWays = (): void => {
  const { kinds } = opened;
  const endWith = (word: CeremonyWord): void => {
    void cancelCeremony();
    endPage(() => sayProblem(words[word]));
  };
  const runPasskey = () => void attempt(usePasskey);
  const runSystem = () => void attempt(useSystem);
  const canUsePasskey = kinds.includes('passkey') && isPasskeySupported();
  const buttons = [
    ...(canUsePasskey ? [createButton(isRegistration ? 'createPasskey' : 'usePasskey', runPasskey)] : []),
    ...(kinds.includes('system') ? [createButton('useSystem', runSystem)] : []),
  ];
  if (kinds.includes('pin')) controls.append(drawPinForm());
  else if (buttons.length === 0)
    return endWith(kinds.length === 0 ? 'lost' : kinds.includes('passkey') ? 'noWebAuthn' : 'noWay');
  else controls.append(drawActions(...buttons));
  main.append(controls);
  if (!isRegistration) main.append(createElement('p', { className: 'status' }, words.lostKey));
  controls.querySelector<HTMLElement>('input, button')?.focus();
  if (isRegistration || !document.hasFocus()) return;
  if (canUsePasskey) runPasskey();
  else if (kinds.includes('system')) runSystem();
};

addEventListener('keydown', onEscape);
addEventListener('pagehide', () => isOver || void cancelCeremony());
main.prepend(createElement('h1', {}, opened.view.heading), ...drawSubject(opened.view));
setTimeout(() => endPage(() => sayProblem(words.over)), opened.leftMs);
offerWays();
if (opened.pinWaitS > 0) startPinWait(opened.pinWaitS);
