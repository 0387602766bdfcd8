// Decodes one photo in this very process, which nothing of the companion does: node decodePhotoHere.ts <photo>
import sharp from 'sharp';

const [source = ''] = process.argv.slice(2);
await sharp(source).raw().toBuffer();
console.log('decoded');
