export type DemoProduct = { title: string; url: string; price_minor: number; currency: 'EUR' }

const product = (title: string, page: string, price_minor: number): DemoProduct => ({
  title,
  url: `https://store.example/products/${page}`,
  price_minor,
  currency: 'EUR',
})

/** Products of the demo's store; prices are in cents. */
export const MERCHANDISE: readonly DemoProduct[] = [
  product('Slipmats, pair', 'slipmats', 2400),
  product('Record bag for 40', 'record-bag', 6900),
  product('T-shirt, black', 't-shirt', 2500),
  product('USB stick, 128 GB', 'usb-stick', 2900),
  product('Headphone case', 'headphone-case', 3450),
  product('Five-panel cap', 'cap', 2200),
  product('Poster, A2', 'poster', 1200),
  product('Gift card', 'gift-card', 5000),
]
