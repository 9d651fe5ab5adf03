import readExcelFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { anInvoice } from '../../test/billing-makers.ts'
import { createInvoicesSheet } from './invoice-sheet.ts'

const buildRows = async (...invoices: Parameters<typeof createInvoicesSheet>[0]) => {
  const [sheet] = await readExcelFile(await createInvoicesSheet(invoices))
  return sheet?.data ?? []
}

test('a sheet has a row for each invoice, with dates as dates and amounts as numbers, and a total row', async () => {
  const note = anInvoice({
    kind: 'credit_note',
    number: '2026-00013',
    issued_at: new Date('2026-11-05T23:30:00Z'),
    net_minor: -420,
    tax_minor: -80,
    total_minor: -500,
    corrects: '2026-00012',
  })
  const [head, invoice, credit, total, ...rest] = await buildRows(anInvoice(), note)
  expect(head?.slice(0, 3)).toEqual(['Invoice number', 'Date', 'Type'])
  const day = (text: string) => new Date(`${text}T00:00:00Z`)
  expect(invoice).toEqual([
    '2026-00012',
    day('2026-11-01'),
    'Invoice',
    'Club plan',
    day('2026-11-01'),
    day('2026-12-01'),
    16.8,
    19,
    3.19,
    19.99,
    'EUR',
    'Visa ending 4242',
    null,
  ])
  expect(credit?.slice(0, 3)).toEqual(['2026-00013', day('2026-11-05'), 'Credit note'])
  expect(credit?.at(-1)).toBe('2026-00012')
  expect(total?.slice(0, 11)).toEqual(['Total', null, null, null, null, null, 12.6, null, 2.39, 14.99, 'EUR'])
  expect(rest).toEqual([])
})

test('does not add up payments in different currencies', async () => {
  const rows = await buildRows(anInvoice(), anInvoice({ currency: 'USD', total_minor: 500 }), anInvoice())
  expect(rows.slice(4).map((row) => [row[9], row[10]])).toEqual([
    [39.98, 'EUR'],
    [5, 'USD'],
  ])
})

test('text that begins like a formula stays text, and characters that XML cannot contain do no harm', async () => {
  for (const plan_title of ['=1+1', '+49', '-5', '@SUM(A1)', '<b>&"', 'one\u0001\ntwo']) {
    const [, row] = await buildRows(anInvoice({ lines: [{ text: plan_title, amount_minor: 1999, plan_title }] }))
    expect(row?.[3]).toBe(plan_title.replace(/\p{Cc}/gu, ' '))
  }
})
