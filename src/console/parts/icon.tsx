/** Line drawings on a grid of 24, drawn with the colour of the text beside them. */
const PATHS = {
  today: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5M8 14h4',
  recall: 'M12 3 2.5 20h19zM12 9v5M12 17v.5',
  trace: 'M6 3v7a4 4 0 0 0 4 4h9M16 11l3 3-3 3M6 21v-7',
  production: 'M4 20V9l5 3V9l5 3V5h6v15zM8 16h2M13 16h2',
  recipes: 'M6 3h11l2 2v16H6zM9 8h7M9 12h7M9 16h4',
  stock: 'M3 8l9-5 9 5v9l-9 5-9-5zM3 8l9 5 9-5M12 13v9',
  products: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5v.1',
  categories: 'M4 5h6v6H4zM14 5h6v6h-6zM4 15h6v5H4zM14 15h6v5h-6z',
  brands: 'M12 3l2.6 5.6 6 .7-4.5 4 1.3 6L12 16.2 6.6 19.3l1.3-6-4.5-4 6-.7z',
  tags: 'M3 12V4h8l9 9-7 7zM7 8v.1',
  labels: 'M4 5h16v14H4zM8 9v6M11 9v6M14 9v6M17 9v6',
  sales: 'M5 4h14v17l-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6',
  till: 'M4 11h16v9H4zM7 11V4h10v7M10 7h4M8 15h.1M12 15h.1M16 15h.1',
  customers: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6 7-6s7 2 7 6M16 4a4 4 0 0 1 0 7M18 15c3 .7 4 3 4 6',
  cards: 'M3 6h18v13H3zM3 10h18M7 15h4',
  documents: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7',
  webhooks: 'M8 9a4 4 0 1 1 6 3l3 5M17 17a4 4 0 1 1-4 2H7M6 12a4 4 0 1 0 1 7l4-8',
  audit: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  settings: 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l3 3M16 16l3 3M19 5l-3 3M8 16l-3 3',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  more: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 13l4 4L19 7',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
  save: 'M12 4v11M8 11l4 4 4-4M4 20h16',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.500-6 8-6s8 2 8 6',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM13 7l4 4',
  bin: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  why: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.400-1 .8-1 1.700M12 16.800v.2',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
