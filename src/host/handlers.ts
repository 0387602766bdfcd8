import type { Companion } from '../core/companion.ts';
import { Problem } from '../core/problem.ts';
import type { Handlers } from '../ipc/calls.ts';

type Host = {
  bridgeUrl: () => string;
  openLink: (url: string) => Promise<void>;
  samplesDir: string;
  /** Addresses besides https that a click may open: pages of a service on this machine. */
  mayOpen: (url: URL) => boolean;
};

/** Serves every call of a screen by the core; the one table for Electron's IPC and for the headless WebSocket. */
export const handlersOf = (companion: Companion, host: Host): Handlers => {
  const state = async () => companion.state(host.bridgeUrl());
  const connected = () => companion.state(null).connection !== 'none';
  const { items, approvals, assistants, batches, searchHistory } = companion;
  return {
    'app.state': state,
    'app.settings': (changes) => {
      companion.changeSettings(changes);
      return state();
    },
    'app.open': async ({ url }) => {
      const target = new URL(url);
      if (target.protocol !== 'https:' && !host.mayOpen(target)) {
        throw new Problem('LINK_REFUSED', 'Only https addresses are opened.', { field: 'url' });
      }
      await host.openLink(target.href);
      return null;
    },
    'connect.practice': async () => {
      await companion.connect.practice();
      return state();
    },
    'connect.start': ({ email }) => companion.connect.start(email),
    'connect.verify': async (given) => {
      await companion.connect.verify(given);
      return state();
    },
    'connect.forget': async () => {
      await companion.connect.forget();
      return state();
    },
    'items.list': async () => (connected() ? items.list() : []),
    'items.get': async ({ itemId }) => items.get(itemId),
    'items.add': ({ sources, note }) => companion.add(sources, undefined, note),
    'items.addSamples': () => companion.add({ kind: 'paths', paths: [host.samplesDir] }),
    'items.note': async ({ itemId, note }) => items.note(itemId, note),
    'items.cancel': ({ itemId }) => items.cancel(itemId),
    'items.resume': ({ itemId }) => items.resume(itemId),
    'items.remove': async ({ itemId }) => {
      await items.remove(itemId);
      return null;
    },
    'service.perform': ({ route, input }) => companion.perform({ by: { kind: 'person' }, route, input }),
    'approvals.list': async () => (connected() ? [...approvals.unsettled(), ...approvals.waiting()] : []),
    'approvals.history': async () => (connected() ? approvals.history() : []),
    'approvals.get': async ({ approvalId }) => approvals.view(approvalId),
    'approvals.approve': ({ approvalId, digest }) => approvals.approve(approvalId, digest),
    'approvals.decline': async ({ approvalId, why }) => approvals.decline(approvalId, why),
    'approvals.lower': ({ approvalId, digest, count }) => approvals.lower(approvalId, digest, count),
    'batch.ask': ({ listingIds }) => batches.ask(listingIds),
    'batch.current': async () => (connected() ? batches.current() : null),
    'batch.approve': async ({ batchId, rows }) => batches.approve(batchId, rows),
    'batch.stop': async ({ batchId }) => batches.stop(batchId),
    'batch.close': async ({ batchId }) => {
      batches.close(batchId);
      return null;
    },
    'history.search': async (asked) => searchHistory.search(asked),
    'history.export': async ({ format }) => searchHistory.export(format),
    'assistants.list': async () => assistants.list(),
    'assistants.accept': async ({ pairingId }) => {
      assistants.accept(pairingId);
      return null;
    },
    'assistants.refuse': async ({ pairingId }) => {
      assistants.refuse(pairingId);
      return null;
    },
    'assistants.change': async ({ assistantId, ...changes }) => {
      assistants.change(assistantId, changes);
      return null;
    },
    'assistants.revoke': async ({ assistantId }) => {
      assistants.revoke(assistantId);
      return null;
    },
  };
};
