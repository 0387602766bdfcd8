import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

type Child = { kill: (signal: string) => void };
type System = { own: EventEmitter; platform: string; isTerminal: () => boolean };

const launcher = pathToFileURL(join(import.meta.dirname, '../../../scripts/launcher/runNode.mjs')).href;
const { passSignals } = (await import(launcher)) as { passSignals: (child: Child, system: System) => () => void };

/** What a child is sent when these signals reach what started it. */
const sentOn = (system: { platform: string; isTerminal: boolean }, ...signals: string[]): string[] => {
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

test('signals are passed on, but for Ctrl-C in a terminal, which tells the child as well', () => {
  expect(sentOn({ platform: 'linux', isTerminal: false }, ...all)).toEqual(all);
  expect(sentOn({ platform: 'linux', isTerminal: true }, ...all)).toEqual(['SIGTERM', 'SIGHUP']);
});

test('on Windows nothing is passed on: the console tells the child, and kill would end it where it stands', () => {
  expect(sentOn({ platform: 'win32', isTerminal: false }, ...all, 'SIGBREAK')).toEqual([]);
});
