import type { World } from './world.ts';

/** The person allows a folder to the assistant of that name, as under Assistants. */
export const allowFolder = (world: World, name: string, folder: string): void => {
  const { assistants } = world.companion();
  const found = assistants.list().assistants.find((one) => one.name === name);
  if (!found) throw new Error(`There is no assistant ${name}.`);
  assistants.change(found.assistantId, { folders: [...found.folders, folder] });
};
