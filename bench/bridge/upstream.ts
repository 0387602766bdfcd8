// Runs a service that answers every read with the same 2 kB. Prints the URL of the service.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const listing = {
  listingId: 'li_bench',
  status: 'pending_review',
  title: 'A lamp of brushed steel',
  price: 2_499,
  itemSpecifics: { Brand: 'Unbranded', Material: 'Steel' },
  imageUrls: ['https://photos.example/1.jpg'],
  description: 'x'.repeat(1_700),
};
const text = JSON.stringify(listing);
const server = createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
