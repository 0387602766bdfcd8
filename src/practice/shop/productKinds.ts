import { createEllipse, createRectangle, type Shape } from './drawPicture.ts';

export type ProductKind = {
  titles: readonly string[];
  categoryId: string;
  priceCents: number;
  weightGrams: number;
  specifics: Readonly<Record<string, string>>;
  picture: readonly Shape[];
};

/** The brands are invented. */
export const productKinds: readonly ProductKind[] = [
  {
    titles: ['Tovalind Stoneware Mug', 'Tovalind Mug Set of 2', 'Large Tea Mug', 'Espresso Cups, Set of 4', 'Milk Jug'],
    categoryId: '4001',
    priceCents: 1_900,
    weightGrams: 620,
    specifics: { Brand: 'Tovalind', Material: 'Stoneware' },
    picture: [
      createEllipse([66, 52], [16, 18], 'dark'),
      createEllipse([66, 52], [9, 11], 'ground'),
      createRectangle([28, 32], [40, 44], 'main'),
      createEllipse([48, 32], [20, 5], 'light'),
    ],
  },
  {
    titles: [
      'The Lantern of Vessmoor',
      'A Field Guide to Harbours',
      'Quiet Machines',
      'Bread in Winter',
      'The Long Ferry',
    ],
    categoryId: '1001',
    priceCents: 900,
    weightGrams: 380,
    specifics: { 'Book Title': 'See the title', Format: 'Paperback' },
    picture: [
      createRectangle([26, 16], [50, 70], 'dark'),
      createRectangle([28, 16], [46, 66], 'main'),
      createRectangle([34, 26], [34, 10], 'light'),
      createRectangle([34, 68], [22, 4], 'light'),
    ],
  },
  {
    titles: [
      'Orvanto Headphones',
      'Orvanto Studio Headphones',
      'Wireless Headphones',
      'Foldable Headphones',
      'Headset with Mic',
    ],
    categoryId: '2001',
    priceCents: 5_400,
    weightGrams: 310,
    specifics: { Brand: 'Orvanto', Connectivity: 'Wired' },
    picture: [
      createEllipse([50, 48], [32, 32], 'dark'),
      createEllipse([50, 50], [26, 28], 'ground'),
      createRectangle([14, 62], [72, 26], 'ground'),
      createRectangle([14, 46], [18, 32], 'main'),
      createRectangle([68, 46], [18, 32], 'main'),
    ],
  },
  {
    titles: [
      'Wool Sweater, Size M',
      'Cable Knit Jumper, Size L',
      'Cardigan, Size S',
      'Striped Sweater, Size M',
      'Turtleneck, Size L',
    ],
    categoryId: '3004',
    priceCents: 3_200,
    weightGrams: 540,
    specifics: { Brand: 'Halden', Size: 'M', Material: 'Wool' },
    picture: [
      createRectangle([12, 30], [76, 20], 'dark'),
      createRectangle([28, 24], [44, 60], 'main'),
      createEllipse([50, 25], [12, 7], 'light'),
      createRectangle([28, 50], [44, 5], 'light'),
    ],
  },
  {
    titles: [
      'Running Shoes, EU 42',
      'Trail Shoes, EU 39',
      'Canvas Trainers, EU 44',
      'Court Shoes, EU 41',
      'Slip-ons, EU 38',
    ],
    categoryId: '3002',
    priceCents: 4_600,
    weightGrams: 780,
    specifics: { Brand: 'Strida', Size: 'EU 42' },
    picture: [
      createEllipse([62, 62], [30, 15], 'main'),
      createRectangle([24, 38], [30, 32], 'main'),
      createEllipse([38, 38], [14, 6], 'dark'),
      createRectangle([20, 70], [74, 8], 'light'),
    ],
  },
  {
    titles: ['Automatic Watch', 'Dress Watch, Steel', 'Field Watch', 'Chronograph', 'Small Watch with Leather Strap'],
    categoryId: '3006',
    priceCents: 12_500,
    weightGrams: 140,
    specifics: { Brand: 'Merrin', Movement: 'Automatic' },
    picture: [
      createRectangle([40, 6], [20, 88], 'dark'),
      createEllipse([50, 50], [28, 28], 'main'),
      createEllipse([50, 50], [22, 22], 'light'),
      createRectangle([49, 34], [3, 18], 'dark'),
      createRectangle([49, 50], [14, 3], 'dark'),
    ],
  },
  {
    titles: ['Desk Lamp', 'Brass Reading Lamp', 'Clip Lamp', 'Bedside Lamp', 'Workshop Lamp'],
    categoryId: '4007',
    priceCents: 3_800,
    weightGrams: 1_400,
    specifics: { Brand: 'Lumo', Colour: 'Brass' },
    picture: [
      createRectangle([47, 34], [6, 46], 'dark'),
      createEllipse([50, 84], [24, 6], 'dark'),
      createEllipse([50, 34], [28, 18], 'main'),
      createRectangle([20, 36], [60, 18], 'ground'),
      createEllipse([50, 37], [28, 4], 'light'),
    ],
  },
  {
    titles: ['Jigsaw, 1000 Pieces', 'Jigsaw of the Alps', 'Harbour Jigsaw, 500 Pieces', 'Map Puzzle', 'Wooden Puzzle'],
    categoryId: '5002',
    priceCents: 1_400,
    weightGrams: 690,
    specifics: { Brand: 'Pelling', Pieces: '1000' },
    picture: [
      createRectangle([18, 26], [64, 52], 'dark'),
      createRectangle([18, 22], [64, 50], 'main'),
      createRectangle([24, 28], [24, 18], 'light'),
      createRectangle([54, 48], [22, 18], 'light'),
      createEllipse([50, 47], [8, 8], 'dark'),
    ],
  },
  {
    titles: ['Film Camera, 35 mm', 'Compact Camera', 'Camera with 50 mm Lens', 'Box Camera', 'Instant Camera'],
    categoryId: '2003',
    priceCents: 8_900,
    weightGrams: 870,
    specifics: { Brand: 'Kestrel', Type: 'Film' },
    picture: [
      createRectangle([36, 22], [24, 12], 'dark'),
      createRectangle([14, 30], [72, 46], 'main'),
      createEllipse([52, 53], [18, 18], 'dark'),
      createEllipse([52, 53], [11, 11], 'light'),
      createRectangle([72, 34], [9, 6], 'light'),
    ],
  },
  {
    titles: ['Leather Shoulder Bag', 'Canvas Tote', 'Weekend Bag', 'Small Handbag', 'Messenger Bag'],
    categoryId: '3005',
    priceCents: 5_900,
    weightGrams: 960,
    specifics: { Brand: 'Ansel', Material: 'Leather' },
    picture: [
      createEllipse([50, 36], [22, 22], 'dark'),
      createEllipse([50, 38], [16, 17], 'ground'),
      createRectangle([20, 38], [60, 44], 'main'),
      createRectangle([20, 38], [60, 14], 'dark'),
      createRectangle([45, 48], [10, 8], 'light'),
    ],
  },
  {
    titles: ['Wooden Toy Car', 'Tin Racing Car', 'Toy Lorry', 'Toy Bus', 'Pull-along Train'],
    categoryId: '5003',
    priceCents: 2_100,
    weightGrams: 450,
    specifics: { Brand: 'Pip & Row', Material: 'Wood' },
    picture: [
      createRectangle([32, 32], [34, 20], 'light'),
      createRectangle([14, 48], [72, 22], 'main'),
      createEllipse([30, 70], [11, 11], 'dark'),
      createEllipse([70, 70], [11, 11], 'dark'),
      createEllipse([30, 70], [4, 4], 'light'),
      createEllipse([70, 70], [4, 4], 'light'),
    ],
  },
  {
    titles: [
      'Record: Night Trains',
      'Record: Songs for Rain',
      'Record: Live at Corrin',
      'Record: Blue Orchard',
      'Record: First Light',
    ],
    categoryId: '1002',
    priceCents: 2_600,
    weightGrams: 330,
    specifics: { Format: 'LP', Artist: 'The Marl Quartet' },
    picture: [
      createEllipse([58, 50], [34, 34], 'dark'),
      createRectangle([14, 18], [58, 64], 'main'),
      createEllipse([43, 50], [16, 16], 'light'),
      createEllipse([43, 50], [5, 5], 'dark'),
    ],
  },
];
