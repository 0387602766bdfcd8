import { Router } from 'express';
import { photoByFile, photoTag } from '../world/photos.ts';
import type { World } from '../world/world.ts';
import { html } from './html.ts';
import { descriptionPage, livePage } from './livePage.ts';
import { personPages } from './personPages.ts';
import { referralPage } from './referralPage.ts';
import { sendPage } from './sendPage.ts';

const terms = html`<h1>Terms</h1>
  <p>This is a practice service on your own machine. It costs nothing, sells nothing and sends nothing anywhere.</p>`;
const privacy = html`<h1>Privacy</h1>
  <p>What you enter stays in one folder on this machine. Delete the folder and it is gone.</p>`;

/** Everything that is looked at in a browser, and the photos. */
export const pages = (world: World): Router => {
  const router = Router();
  router.get('/terms', (_request, response) => sendPage(response, 'Terms', terms));
  router.get('/privacy', (_request, response) => sendPage(response, 'Privacy', privacy));
  router.get('/photos/:file', async (request, response, next) => {
    const photo = photoByFile(world, request.params.file);
    const etag = photo && (await photoTag(world, photo.file).catch(() => null));
    if (!photo || !etag) return next();
    response.type(photo.contentType).set({ 'cache-control': 'private, no-cache', etag });
    response.sendFile(photo.file, { root: world.photosDir });
  });
  router.get('/market-pages/:marketListingId', (request, response) => {
    livePage(world, request.params.marketListingId, response);
  });
  router.get('/market-pages/:marketListingId/description', (request, response) => {
    descriptionPage(world, request.params.marketListingId, response);
  });
  router.use('/person', personPages(world));
  router.use('/r', referralPage(world));
  return router;
};
