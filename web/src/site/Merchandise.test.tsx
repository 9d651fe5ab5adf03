import { site } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { render } from '../../test/openApp.tsx'
import { queryClient } from '../platform/queries.ts'
import { Merchandise } from './Merchandise.tsx'

const store = page.getByRole('region', { name: 'Official merchandise' })

const product = (id: number, title: string, price: string) => ({
  id,
  title,
  price,
  image: { src: '/images/product/320.webp' },
  url: `https://store.example/${id}`,
})

test('opens links to the store in a new tab and says so', async () => {
  const products = [product(1, 'Slipmat', '24.00 EUR'), product(2, 'Tote bag', '')]
  fakeApi.reply(site.getProducts, { products, store_url: 'https://store.example/' })
  render(<Merchandise />)
  await expect.poll(() => store.getByRole('listitem').elements().length).toBe(2)
  for (const [name, url] of [
    ['Slipmat 24.00 EUR (opens in a new tab)', 'https://store.example/1'],
    ['Tote bag View in store (opens in a new tab)', 'https://store.example/2'],
    ['Visit store (opens in a new tab)', 'https://store.example/'],
  ] as const) {
    const link = store.getByRole('link', { name, exact: true })
    await expect.element(link).toHaveAttribute('href', url)
    await expect.element(link).toHaveAttribute('target', '_blank')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
  }
})

test('is hidden when the pool sells nothing', async () => {
  render(<Merchandise />)
  await expect.poll(() => queryClient.getQueryData([site.getProducts.path, {}])).toBeDefined()
  await expect.element(page.getByText(/merchandise/i)).not.toBeInTheDocument()
  await expect.element(store).not.toBeInTheDocument()
})
