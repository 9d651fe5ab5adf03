import { IconDownload } from '@tabler/icons-react'
import { Button } from '../ui/Button.tsx'
import { dismissNextZip, downloadNextZip, useNextZip } from './crateZips.ts'
import { isBusy, useDownloads } from './download.ts'
import css from './NextZip.module.css'

/** Offers the rest of a crate that has more files than one zip holds. */
export function NextZip() {
  const next = useNextZip()
  const isDownloading = useDownloads(isBusy('crate'))
  if (!next) return null
  const { part, parts } = next
  return (
    <section className={css.next} aria-label="Next zip of your crate">
      <p>
        <b>
          Zip {part - 1} of {parts} has started.
        </b>{' '}
        The next one has only files that are not in the zips before it.
      </p>
      <div className={css.actions}>
        <Button look="primary" busy={isDownloading} onClick={() => void downloadNextZip(next)}>
          {!isDownloading && <IconDownload size={16} aria-hidden />}
          Download zip {part} of {parts}
        </Button>
        <Button disabled={isDownloading} onClick={dismissNextZip}>
          Dismiss
        </Button>
      </div>
    </section>
  )
}
