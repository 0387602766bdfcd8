import type { ItemView } from '../../../api/call.ts';

type Stage = NonNullable<ItemView['photoChange']>['stage'];
export type RunningStage = Extract<Stage, 'preparing' | 'checking' | 'sending'>;

export const isRunningStage = (stage: Stage | undefined): stage is RunningStage =>
  stage === 'preparing' || stage === 'checking' || stage === 'sending';
