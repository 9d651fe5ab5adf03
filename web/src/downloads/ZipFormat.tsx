import type { downloads } from '@dubplate/contract'
import { chooseZipFormat, usePreferences } from '../platform/preferences.ts'
import { type DownloadFormat, ZIP_FORMAT_NAMES, zipFormatFor } from './downloadFormats.ts'
import * as texts from './texts.ts'
import css from './ZipFormat.module.css'

type Props = { summary: Pick<downloads.DownloadSummary, 'conversions'> }

/** Chooses the format of the files in zips, which is remembered. Nothing if the pool converts none of these files. */
export function ZipFormat({ summary }: Props) {
  const chosen = usePreferences(({ zipFormat }) => zipFormat)
  if (summary.conversions.length === 0) return null
  return (
    <label className={css.format}>
      <span>{texts.fileFormat}</span>
      <select
        value={zipFormatFor(summary, chosen)}
        onChange={({ target }) => chooseZipFormat(target.value as DownloadFormat)}
      >
        {(['original', ...summary.conversions] as const).map((value) => (
          <option key={value} value={value}>
            {ZIP_FORMAT_NAMES[value]}
          </option>
        ))}
      </select>
    </label>
  )
}
