/** Counts bytes, rows or steps. */
export type TaskProgress = { done: number; total: number };

/** A long step of a start, before the companion can be used. */
export type StartStageName = 'restart' | 'checkBackup' | 'copyBackup' | 'checkData' | 'backUp' | 'update' | 'open';

/** `progress` is null while the stage cannot tell how far it is. */
export type StartStage = { name: StartStageName; progress: TaskProgress | null };

export type ReportStage = (stage: StartStage) => void;

export const ignoreStages: ReportStage = () => undefined;
