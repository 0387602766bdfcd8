import type { StartStage } from '../core/storage/startStages.ts';
import { createEmptyInputSchema, defineIpcCall } from './call.ts';

/** What a long start does now. */
export type StartView = StartStage & { isCancellable: boolean };

/** The host answers these calls itself, also before the companion runs. */
export const startCalls = {
  /** Returns null if the companion runs, or runs in a moment. */
  'start.state': defineIpcCall('none', createEmptyInputSchema).answering<StartView | null>(),
  /** Cancels the restore of a backup. The companion starts with the current data. */
  'start.cancel': defineIpcCall('none', createEmptyInputSchema).answering<null>(),
  /** Stops the companion and starts it. The desktop app closes its windows and opens a new one. */
  'start.restart': defineIpcCall('none', createEmptyInputSchema).answering<null>(),
} as const;

export type StartCallName = keyof typeof startCalls;

export const isStartCall = (name: unknown): name is StartCallName =>
  typeof name === 'string' && Object.hasOwn(startCalls, name);
