import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { anInvoice } from '../../test/billing-makers.ts'
import { loadFaces } from './invoice-fonts.ts'
import { createInvoicePdf, createInvoicesPdf } from './invoice-pdf.ts'
import type { Buyer } from './issued-invoices.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-pdf-'))
afterAll(() => rmSync(folder, { recursive: true }))

const isInstalled = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // pdftotext does not support --version and fails with an error of its own.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

const run = (program: string, pdf: Buffer, ...options: string[]): string => {
  const file = path.join(folder, 'invoice.pdf')
  writeFileSync(file, pdf)
  return execFileSync(program, [...options, file, ...(program === 'pdftotext' ? ['-'] : [])], { encoding: 'utf8' })
}
const textOf = (pdf: Buffer) => run('pdftotext', pdf, '-layout')
const invoiceNamed = (name: string, more: Partial<Buyer> = {}) =>
  anInvoice({ buyer: { ...anInvoice().buyer, name, dj_name: name, ...more } })

test('an invoice always has the same bytes', async () => {
  const pdf = await createInvoicePdf(anInvoice())
  expect((await createInvoicePdf(anInvoice())).equals(pdf)).toBe(true)
  expect((await createInvoicePdf(anInvoice({ number: '2026-00013' }))).equals(pdf)).toBe(false)
  expect(pdf.length).toBeLessThan(60_000)
})

test('prints characters that no font has, and texts of invisible characters', async () => {
  for (const name of ['😀', '\ue000\uffff', '\u0000\u202e\u200d', '', '\ud800', '𓀀', 'a\u0301\u0323', '( [']) {
    expect((await createInvoicePdf(invoiceNamed(name))).subarray(0, 5).toString()).toBe('%PDF-')
  }
})

test('has a font for every alphabet that names are written in', async () => {
  const names = ['Łódź Ễ', 'Κώστας', 'Київ Ђ', 'محمد', 'דוד', 'ธนา', 'क्षत्रिय', '田中さくら', '김철수', '李小龙', '臺灣']
  for (const name of names) expect(await fontsOf(name)).not.toContain('NotoSans-Regular(FFFD)')
})

/** Returns the fonts of a text; the latin one is marked where it replaces a missing character. */
async function fontsOf(name: string): Promise<string[]> {
  const faceFor = await loadFaces(name, 'regular')
  return [...name].map((character) => faceFor(character)?.name ?? 'NotoSans-Regular(FFFD)')
}

describe.skipIf(!isInstalled('pdftotext'))('read by pdftotext (from the package poppler-utils)', () => {
  test('an invoice has all required details', async () => {
    const text = textOf(await createInvoicePdf(anInvoice()))
    const texts = ['Night Shift', 'Torstraße 12', 'Tax ID DE123456789', 'Ünal Çağlayan', 'DJ Tëst', '34000 İstanbul']
    const rows = [/Invoice\b/, /2026-00012/, /1 Nov 2026/, /Club plan, 1 Nov 2026 to 1 Dec 2026 +19\.99/, /Net +16\.80/]
    for (const words of texts) expect(text).toContain(words)
    for (const row of [...rows, /VAT 19% +3\.19/, /Total EUR +19\.99/, /Page 1 of 1/]) expect(text).toMatch(row)
    expect(text).toContain('Paid via Visa ending 4242 on 1 Nov 2026.')
    const transferred = textOf(await createInvoicePdf(anInvoice({ paid_with: 'Bank transfer' })))
    expect(transferred).toContain('Paid via bank transfer on 1 Nov 2026.')
  })

  test('has no tax line without tax', async () => {
    const text = textOf(await createInvoicePdf(anInvoice({ tax_percent: 0, tax_minor: 0, net_minor: 1999 })))
    expect(text).not.toMatch(/VAT|Net/)
    expect(text).toMatch(/Total EUR +19\.99/)
  })

  test('a credit note is labelled as such, and names the invoice it corrects', async () => {
    const lines = [{ text: 'Refund: Club plan', amount_minor: -500 }]
    const text = textOf(
      await createInvoicePdf(anInvoice({ kind: 'credit_note', corrects: '2026-00003', lines, total_minor: -500 })),
    )
    expect(text).toMatch(/Credit note/)
    expect(text).toMatch(/Corrects invoice\s.*\s*2026-00003/s)
    expect(text).toMatch(/Total EUR +-5\.00/)
    expect(text).not.toContain('Payment method')
  })

  test('names are real text in every alphabet, and right-to-left ones are read from the right', async () => {
    const names = ['Κώστας Київ', 'ธนา', '田中さくら', '김철수', '李小龙', 'محمد عبد الله', 'דוד כהן']
    for (const name of names) {
      const text = textOf(await createInvoicePdf(invoiceNamed(name))).replace(/\p{Cf}/gu, '')
      expect(text.normalize('NFKC')).toContain(name.normalize('NFKC'))
    }
  })

  test('shows a replacement for characters that no font has', async () => {
    expect(textOf(await createInvoicePdf(invoiceNamed('DJ 😀')))).toContain('DJ \ufffd')
  })

  test('a long name takes several lines, and many lines take several numbered pages', async () => {
    const name = 'Averyveryverylongnamewithoutanyspacesinitthatgoesonandonandonandon'
    const lines = Array.from({ length: 30 }, (_, n) => ({ text: `Line ${n + 1}`, amount_minor: n }))
    const invoice = { ...invoiceNamed(name), lines }
    const text = textOf(await createInvoicePdf(invoice))
    expect(run('pdftotext', await createInvoicePdf(invoice), '-raw').replace(/\s/g, '')).toContain(name)
    expect(text.match(/Page \d of \d/g)).toEqual(['Page 1 of 2', 'Page 2 of 2'])
    for (const n of [1, 15, 30]) expect(text).toMatch(new RegExp(`Line ${n} `))
    expect(text).toContain('Invoice 2026-00012, continued')
  })

  test('several invoices are one file, each beginning on a new page', async () => {
    const pages = textOf(await createInvoicesPdf([anInvoice(), anInvoice({ number: '2026-00013' })])).split('\f')
    expect(pages[0]).toContain('2026-00012')
    expect(pages[1]).toContain('2026-00013')
    expect(pages.slice(0, 2).every((page) => page.includes('Page 1 of 1'))).toBe(true)
  })
})

describe.skipIf(!isInstalled('qpdf'))('checked by qpdf', () => {
  test('a PDF is complete, tagged for screen readers, in English, and has a title', async () => {
    const pdf = await createInvoicePdf(invoiceNamed('田中さくら محمد Київ'))
    expect(run('qpdf', pdf, '--check')).toContain('No syntax or stream encoding errors found')
    const uncompressed = run('qpdf', pdf, '--qdf', '--object-streams=disable', '--json-output')
    for (const words of ['StructTreeRoot', '"/Marked": true', '"/DisplayDocTitle": true', 'Invoice 2026-00012']) {
      expect(uncompressed).toContain(words)
    }
    expect(uncompressed).toMatch(/"\/Lang": "(u:|b:)?en"/)
    for (const tag of ['/H1', '/Table', '/TH', '/TD']) expect(uncompressed).toContain(`"/S": "${tag}"`)
    expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.7')
  })
})
