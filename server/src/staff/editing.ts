import { announcements, merchandise, openings, sitePages } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import { checkMarkdown, htmlOfMarkdown } from '../platform/markdown.ts'
import { parsed } from '../platform/parsed.ts'
import type { Call, Question } from '../platform/serve.ts'
import {
  checkAnnouncement,
  endAnnouncement,
  listAnnouncements,
  readAnnouncement,
  saveAnnouncement,
} from '../site/announcing.ts'
import { listAllOpenings, removeOpening, saveOpening } from '../site/openings.ts'
import { listAllProducts, orderProducts, readProduct, removeProduct, saveProduct } from '../site/own-products.ts'
import { listPages, savePage } from '../site/pages.ts'
import { dropProductPictures, receiveProductPicture } from '../site/product-pictures.ts'
import { refreshStoreNow } from '../site/store-refresh.ts'
import type { World } from '../world.ts'
import { type Deed, recordDeed } from './audit.ts'

/** What staff write of the site, each deed written down; what was written stands in the site, not in the record. */
export const editingRoutes = (world: World): Call<Asker>[] => [
  ...announcementRoutes(world),
  ...productRoutes(world),
  ...pageRoutes(world),
  ...openingRoutes(world),
]

type Asked = Pick<Question<typeof sitePages.getPages, Asker>, 'member' | 'request'>

const by = ({ member, request }: Asked): Pick<Deed, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

const announcementRoutes = ({ sql }: World): Call<Asker>[] => [
  on(announcements.getAnnouncements, async ({ input }) => listAnnouncements(sql, input)),
  on(
    announcements.saveAnnouncement,
    async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const messageId = await saveAnnouncement(sql, { ...input, staff_id: asked.member.customer_id })
        const announcement = await readAnnouncement(sql, messageId)
        const { page_name, audience, published_at, ended_at } = announcement
        await recordDeed(sql, {
          ...by(asked),
          action: input.message_id === undefined ? 'announcement created' : 'announcement updated',
          subject: `announcement ${messageId}`,
          after: { page_name, audience, published_at, ended_at, shown_again: input.show_again },
        })
        return { announcement }
      }),
    { alsoCheck: (given) => checkAnnouncement(sql, given) },
  ),
  on(announcements.endAnnouncement, async ({ input, ...asked }) =>
    sql.begin(async (sql) => {
      const became = await endAnnouncement(sql, input.message_id)
      const deed = { ...by(asked), action: `announcement ${became}`, subject: `announcement ${input.message_id}` }
      if (became !== 'unchanged') await recordDeed(sql, deed)
      return {}
    }),
  ),
]

const productRoutes = (world: World): Call<Asker>[] => {
  const { sql, config } = world
  return [
    on(merchandise.getProducts, async () => listAllProducts(sql, config.store)),
    on(merchandise.saveProduct, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const productId = await saveProduct(sql, input)
        const action = input.product_id === undefined ? 'product created' : 'product updated'
        await recordDeed(sql, { ...by(asked), action, subject: `product ${productId}`, after: input })
        return { product: await readProduct(sql, productId) }
      }),
    ),
    on(
      merchandise.uploadProductPicture,
      async (asked) => {
        const productId = await receiveProductPicture(world, asked.request, (sql, productId) =>
          recordDeed(sql, { ...by(asked), action: 'product picture updated', subject: `product ${productId}` }),
        )
        return { product: await readProduct(sql, productId) }
      },
      { perMinute: 30 },
    ),
    on(merchandise.removeProduct, async ({ input, ...asked }) => {
      const { picture } = await sql.begin(async (sql) => {
        await recordDeed(sql, { ...by(asked), action: 'product deleted', subject: `product ${input.product_id}` })
        return removeProduct(sql, input.product_id)
      })
      await dropProductPictures(world, [picture])
      return {}
    }),
    on(merchandise.orderProducts, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        await orderProducts(sql, input.product_ids)
        await recordDeed(sql, { ...by(asked), action: 'products reordered', subject: 'merchandise' })
        return {}
      }),
    ),
    on(
      merchandise.refreshStore,
      async (asked) => {
        await refreshStoreNow(world)
        await recordDeed(sql, { ...by(asked), action: 'store products updated', subject: 'merchandise' })
        return {}
      },
      { perMinute: 6 },
    ),
  ]
}

/** The check of a text while other fields of its form are blank or wrong. */
async function checkGivenMarkdown({ markdown }: { markdown?: unknown }): Promise<void> {
  const text = parsed(sitePages.savePage.input.shape.markdown, markdown)
  if (text !== undefined) await checkMarkdown(text, 'markdown')
}

const pageRoutes = ({ sql }: World): Call<Asker>[] => [
  on(sitePages.getPages, async () => ({ pages: await listPages(sql) })),
  on(
    sitePages.savePage,
    async ({ input, ...asked }) => {
      await checkMarkdown(input.markdown, 'markdown')
      return sql.begin(async (sql) => {
        const page = await savePage(sql, { ...input, staff_id: asked.member.customer_id })
        const [before, after] = [{ version: input.version }, { version: page.version }]
        await recordDeed(sql, { ...by(asked), action: 'page updated', subject: `page ${page.slug}`, before, after })
        return { page }
      })
    },
    { alsoCheck: checkGivenMarkdown },
  ),
  on(sitePages.previewMarkdown, async ({ input }) => ({ html: await htmlOfMarkdown(input.markdown) }), {
    perMinute: 120,
  }),
]

const openingRoutes = ({ sql }: World): Call<Asker>[] => [
  on(openings.getOpenings, async () => ({ openings: await listAllOpenings(sql) })),
  on(
    openings.saveOpening,
    async ({ input, ...asked }) => {
      await checkMarkdown(input.markdown, 'markdown')
      return sql.begin(async (sql) => {
        const opening = await saveOpening(sql, input)
        const action = input.job_opening_id === undefined ? 'job opening created' : 'job opening updated'
        const after = { published: opening.published }
        await recordDeed(sql, { ...by(asked), action, subject: `opening ${opening.job_opening_id}`, after })
        return { opening }
      })
    },
    { alsoCheck: checkGivenMarkdown },
  ),
  on(openings.removeOpening, async ({ input, ...asked }) =>
    sql.begin(async (sql) => {
      await removeOpening(sql, input.job_opening_id)
      await recordDeed(sql, { ...by(asked), action: 'job opening deleted', subject: `opening ${input.job_opening_id}` })
      return {}
    }),
  ),
]
