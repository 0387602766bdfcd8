import type { Scenario } from '../fakeCompanion.ts';
import { clearDocument } from './clearDocument.ts';
import { watchChannels, watchListeners, watchObservers, watchOwnKeys, watchTimers } from './watch.ts';

declare global {
  interface Window {
    harness: {
      /** Starts the app at a hash. */
      start: (hash: string, scenario: Scenario) => void;
      /** Removes the app and everything that it left in the document. */
      clear: () => void;
      /** Called once everything is loaded: a reloaded page shows its previous content. */
      begin: () => void;
    };
    /** The fake companion and the app. Each call evaluates all their modules again, without compiling them again. */
    runApp: () => void;
    /** The base address of the app's files. */
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
  // The window never reports idle time, so it loads nothing ahead, which would be a third of a page's work.
  window.requestIdleCallback = () => 0;
  window.runApp();
};

window.harness = {
  start: (hash, scenario) => {
    // Asynchronous work of the previous app has arrived by now.
    clear();
    history.replaceState(null, '', location.pathname + hash);
    // Only a window's name survives a reload.
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
