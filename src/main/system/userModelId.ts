/** The installer's id of the app, which it writes into the shortcut that notifications on Windows belong to. */
export const appId = 'org.listing-companion.app';

/** By what Windows joins windows, notifications and shortcuts: a copy without a shortcut goes by its program. */
export const userModelId = ({ packaged, program }: { packaged: boolean; program: string }): string =>
  packaged ? appId : program;
