import * as z from 'zod/mini'
import { CLOUD_PROVIDERS } from './cloud.ts'
import { endpoint, id, nothing, page, pagination } from './endpoint.ts'
import { SECTIONS } from './settings.ts'

const pageName = z
  .string()
  .check(z.regex(/^[a-z0-9_]{1,40}$/, 'page_name may only contain lower-case letters, digits and underscores.'))

export const getAnnouncements = endpoint({
  path: 'common/announcement.json',
  access: 'public',
  summary: 'List the announcements of a page that the caller hasn’t hidden.',
  input: z.object({ page_name: pageName }),
  reply: z.object({ announcements: z.array(z.object({ message_id: z.number(), message: z.string() })) }),
})

export const hideAnnouncement = endpoint({
  path: 'common/hide-announcement.json',
  access: 'public',
  summary: 'Hide an announcement for the caller. For visitors, the browser remembers it.',
  input: z.object({ message_id: id('message_id'), page_name: z.optional(pageName) }),
  reply: nothing,
  errors: ['unknown_announcement'],
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
  summary: 'List the current announcements of all pages, newest first (What’s News).',
  input: z.object({ page }),
  reply: z.object({ announcements: z.array(news), pagination }),
})

const product = z.object({
  id: z.number(),
  title: z.string(),
  image: z.object({ src: z.string() }),
  /** Its page in the store, which is an external site. */
  url: z.string(),
  /** With the decimals of its currency: `24.00 EUR`, `2400 JPY`; empty if the store has no price. */
  price: z.string(),
})
export type Product = z.output<typeof product>

export const getProducts = endpoint({
  path: 'common/shopify-products.json',
  method: 'GET',
  access: 'public',
  shared: true,
  summary: 'List the merchandise.',
  input: nothing,
  reply: z.object({
    products: z.array(product),
    /** URL of the store; empty if the pool has none. */ store_url: z.string(),
  }),
})

export const getPool = endpoint({
  path: 'common/pool.json',
  method: 'GET',
  access: 'public',
  summary: 'Get the public site configuration: name, whether visitors can browse, and the demo accounts.',
  input: nothing,
  reply: z.object({
    name: z.string(),
    /** Base URL of the pool's logo, before `/64.png` and the like; null for the default logo. */
    logo: z.nullable(z.string()),
    /** URL of the pool's colours; null for the default ones. */
    theme: z.nullable(z.string()),
    /** Parts of the site an admin has hidden. */
    hidden: z.array(z.enum(SECTIONS)),
    public_browsing: z.boolean(),
    download_limit: z.number(),
    /** The number of days an uploaded song stays published. */
    upload_days: z.number(),
    /** False while emails are on hold in the outbox because no mail server is set. */
    can_send_email: z.boolean(),
    /** The cloud storage that the operator has set up, for sending downloads. */
    cloud_providers: z.array(z.enum(CLOUD_PROVIDERS)),
    /** Name and URL of the operator's single sign-on; null if there is none. */
    sign_in_elsewhere: z.nullable(z.object({ name: z.string(), url: z.string() })),
    demo_members: z.array(z.object({ email: z.string(), password: z.string(), description: z.string() })),
  }),
})

/** The pages linked in the footer, in order. */
export const PAGES = ['terms', 'privacy', 'contact', 'careers'] as const

export const getPage = endpoint({
  path: 'common/page.json',
  access: 'public',
  summary: 'Get a site page: terms, privacy, contact or careers.',
  input: z.object({ slug: z.enum(PAGES, 'Page not found.') }),
  reply: z.object({
    slug: z.enum(PAGES),
    title: z.string(),
    /** Sanitised; '' until it is written. */
    html: z.string(),
    updated_at: z.nullable(z.string()),
  }),
  /** The careers page can be hidden. */
  errors: ['section_disabled'],
})

const opening = z.object({
  job_opening_id: z.number(),
  title: z.string(),
  place: z.string(),
  hours: z.string(),
  /** Sanitised. */
  html: z.string(),
  /** An email address or a URL; '' if applications go through the contact page. */
  apply_at: z.string(),
})
export type Opening = z.output<typeof opening>

export const getOpenings = endpoint({
  path: 'common/openings.json',
  access: 'public',
  section: 'careers',
  summary: 'List the published job openings in order.',
  input: nothing,
  reply: z.object({ openings: z.array(opening) }),
})
