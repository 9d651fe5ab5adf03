import { useState } from 'react'
import { format } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import css from './InvoiceMenu.module.css'
import { downloadInvoice, type Format, type InvoiceRequest } from './invoice.ts'
import * as texts from './texts.ts'

const FORMATS = [
  { format: 'pdf', text: 'PDF' },
  { format: 'excel', text: 'Excel' },
] as const satisfies { format: Format; text: string }[]

type Props = {
  what: InvoiceRequest
  /** What the menu downloads: 'invoice 2026-00012', 'all invoices'. */
  name: string
}

/** Downloads an invoice, or all invoices of a range, in one of two formats. */
export function InvoiceMenu({ what, name }: Props) {
  const [busy, setBusy] = useState<Format>()
  const download = async (format: Format) => {
    setBusy(format)
    await downloadInvoice(what, format)
    setBusy(undefined)
  }
  return (
    <span className={css.formats}>
      {FORMATS.map(({ format: fileFormat, text }) => (
        <Button
          key={fileFormat}
          className={css.format ?? ''}
          aria-label={format(texts.downloadAs, { name, text })}
          aria-busy={busy === fileFormat || undefined}
          disabled={busy !== undefined}
          onClick={() => void download(fileFormat)}
        >
          {text}
        </Button>
      ))}
    </span>
  )
}
