import * as z from 'zod/mini'
import { endpoint, forCurators, id, integerBetween, nothing, refineTogether } from './endpoint.ts'

/** Merchandise: staff's own products and those of the pool's store. */

const storeAddress = z
  .string()
  .check(
    z.trim(),
    z.maxLength(2000),
    z.regex(/^(https?:\/\/[a-z0-9[\]]|\/(?![/\\]))\S*$/i, 'Enter a full URL, such as https://store.example/bag.'),
  )

const product = z.object({
  product_id: z.number(),
  title: z.string(),
  image: z.string(),
  url: z.string(),
  /** In the currency's smallest unit, which is not always a hundredth: see prices.ts. */
  price_minor: z.nullable(z.number()),
  currency: z.nullable(z.string()),
  is_published: z.boolean(),
  /** Only `staff` products can be changed here; the store's are changed in the store. */
  source: z.enum(['staff', 'shopify']),
})
export type StaffProduct = z.output<typeof product>

export const getProducts = endpoint({
  ...forCurators,
  path: 'staff/products.json',
  summary: 'List all products in order, with the result of the last store sync.',
  input: nothing,
  reply: z.object({
    products: z.array(product),
    /** Null if no store is set (SHOPIFY_STORE). */
    store: z.nullable(
      z.object({
        name: z.string(),
        refreshed_at: z.nullable(z.string()),
        attempted_at: z.nullable(z.string()),
        last_error: z.string(),
      }),
    ),
  }),
})

export const saveProduct = endpoint({
  ...forCurators,
  path: 'staff/save-product.json',
  summary: 'Create or update one of your own products. New products are placed last.',
  input: z
    .object({
      product_id: z.optional(id('product_id')),
      title: z
        .string()
        .check(z.trim(), z.minLength(1, 'Enter a title.'), z.maxLength(120, 'Use at most 120 characters.')),
      url: storeAddress,
      price_minor: z._default(z.nullable(integerBetween(0, 100_000_000, 'Enter a price.')), null),
      currency: z._default(
        z.nullable(z.string().check(z.regex(/^[A-Z]{3}$/, 'Enter a three-letter currency code, such as EUR.'))),
        null,
      ),
      is_published: z._default(z.boolean(), true),
    })
    .check(
      refineTogether(({ price_minor, currency }) => (price_minor === null) === (currency === null), {
        message: 'Enter a currency for the price.',
        path: ['currency'],
      }),
    ),
  reply: z.object({ product }),
  errors: ['unknown_product', 'foreign_resource'],
})

export const uploadProductPicture = endpoint({
  ...forCurators,
  path: 'staff/product-picture.json',
  body: 'multipart',
  summary:
    'Upload a product picture: the field `product_id`, then the field `picture` (JPEG, PNG, WebP, AVIF or GIF, up to 10 MB).',
  input: nothing,
  reply: z.object({ product }),
  errors: ['unknown_product', 'foreign_resource', 'file_required', 'too_large', 'invalid_image'],
})

export const removeProduct = endpoint({
  ...forCurators,
  path: 'staff/remove-product.json',
  summary: 'Delete a product.',
  input: z.object({ product_id: id('product_id') }),
  reply: nothing,
  errors: ['unknown_product', 'foreign_resource'],
})

export const orderProducts = endpoint({
  ...forCurators,
  path: 'staff/order-products.json',
  summary: 'Reorder the products.',
  input: z.object({ product_ids: z.array(id('product_id')).check(z.maxLength(500)) }),
  reply: nothing,
  errors: ['unknown_product'],
})

export const refreshStore = endpoint({
  ...forCurators,
  path: 'staff/refresh-store.json',
  summary: 'Sync products from the store now.',
  input: nothing,
  reply: nothing,
  errors: ['store_not_configured', 'store_unavailable'],
})
