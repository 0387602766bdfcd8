/** A file dropped where nothing takes it would be opened in place of the window. */
export const keepFilesOut = (): void => {
  for (const name of ['dragover', 'drop'] as const) window.addEventListener(name, (event) => event.preventDefault());
};
