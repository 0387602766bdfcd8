// Takes pictures of every screen in both themes and two widths, with the fake companion: node scripts/shots.mjs [folder] [name…]
// PHOTOS names a folder of photos; without it, photos are drawn. SIZES="480x800 2560x1440" replaces the window sizes,
// THEMES=dark the themes, and TEXTS=de the language.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright';
import { findChromium } from '../test/e2e/findChromium.ts';
import { serveRenderer } from '../test/helpers/fakes/serveRenderer.ts';
import { build } from './launcher/build.mjs';
import { shots } from './shotTable.mjs';

const sizes = (process.env.SIZES ?? '1280x800 900x800').split(' ').map((size) => size.split('x').map(Number));
const themes = (process.env.THEMES ?? 'light dark').split(' ');
const texts = process.env.TEXTS && { language: process.env.TEXTS };

const [folder = 'artefacts/shots', ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

if (build() !== 0) process.exit(1);
const served = await serveRenderer();
const browser = await chromium.launch({ executablePath: findChromium() });
for (const [name, [hash, scenario, act]] of Object.entries(shots)) {
  if (only.length > 0 && !only.includes(name)) continue;
  for (const theme of themes)
    for (const [width, height] of sizes) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
      page.on('console', (message) => message.type() === 'error' && console.log(name, message.text().slice(0, 300)));
      page.on('pageerror', (error) => console.log(name, error.message));
      await page.addInitScript(
        (given) => {
          window.scenario = given;
        },
        { ...scenario, ...texts },
      );
      await page.addInitScript({ content: served.fake });
      await page.goto(served.url + hash);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(400);
      try {
        await act?.(page);
      } catch (error) {
        console.log(name, theme, width, String(error).slice(0, 400));
      }
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(250);
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
      await page.close();
    }
}
await browser.close();
served.close();
console.log(folder);
process.exit(0);
