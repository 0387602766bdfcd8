/** The generated listings of the sample photos, which depend on reading the print in them. */
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
