import { billing, type InputOf } from '@dubplate/contract'
import { Group } from '@mantine/core'
import { saveAs } from '../platform/saveAs.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import { Button } from '../ui/Button.tsx'
import * as texts from './texts.ts'

const FORMATS = [
  { format: 'pdf', text: 'PDF' },
  { format: 'excel', text: 'Excel' },
] as const

type Props = {
  /** One invoice, or all invoices of a range. */
  invoice: Omit<InputOf<typeof billing.getInvoice>, 'format'>
  /** The accessible name of the button for a format. */
  label: (fileFormat: string) => string
}

/** Downloads an invoice, or all invoices of a range, in one of two formats. */
export function InvoiceButtons({ invoice, label }: Props) {
  const { mutateAsync, variables, isPending } = useApiMutation(billing.getInvoice, {
    success: ({ file }) => ({ title: texts.downloadStarted, message: file }),
    errorTitle: texts.couldntDownloadTheInvoice,
  })
  const download = (format: (typeof FORMATS)[number]['format']) =>
    // Also starts after another screen has been opened, where callbacks of `mutate` would not be called.
    mutateAsync({ ...invoice, format }).then(
      ({ url, file }) => saveAs(url, file),
      () => undefined,
    )
  return (
    <Group component="span" gap={4} display="inline-flex">
      {FORMATS.map(({ format, text }) => (
        <Button
          key={format}
          style={{ height: 32, padding: '0 10px', fontSize: 'var(--fs-13)' }}
          aria-label={label(text)}
          aria-busy={(isPending && variables.format === format) || undefined}
          disabled={isPending}
          onClick={() => void download(format)}
        >
          {text}
        </Button>
      ))}
    </Group>
  )
}
