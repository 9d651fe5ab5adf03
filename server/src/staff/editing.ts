import { announcements, merchandise, openings, sitePages } from '@dubplate/contract'
import type { Route } from '../membership/caller.ts'
import { checkMarkdown, htmlOfMarkdown } from '../platform/markdown.ts'
import { parsed } from '../platform/parse-input.ts'
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
import { staffRead, staffWrite, staffWriteInSteps } from './audit.ts'

const announcementSubject = (messageId: number) => `announcement ${messageId}`

const announcementRoutes: Route[] = [
  staffRead(announcements.getAnnouncements, async ({ input, sql }) => listAnnouncements(sql, input)),
  staffWrite(
    announcements.saveAnnouncement,
    { action: ({ message_id }) => (message_id === undefined ? 'announcement created' : 'announcement updated') },
    async ({ input, staff_id, sql }) => {
      const messageId = await saveAnnouncement(sql, { ...input, staff_id })
      const announcement = await readAnnouncement(sql, messageId)
      const { page_name, audience, published_at, ended_at } = announcement
      const after = { page_name, audience, published_at, ended_at, shown_again: input.show_again }
      return { reply: { announcement }, subject: announcementSubject(messageId), after }
    },
    { alsoCheck: (fields, { sql }) => checkAnnouncement(sql, fields) },
  ),
  staffWrite(
    announcements.endAnnouncement,
    { subject: ({ message_id }) => announcementSubject(message_id) },
    async ({ input, sql }) => {
      const became = await endAnnouncement(sql, input.message_id)
      return { reply: {}, entries: became === 'unchanged' ? [] : [{ action: `announcement ${became}` }] }
    },
  ),
]

const productSubject = ({ product_id }: { product_id: number }) => `product ${product_id}`

const productRoutes: Route[] = [
  staffRead(merchandise.getProducts, async ({ ctx, sql }) => listAllProducts(sql, ctx.config.store)),
  staffWrite(
    merchandise.saveProduct,
    { action: ({ product_id }) => (product_id === undefined ? 'product created' : 'product updated') },
    async ({ input, sql }) => {
      const product_id = await saveProduct(sql, input)
      return {
        reply: { product: await getProduct(sql, product_id) },
        subject: productSubject({ product_id }),
        after: input,
      }
    },
  ),
  staffWriteInSteps(
    merchandise.uploadProductPicture,
    async ({ request, record, ctx, sql }) => {
      const productId = await receiveProductPicture(ctx, request, (sql, product_id) =>
        record(sql, { action: 'product picture updated', subject: productSubject({ product_id }) }),
      )
      return { product: await getProduct(sql, productId) }
    },
    { perMinute: 30 },
  ),
  staffWrite(
    merchandise.removeProduct,
    { action: 'product deleted', subject: productSubject },
    async ({ input, sql, ctx }) => {
      const { picture } = await removeProduct(sql, input.product_id)
      return {
        reply: async () => {
          await deleteProductPictures(ctx, [picture])
          return {}
        },
      }
    },
  ),
  staffWrite(
    merchandise.orderProducts,
    { action: 'products reordered', subject: 'merchandise' },
    async ({ input, sql }) => {
      await orderProducts(sql, input.product_ids)
      return { reply: {} }
    },
  ),
  staffWriteInSteps(
    merchandise.refreshStore,
    async ({ record, ctx, sql }) => {
      await refreshStoreNow(ctx)
      await record(sql, { action: 'store products updated', subject: 'merchandise' })
      return {}
    },
    { perMinute: 6 },
  ),
]

/** Checks the Markdown while other fields of its form are invalid. */
async function checkMarkdownInput({ markdown }: { markdown?: unknown }): Promise<void> {
  const text = parsed(sitePages.savePage.input.shape.markdown, markdown)
  if (text !== undefined) await checkMarkdown(text, 'markdown')
}

const MARKDOWN_CHECKS = {
  check: ({ input }: { input: { markdown: string } }) => checkMarkdown(input.markdown, 'markdown'),
  alsoCheck: checkMarkdownInput,
}

const pageRoutes: Route[] = [
  staffRead(sitePages.getPages, async ({ sql }) => ({ pages: await listPages(sql) })),
  staffWrite(
    sitePages.savePage,
    { action: 'page updated' },
    async ({ input, staff_id, sql }) => {
      const page = await savePage(sql, { ...input, staff_id })
      return {
        reply: { page },
        subject: `page ${page.slug}`,
        before: { version: input.version },
        after: { version: page.version },
      }
    },
    MARKDOWN_CHECKS,
  ),
  staffRead(sitePages.previewMarkdown, async ({ input }) => ({ html: await htmlOfMarkdown(input.markdown) }), {
    perMinute: 120,
  }),
]

const openingSubject = ({ job_opening_id }: { job_opening_id: number }) => `opening ${job_opening_id}`

const openingRoutes: Route[] = [
  staffRead(openings.getOpenings, async ({ sql }) => ({ openings: await listAllOpenings(sql) })),
  staffWrite(
    openings.saveOpening,
    { action: ({ job_opening_id: id }) => (id === undefined ? 'job opening created' : 'job opening updated') },
    async ({ input, sql }) => {
      const opening = await saveOpening(sql, input)
      return { reply: { opening }, subject: openingSubject(opening), after: { published: opening.published } }
    },
    MARKDOWN_CHECKS,
  ),
  staffWrite(
    openings.removeOpening,
    { action: 'job opening deleted', subject: openingSubject },
    async ({ input, sql }) => {
      await removeOpening(sql, input.job_opening_id)
      return { reply: {} }
    },
  ),
]

/** Editing of the site's texts by staff; each action is recorded in the audit log, without the text. */
export const editingRoutes: Route[] = [...announcementRoutes, ...productRoutes, ...pageRoutes, ...openingRoutes]
