import { useSyncExternalStore } from 'react';

/** Photos on their way from this browser to the core: what a placeholder row shows. */
export type Intake = {
  intakeId: string;
  name: string;
  thumbUrl: string | null;
  sent: number;
  total: number;
};

let intakes: readonly Intake[] = [];
const listeners = new Set<() => void>();

const set = (next: readonly Intake[]): void => {
  intakes = next;
  for (const listener of listeners) listener();
};

export const addIntakes = (more: readonly Intake[]): void => set([...more, ...intakes]);

export const countSent = (intakeId: string): void =>
  set(intakes.map((intake) => (intake.intakeId === intakeId ? { ...intake, sent: intake.sent + 1 } : intake)));

/** Takes the rows away, and frees their pictures. */
export const dropIntakes = (ids: readonly string[]): void => {
  for (const intake of intakes)
    if (ids.includes(intake.intakeId) && intake.thumbUrl) URL.revokeObjectURL(intake.thumbUrl);
  set(intakes.filter((intake) => !ids.includes(intake.intakeId)));
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useIntakes = (): readonly Intake[] => useSyncExternalStore(subscribe, () => intakes);
