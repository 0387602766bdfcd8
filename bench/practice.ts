import { mkdtemp, rm } from 'node:fs/promises';
import { request, Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startPracticeService } from '../src/practice/startPractice.ts';
import { againstLimit, compare, type Compared } from './compare.ts';

const listings = 20_000;
const photosEach = 5;
const pageSize = 50;
const pages = 200;

const writer = {
  write: () => Promise.reject(new Error('Nothing is written in this benchmark.')),
  close: async () => {},
};

type Place = { userId: string; agentKey: string };

const addPerson = async (url: string, facts: object): Promise<Place> => {
  const answer = await fetch(`${url}/practice/people`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ plan: 'Scale', connected: true, ...facts }),
  });
  return (await answer.json()) as Place;
};

const place = async (dataDir: string): Promise<Place> => {
  const service = await startPracticeService({ dataDir, writer });
  const person = await addPerson(service.url, { email: 'many@example.com' });
  await service.close();
  return person;
};

const shopMadeIn = async (): Promise<Compared> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-shop-'));
  const service = await startPracticeService({ dataDir, writer });
  const from = performance.now();
  await addPerson(service.url, { email: 'shop@example.com', shop: 'stocked' });
  const took = performance.now() - from;
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
  return againstLimit('a shop of sixty listings is made', 'ms', took, 1_000);
};

const states = ['pending_review', 'published', 'draft', 'ended', 'sold', 'failed', 'pending_review'];

const seed = (file: string, userId: string): void => {
  const db = new Database(file);
  const listing = db.prepare(
    `INSERT INTO listings (listingId, userId, status, marketplaceId, listingLanguage, quantity, title, description,
       categoryId, categoryName, condition, price, suggestedPrice, itemSpecifics, createdAt, updatedAt)
     VALUES (?, ?, ?, 'MKT_US', 'en-US', 1, ?, ?, '1001', 'Books', 'USED_GOOD', 1299, 1299, ?, ?, ?)`,
  );
  const photo = db.prepare(
    `INSERT INTO photos (listingId, position, imageId, file, contentType, bytes, uploadedAt)
     VALUES (?, ?, ?, ?, 'image/jpeg', 1000, ?)`,
  );
  const description = `<p>${'A book about rivers, in good condition. '.repeat(15)}</p>`;
  const specifics = JSON.stringify({ 'Book Title': 'Rivers', Author: 'Somebody', Language: 'English' });
  db.transaction(() => {
    for (let at = 0; at < listings; at += 1) {
      const id = `lst_seed${at}`;
      const status = states[at % states.length];
      listing.run(id, userId, status, `Book ${at} about rivers`, description, specifics, at, at);
      for (let nth = 0; nth < photosEach; nth += 1) photo.run(id, nth, `img_${at}_${nth}`, `img_${at}_${nth}.jpg`, at);
    }
  })();
  db.close();
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const get = (url: string, key: string): Promise<{ nextCursor: string; listings: unknown[] }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve(JSON.parse(Buffer.concat(parts).toString()) as { nextCursor: string; listings: unknown[] }),
      );
    });
    sent.on('error', reject).end();
  });

const perPage = async (url: string, key: string): Promise<number> => {
  let cursor = '';
  const from = performance.now();
  for (let page = 0; page < pages; page += 1) {
    const answer = await get(`${url}/listings?limit=${pageSize}${cursor}`, key);
    if (answer.listings.length !== pageSize) throw new Error('The page is not whole.');
    cursor = `&cursor=${answer.nextCursor}`;
  }
  return (performance.now() - from) / pages;
};

/** Reads the rows of each page with two prepared statements, and serializes them as JSON. */
const plainPage = (file: string, userId: string): number => {
  const db = new Database(file, { readonly: true });
  const rows = db.prepare('SELECT * FROM listings WHERE userId = ? AND seq < ? ORDER BY seq DESC LIMIT ?');
  const photos = db.prepare('SELECT file FROM photos WHERE listingId = ? ORDER BY position');
  let before = Number.MAX_SAFE_INTEGER;
  const from = performance.now();
  for (let page = 0; page < pages; page += 1) {
    const found = rows.all(userId, before, pageSize) as { seq: number; listingId: string }[];
    JSON.stringify(found.map((row) => ({ ...row, imageUrls: photos.all(row.listingId) })));
    before = found.at(-1)?.seq ?? 0;
  }
  const each = (performance.now() - from) / pages;
  db.close();
  return each;
};

export const benchPractice = async (): Promise<Compared[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-practice-'));
  const file = join(dataDir, 'practice.sqlite');
  try {
    const { userId, agentKey } = await place(dataDir);
    seed(file, userId);
    const ours = async (): Promise<number> => {
      // Only one process can open the database, so the service runs only during its measurement.
      const service = await startPracticeService({ dataDir, writer });
      await perPage(service.url, agentKey);
      const each = await perPage(service.url, agentKey);
      await service.close();
      return each;
    };
    return [
      await shopMadeIn(),
      await compare(
        { what: 'a page of 50 of 20,000 listings', unit: 'ms', peer: 'better-sqlite3, a plain select' },
        ours,
        async () => plainPage(file, userId),
      ),
    ];
  } finally {
    agent.destroy();
    await rm(dataDir, { recursive: true, force: true });
  }
};
