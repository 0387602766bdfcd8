/** What is written of the sample photos wherever they are read; only who reads the print in them can know it. */
export const sampleListings = [
  {
    item: 'Orvanto headphones',
    title: 'Orvanto QN-40 Over-Ear Headphones Noise Cancelling Bluetooth Orange',
    categoryName: 'Headphones',
  },
  {
    item: 'The Lantern of Vessmoor',
    title: 'The Lantern of Vessmoor by Ilse Marrowby – Paperback',
    categoryName: 'Books',
  },
  {
    item: 'Tovalind mugs',
    title: 'Tovalind TV-2350 Stoneware Mugs Dishwasher Safe Turquoise set of 2',
    categoryName: 'Mugs & Cups',
  },
] as const;
