import { merchandise, type ReplyOf, staff } from '@dubplate/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { fakeUploads } from '../../../test/fakeUploads.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'

const makeProduct = (overrides: Partial<merchandise.StaffProduct> = {}): merchandise.StaffProduct => ({
  product_id: 1,
  title: 'Slipmat',
  image: '/images/x/320.webp',
  url: 'https://store.example/slipmat',
  price_minor: 2400,
  currency: 'EUR',
  is_published: true,
  source: 'staff',
  ...overrides,
})

const list = page.getByRole('list', { name: 'Your products' })

async function openMerchandise(
  products: merchandise.StaffProduct[],
  { url = '/staff/merchandise', store = null as ReplyOf<typeof merchandise.getProducts>['store'] } = {},
) {
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(merchandise.getProducts, { products, store })
  await openApp(url)
}

test('lists the pool’s products with price and host, and moves them', async () => {
  await openMerchandise([
    makeProduct(),
    makeProduct({ product_id: 2, title: 'Bag', price_minor: null, currency: null }),
  ])
  fakeApi.reply(merchandise.orderProducts, {})
  await expect.element(list.getByRole('button', { name: /^Slipmat/ })).toHaveTextContent('24.00 EUR · store.example')
  await expect.element(list.getByRole('button', { name: /^Bag/ })).toHaveTextContent('No price · store.example')
  list.getByRole('button', { name: 'Move Bag' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await expect.poll(() => fakeApi.inputsOf(merchandise.orderProducts)).toEqual([{ product_ids: [2, 1] }])
})

test('unpublishes with the switch of a row and sends everything else unchanged', async () => {
  await openMerchandise([makeProduct()])
  fakeApi.reply(merchandise.saveProduct, { product: makeProduct({ is_published: false }) })
  await list.getByRole('switch', { name: 'Slipmat, published' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(merchandise.saveProduct))
    .toEqual([
      {
        product_id: 1,
        title: 'Slipmat',
        url: 'https://store.example/slipmat',
        price_minor: 2400,
        currency: 'EUR',
        is_published: false,
      },
    ])
})

test('says at its field what is wrong with a new product', async () => {
  await openMerchandise([], { url: '/staff/merchandise?open=new' })
  await page.getByRole('textbox', { name: 'Product link' }).fill('store.example/bag')
  await page.getByRole('textbox', { name: 'Price' }).fill('24.5')
  await page.getByRole('textbox', { name: 'Currency' }).fill('jpy')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveAccessibleDescription('Enter a title.')
  await expect
    .element(page.getByRole('textbox', { name: 'Product link' }))
    .toHaveAccessibleDescription(/^Enter a full URL/)
  await expect
    .element(page.getByRole('textbox', { name: 'Price' }))
    .toHaveAccessibleDescription(/Enter a whole number in JPY, such as 2400\./)
  expect(fakeApi.inputsOf(merchandise.saveProduct)).toEqual([])
})

test('does not create a product twice if only its picture was refused', async () => {
  fakeUploads()
  onTestFinished(() => void vi.unstubAllGlobals())
  await openMerchandise([], { url: '/staff/merchandise?open=new' })
  fakeApi.reply(merchandise.saveProduct, { product: makeProduct({ product_id: 9 }) })
  fakeApi.rejectWith(merchandise.uploadProductPicture, { code: 'invalid_image', message: 'This is not a picture.' })
  await page.getByRole('textbox', { name: 'Title' }).fill('Slipmat')
  await page.getByRole('textbox', { name: 'Product link' }).fill('https://store.example/slipmat')
  await page.getByLabelText('Picture', { exact: true }).upload(new File(['no'], 'slipmat.png', { type: 'image/png' }))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('This is not a picture.')
  fakeApi.reply(merchandise.uploadProductPicture, { product: makeProduct({ product_id: 9 }) })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(currentUrl).toBe('/staff/merchandise')
  const ids = fakeApi.inputsOf(merchandise.saveProduct).map((input) => (input as { product_id?: number }).product_id)
  expect(ids).toEqual([undefined, 9])
})

test('shows the products of the store, when they were synced, and syncs them again', async () => {
  await openMerchandise([makeProduct({ product_id: 3, title: 'Cap', source: 'shopify', is_published: false })], {
    store: {
      name: 'vinyl.example',
      refreshed_at: '2026-11-20T10:00:00Z',
      attempted_at: '2026-11-20T12:00:00Z',
      last_error: 'The store did not answer.',
    },
  })
  const store = page.getByRole('region', { name: 'Products from vinyl.example' })
  await expect.element(store).toHaveTextContent(/Last synced .*Cap.*Not available/)
  await expect.element(store.getByRole('alert')).toHaveTextContent('The store did not answer.')
  fakeApi.rejectWith(merchandise.refreshStore, { code: 'store_unavailable', message: 'The store is not available.' })
  await store.getByRole('button', { name: 'Refresh' }).click()
  await expect.element(page.getByText('The store is not available.')).toBeVisible()
  // A failed sync is recorded, too.
  await expect.poll(() => fakeApi.inputsOf(merchandise.getProducts).length).toBeGreaterThan(1)
})
