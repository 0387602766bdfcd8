import { trayPicture, waitingPicture } from './trayPicture.ts';
import { trayTemplates } from './trayTemplates.ts';

/** A picture as each kind of screen needs it. A template is coloured by the system, as light or dark as its bar. */
export type TrayImage = { scales: readonly { scaleFactor: number; dataURL: string }[]; isTemplate: boolean };

/** The tray's picture on a system: a Mac shows it 16 points large and never scales it down; the others fit it in. */
export const trayImage = (kind: 'quiet' | 'waiting', platform: NodeJS.Platform): TrayImage => {
  if (platform !== 'darwin') {
    const dataURL = kind === 'quiet' ? trayPicture : waitingPicture;
    return { scales: [{ scaleFactor: 1, dataURL }], isTemplate: false };
  }
  const { points16, points16Twice } = trayTemplates[kind];
  return {
    scales: [
      { scaleFactor: 1, dataURL: points16 },
      { scaleFactor: 2, dataURL: points16Twice },
    ],
    isTemplate: true,
  };
};
