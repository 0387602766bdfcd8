import type { Scenario } from '../fakeCompanion.ts';
import { clearDocument } from './clearDocument.ts';
import { watchChannels, watchListeners, watchObservers, watchOwnKeys, watchTimers } from './watch.ts';

declare global {
  interface Window {
    stage: {
      /** Shows the app from its beginning, at a hash. */
      start: (hash: string, scenario: Scenario) => void;
      /** Takes away what is shown, and all that it left in the document. */
      clear: () => void;
      /** To be called once all is there: a page that was loaded anew shows what it showed before. */
      begin: () => void;
    };
    /** The fake companion and the app: each call evaluates all their modules anew, and compiles none again. */
    runApp: () => void;
    /** What the app's files are relative to. */
    assetsUrl: string;
  }
}

window.assetsUrl = new URL('/assets/', location.href).href;

const clearing = [clearDocument(), watchListeners(), ...watchTimers(), ...watchObservers(), watchChannels()];

const clear = (): void => {
  for (const one of clearing) one();
};

const run = (scenario: Scenario): void => {
  window.scenario = scenario;
  // A window that never rests loads nothing ahead. That would be a third of the work of a page.
  window.requestIdleCallback = () => 0;
  window.runApp();
};

window.stage = {
  start: (hash, scenario) => {
    // What was on its way when the page was cleared has arrived by now.
    clear();
    history.replaceState(null, '', location.pathname + hash);
    // A window that is loaded anew keeps its name, and nothing else.
    window.name = JSON.stringify(scenario);
    const root = document.createElement('div');
    root.id = 'root';
    document.body.append(root);
    run(scenario);
  },
  clear,
  begin: () => {
    for (const owner of [window, document, navigator]) clearing.push(watchOwnKeys(owner));
    if (window.name !== '') run(JSON.parse(window.name) as Scenario);
  },
};
