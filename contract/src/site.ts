import * as z from 'zod/mini'
import { endpoint, id, nothing, page, pagination } from './endpoint.ts'

const pageName = z
  .string()
  .check(z.regex(/^[a-z0-9_]{1,40}$/, 'page_name must be lower-case letters, digits and underscores.'))

export const getAnnouncements = endpoint({
  path: 'common/announcement.json',
  access: 'public',
  summary: 'The announcements of a page that this person has not hidden.',
  input: z.object({ page_name: pageName }),
  reply: z.object({ announcements: z.array(z.object({ message_id: z.number(), message: z.string() })) }),
})

export const hideAnnouncement = endpoint({
  path: 'common/hide-announcement.json',
  access: 'public',
  summary: 'Hides an announcement for this person; a visitor’s browser remembers it by itself.',
  input: z.object({ message_id: id('message_id'), page_name: z.optional(pageName) }),
  reply: nothing,
  refusals: ['unknown_announcement'],
})

const news = z.object({
  message_id: z.number(),
  message: z.string(),
  page_name: z.string(),
  published_at: z.string(),
})

export const getNews = endpoint({
  path: 'common/news.json',
  access: 'public',
  summary: "What's News: the announcements of all pages that are current, newest first.",
  input: z.object({ page }),
  reply: z.object({ announcements: z.array(news), pagination }),
})

const product = z.object({
  id: z.number(),
  title: z.string(),
  image: z.object({ src: z.string() }),
  /** Its page in the store, which is another site. */
  url: z.string(),
  /** With two decimals and its currency: `24.00 EUR`; empty where the store names none. */
  price: z.string(),
})
export type Product = z.output<typeof product>

export const getProducts = endpoint({
  path: 'common/shopify-products.json',
  method: 'GET',
  access: 'public',
  shared: true,
  summary: 'The merchandise of the store.',
  input: nothing,
  reply: z.object({
    products: z.array(product),
    /** The store itself; empty where the pool has none. */ store_url: z.string(),
  }),
})

export const getPool = endpoint({
  path: 'common/pool.json',
  method: 'GET',
  access: 'public',
  summary: 'What the browser needs to know of this pool: its name, whether visitors may browse, and the demo members.',
  input: nothing,
  reply: z.object({
    name: z.string(),
    public_browsing: z.boolean(),
    download_limit: z.number(),
    demo_members: z.array(z.object({ email: z.string(), password: z.string(), what: z.string() })),
  }),
})
