import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

type Child = { kill: (signal: string) => void };
type System = { own: EventEmitter; platform: string; isTerminal: () => boolean };

const launcher = pathToFileURL(join(import.meta.dirname, '../../../scripts/launcher/runNode.mjs')).href;
const { isAcceptedNode, passSignals } = (await import(launcher)) as {
  isAcceptedNode: (version: string, least: number) => boolean;
  passSignals: (child: Child, system: System) => () => void;
};

test.each([
  [
    'built files',
    22,
    ['20.20.2', '22.21.1', '23.11.0', '24.12.9', '25.2.1'],
    ['22.22.0', '24.13.0', '25.3.0', '26.0.0'],
  ],
  [
    'source files',
    24,
    ['22.22.3', '24.0.0', '24.12.0', '25.2.1'],
    ['24.13.0', '24.21.0', '25.3.0', '26.10.0', '30.0.1'],
  ],
])('%s run only with Node versions that can fully sandbox the photo process', (_what, least, refused, accepted) => {
  expect(refused.filter((version) => isAcceptedNode(version, least))).toEqual([]);
  expect(accepted.filter((version) => !isAcceptedNode(version, least))).toEqual([]);
});

/** Returns the signals sent to a child when its launcher receives these signals. */
const passOnSignals = (system: { platform: string; isTerminal: boolean }, ...signals: string[]): string[] => {
  const own = new EventEmitter();
  const sent: string[] = [];
  const stop = passSignals(
    { kill: (signal: string) => void sent.push(signal) },
    { own, platform: system.platform, isTerminal: () => system.isTerminal },
  );
  for (const signal of signals) own.emit(signal);
  stop();
  expect(own.eventNames()).toEqual([]);
  return sent;
};
const all = ['SIGINT', 'SIGTERM', 'SIGHUP'];

test('all signals except Ctrl-C in a terminal are passed on to the child process', () => {
  expect(passOnSignals({ platform: 'linux', isTerminal: false }, ...all)).toEqual(all);
  expect(passOnSignals({ platform: 'linux', isTerminal: true }, ...all)).toEqual(['SIGTERM', 'SIGHUP']);
});

test('on Windows, no signal is passed on to the child process', () => {
  expect(passOnSignals({ platform: 'win32', isTerminal: false }, ...all, 'SIGBREAK')).toEqual([]);
});
