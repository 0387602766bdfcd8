// Decodes one photo in this process, which the companion never does: node decodePhotoHere.ts <photo>
import sharp from 'sharp';

const [source = ''] = process.argv.slice(2);
await sharp(source).raw().toBuffer();
console.log('decoded');
