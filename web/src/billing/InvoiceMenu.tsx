import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import css from './InvoiceMenu.module.css'
import { downloadInvoice, type Format, type InvoiceRequest } from './invoice.ts'

const FORMATS = [
  { format: 'pdf', text: 'PDF' },
  { format: 'excel', text: 'Excel' },
] as const satisfies { format: Format; text: string }[]

type Props = {
  what: InvoiceRequest
  /** The accessible name of the button for a format. */
  label: (fileFormat: string) => string
}

/** Downloads an invoice, or all invoices of a range, in one of two formats. */
export function InvoiceMenu({ what, label }: Props) {
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
          aria-label={label(text)}
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
