import type { World } from './world.ts';

/** Adds a folder to those of the assistant with this name, like the person under Assistants. */
export const allowFolder = (world: World, name: string, folder: string): void => {
  const { assistants } = world.companion();
  const found = assistants.list().assistants.find((one) => one.name === name);
  if (!found) throw new Error(`There is no assistant ${name}.`);
  assistants.change(found.assistantId, { folders: [...found.folders, folder] });
};
