import { IconDownload } from '@tabler/icons-react'
import { format, rich } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { dismissNextZip, downloadNextZip, useNextZip } from './crateZips.ts'
import { isBusy, useDownloads } from './download.ts'
import css from './NextZip.module.css'
import * as texts from './texts.ts'

/** Offers the rest of a crate that has more files than one zip can hold. */
export function NextZip() {
  const next = useNextZip()
  const isDownloading = useDownloads(isBusy('crate'))
  if (!next) return null
  const { part, parts } = next
  return (
    <section className={css.next} aria-label={texts.nextZipOfYourCrate}>
      <p>{rich(texts.zipPartIsDownloading, { part: part - 1, parts, b: (inside) => <b>{inside}</b> })}</p>
      <div className={css.actions}>
        <Button variant="primary" busy={isDownloading} onClick={() => void downloadNextZip(next)}>
          {!isDownloading && <IconDownload size={16} aria-hidden />}
          {format(texts.downloadZipOf, { part, parts })}
        </Button>
        <Button disabled={isDownloading} onClick={dismissNextZip}>
          {texts.dismiss}
        </Button>
      </div>
    </section>
  )
}
