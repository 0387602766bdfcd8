import { beforeAll, expect, test } from 'vitest';
import { findSiteById, sites, type Site } from '../../../../src/practice/market/sites.ts';
import { composeListing } from '../../../../src/practice/writer/compose.ts';
import { createPhotoReader } from '../../../../src/practice/writer/reading/photoReader.ts';
import type { PhotoReading } from '../../../../src/practice/writer/reading/photoReading.ts';
import type { WrittenListing } from '../../../../src/practice/writer/writer.ts';
import { drawingFolder, drawHeadphoneBox } from '../../../helpers/practice/drawnItems.ts';
import { sharedReader } from '../../../helpers/practice/sharedReader.ts';

const inLanguage = {
  en: ['You are looking at', 'Headphones'],
  de: ['Angeboten wird', 'Kopfhörer'],
  fr: ['À vendre', 'Casque'],
  it: ['In vendita', 'Cuffie'],
  es: ['Se vende', 'Auriculares'],
  nl: ['Te koop', 'Koptelefoon'],
  pl: ['Na sprzedaż', 'Słuchawki'],
  sv: ['Till salu', 'Hörlurar'],
} as const;

const languageOfSite = {
  MKT_US: 'en',
  MKT_GB: 'en',
  MKT_DE: 'de',
  MKT_FR: 'fr',
  MKT_IT: 'it',
  MKT_ES: 'es',
  MKT_AT: 'de',
  MKT_CH: 'de',
  MKT_NL: 'nl',
  MKT_BE: 'nl',
  MKT_IE: 'en',
  MKT_PL: 'pl',
  MKT_CA: 'en',
  MKT_AU: 'en',
  MKT_SE: 'sv',
} as const;

let reading: PhotoReading | undefined;

beforeAll(async () => {
  const drawn = await drawingFolder();
  const reader = createPhotoReader({ startReader: sharedReader });
  reading = await reader.read(await drawHeadphoneBox(drawn.folder));
  await reader.close();
  await drawn.remove();
});

const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ');

const listingOn = ({ id: marketplaceId, language }: Site, words = ''): WrittenListing =>
  composeListing([reading!], { words, quantity: 1, marketplaceId, language });

test('the expected languages of these tests cover every site', () => {
  expect(Object.keys(languageOfSite).sort()).toEqual(sites.map(({ id }) => id).sort());
});

test.each(sites)('a listing on $id is written in $language', (site) => {
  const spoken = languageOfSite[site.id as keyof typeof languageOfSite];
  const [opening, noun] = inLanguage[spoken];
  const listing = listingOn(site);
  expect(textOf(listing.description).trim()).toMatch(new RegExp(`^${opening}`));
  expect(listing.title).toContain(noun);
  expect(listing.title.includes('Noise Cancelling')).toBe(spoken === 'en');
  for (const [other, [phrase]] of Object.entries(inLanguage))
    if (other !== spoken) expect(listing.description).not.toContain(phrase);
});

test.each(sites)('the description of a listing on $id contains no note to the seller', (site) => {
  const listing = listingOn(site);
  expect(listing.notes.length).toBeGreaterThan(0);
  for (const { message } of listing.notes) expect(listing.description).not.toContain(message);
});

test('listing words use the spelling of the site’s country', () => {
  const specifics = (id: string): string[] => Object.keys(listingOn(findSiteById(id)!, 'size 42').itemSpecifics);
  expect([specifics('MKT_US'), specifics('MKT_GB')].map((each) => each.includes('Colour'))).toEqual([false, true]);
  const shirt = (id: string): string =>
    JSON.stringify(listingOn(findSiteById(id)!, 'weißes T-Shirt, Größe M').itemSpecifics);
  expect(shirt('MKT_DE')).toContain('Größe');
  expect(shirt('MKT_CH')).toContain('Grösse');
  expect(shirt('MKT_CH')).not.toContain('ß');
});
