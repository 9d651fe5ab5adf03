import { announcements, merchandise, openings, sitePages } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import { checkMarkdown, htmlOfMarkdown } from '../platform/markdown.ts'
import { parsed } from '../platform/parse-input.ts'
import type { Call, CallContext } from '../platform/serve.ts'
import {
  checkAnnouncement,
  endAnnouncement,
  listAnnouncements,
  readAnnouncement,
  saveAnnouncement,
} from '../site/announcement-editing.ts'
import { listAllOpenings, removeOpening, saveOpening } from '../site/job-openings.ts'
import { getProduct, listAllProducts, orderProducts, removeProduct, saveProduct } from '../site/own-products.ts'
import { listPages, savePage } from '../site/pages.ts'
import { deleteProductPictures, receiveProductPicture } from '../site/product-pictures.ts'
import { refreshStoreNow } from '../site/store-refresh.ts'
import { type AuditAction, recordAudit } from './audit.ts'

/** Editing of the site's texts by staff; each action is recorded in the audit log, without the text. */
export const editingRoutes = (ctx: AppContext): Call<Caller>[] => [
  ...announcementRoutes(ctx),
  ...productRoutes(ctx),
  ...pageRoutes(ctx),
  ...openingRoutes(ctx),
]

type StaffCall = Pick<CallContext<typeof sitePages.getPages, Caller>, 'member' | 'request'>

const by = ({ member, request }: StaffCall): Pick<AuditAction, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

const announcementRoutes = ({ sql }: AppContext): Call<Caller>[] => [
  on(announcements.getAnnouncements, async ({ input }) => listAnnouncements(sql, input)),
  on(
    announcements.saveAnnouncement,
    async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const messageId = await saveAnnouncement(sql, { ...input, staff_id: call.member.customer_id })
        const announcement = await readAnnouncement(sql, messageId)
        const { page_name, audience, published_at, ended_at } = announcement
        await recordAudit(sql, {
          ...by(call),
          action: input.message_id === undefined ? 'announcement created' : 'announcement updated',
          subject: `announcement ${messageId}`,
          after: { page_name, audience, published_at, ended_at, shown_again: input.show_again },
        })
        return { announcement }
      }),
    { alsoCheck: (fields) => checkAnnouncement(sql, fields) },
  ),
  on(announcements.endAnnouncement, async ({ input, ...call }) =>
    sql.begin(async (sql) => {
      const became = await endAnnouncement(sql, input.message_id)
      const auditEntry = { ...by(call), action: `announcement ${became}`, subject: `announcement ${input.message_id}` }
      if (became !== 'unchanged') await recordAudit(sql, auditEntry)
      return {}
    }),
  ),
]

const productRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql, config } = ctx
  return [
    on(merchandise.getProducts, async () => listAllProducts(sql, config.store)),
    on(merchandise.saveProduct, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const productId = await saveProduct(sql, input)
        const action = input.product_id === undefined ? 'product created' : 'product updated'
        await recordAudit(sql, { ...by(call), action, subject: `product ${productId}`, after: input })
        return { product: await getProduct(sql, productId) }
      }),
    ),
    on(
      merchandise.uploadProductPicture,
      async (call) => {
        const productId = await receiveProductPicture(ctx, call.request, (sql, productId) =>
          recordAudit(sql, { ...by(call), action: 'product picture updated', subject: `product ${productId}` }),
        )
        return { product: await getProduct(sql, productId) }
      },
      { perMinute: 30 },
    ),
    on(merchandise.removeProduct, async ({ input, ...call }) => {
      const { picture } = await sql.begin(async (sql) => {
        await recordAudit(sql, { ...by(call), action: 'product deleted', subject: `product ${input.product_id}` })
        return removeProduct(sql, input.product_id)
      })
      await deleteProductPictures(ctx, [picture])
      return {}
    }),
    on(merchandise.orderProducts, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        await orderProducts(sql, input.product_ids)
        await recordAudit(sql, { ...by(call), action: 'products reordered', subject: 'merchandise' })
        return {}
      }),
    ),
    on(
      merchandise.refreshStore,
      async (call) => {
        await refreshStoreNow(ctx)
        await recordAudit(sql, { ...by(call), action: 'store products updated', subject: 'merchandise' })
        return {}
      },
      { perMinute: 6 },
    ),
  ]
}

/** Checks the Markdown while other fields of its form are invalid. */
async function checkMarkdownInput({ markdown }: { markdown?: unknown }): Promise<void> {
  const text = parsed(sitePages.savePage.input.shape.markdown, markdown)
  if (text !== undefined) await checkMarkdown(text, 'markdown')
}

const pageRoutes = ({ sql }: AppContext): Call<Caller>[] => [
  on(sitePages.getPages, async () => ({ pages: await listPages(sql) })),
  on(
    sitePages.savePage,
    async ({ input, ...call }) => {
      await checkMarkdown(input.markdown, 'markdown')
      return sql.begin(async (sql) => {
        const page = await savePage(sql, { ...input, staff_id: call.member.customer_id })
        const [before, after] = [{ version: input.version }, { version: page.version }]
        await recordAudit(sql, { ...by(call), action: 'page updated', subject: `page ${page.slug}`, before, after })
        return { page }
      })
    },
    { alsoCheck: checkMarkdownInput },
  ),
  on(sitePages.previewMarkdown, async ({ input }) => ({ html: await htmlOfMarkdown(input.markdown) }), {
    perMinute: 120,
  }),
]

const openingRoutes = ({ sql }: AppContext): Call<Caller>[] => [
  on(openings.getOpenings, async () => ({ openings: await listAllOpenings(sql) })),
  on(
    openings.saveOpening,
    async ({ input, ...call }) => {
      await checkMarkdown(input.markdown, 'markdown')
      return sql.begin(async (sql) => {
        const opening = await saveOpening(sql, input)
        const action = input.job_opening_id === undefined ? 'job opening created' : 'job opening updated'
        const after = { published: opening.published }
        await recordAudit(sql, { ...by(call), action, subject: `opening ${opening.job_opening_id}`, after })
        return { opening }
      })
    },
    { alsoCheck: checkMarkdownInput },
  ),
  on(openings.removeOpening, async ({ input, ...call }) =>
    sql.begin(async (sql) => {
      await removeOpening(sql, input.job_opening_id)
      await recordAudit(sql, { ...by(call), action: 'job opening deleted', subject: `opening ${input.job_opening_id}` })
      return {}
    }),
  ),
]
