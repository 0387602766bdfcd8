import { useLocalStorage } from '@mantine/hooks';
import * as z from 'zod';

export const columnNames = [
  'status',
  'site',
  'price',
  'quantity',
  'condition',
  'category',
  'sku',
  'listed',
  'changed',
] as const;
export type ColumnName = (typeof columnNames)[number];

const view = z.object({ kind: z.enum(['table', 'grid']), columns: z.array(z.enum(columnNames)) });
export type View = z.infer<typeof view>;

const usual: View = { kind: 'table', columns: ['status', 'site', 'price', 'listed'] };

/** How the person likes to see the list; remembered by this window. */
export const useView = () =>
  useLocalStorage<View>({
    key: 'listings view',
    defaultValue: usual,
    getInitialValueInEffect: false,
    deserialize: (text) => {
      try {
        return view.catch(usual).parse(JSON.parse(text ?? 'null'));
      } catch {
        return usual;
      }
    },
  });
