import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { drawFooters, drawInvoice } from './invoice-page.ts'
import { documentName, type Invoice } from './issued-invoices.ts'
import { makeTypesetter } from './typesetter.ts'

/** Returns the PDF of one invoice or credit note, always with the same bytes. */
export const createInvoicePdf = (invoice: Invoice): Promise<Buffer> => createInvoicesPdf([invoice])

/** Returns one PDF of several invoices, each on its own pages. It is tagged for screen readers and embeds its fonts. */
export async function createInvoicesPdf(invoices: readonly Invoice[]): Promise<Buffer> {
  const [first] = invoices
  const last = invoices.at(-1)
  if (!first || !last) throw new Error('No invoices to print')
  // Some 10 MB that are rarely needed.
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    autoFirstPage: false,
    // No default font: all fonts are embedded.
    font: '',
    info: {
      Title: first === last ? `${documentName(first)} ${first.number}` : `Invoices ${first.number} to ${last.number}`,
      Author: last.seller.name,
      Creator: 'Dubplate',
      CreationDate: last.issued_at,
    },
  })
  const bytes = buffer(document)
  const typesetter = makeTypesetter(document)
  const root = document.struct('Document')
  document.addStructure(root)
  for (const invoice of invoices) {
    await drawInvoice({ document, typesetter, root }, invoice)
    await drawFooters({ document, typesetter }, invoice)
    document.flushPages()
    // Lets other requests be processed in between.
    await turn()
  }
  root.end()
  document.end()
  return bytes
}
