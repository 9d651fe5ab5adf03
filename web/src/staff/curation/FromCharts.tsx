import { type catalogue, curation } from '@dubplate/contract'
import { useId, useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { toastError } from '../../ui/toast.ts'
import { fieldStyles } from '../../uploads/Field.tsx'
import css from './Composer.module.css'
import * as texts from './texts.ts'

const MONTHS = 12
const named = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The last months, the current one first: as the API takes them, and in words. */
const lastMonths = (now = new Date()) =>
  Array.from({ length: MONTHS }, (_, n) => {
    const begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1))
    return { month: begin.toISOString().slice(0, 7), words: named.format(begin) }
  })

type Props = { onFill: (songs: catalogue.Song[], message: string, month: string) => void }

/** Fills a top 20 with the most downloaded songs of a month. */
export function FromCharts({ onFill }: Props) {
  const id = useId()
  const [months] = useState(() => lastMonths())
  const [month, setMonth] = useState(months[0]?.month ?? '')
  const [isBusy, setBusy] = useState(false)
  const fill = async () => {
    setBusy(true)
    try {
      const { songs } = await callApi(curation.getMonthChart, { month })
      const words = months.find((one) => one.month === month)?.words ?? month
      if (songs.length === 0) throw new Error(format(texts.noDownloadsIn, { words }))
      const missing = curation.TOP20_LENGTH - songs.length
      const filled = format(texts.filledWithTheTopDownloads, { month: words })
      const short = format(texts.onlySongsHadDownloadsSo, { count: songs.length, missing })
      onFill(songs, missing > 0 ? `${filled} ${short}` : filled, words)
    } catch (error) {
      void toastError(texts.couldntFillFromTheCharts, error)
    }
    setBusy(false)
  }
  return (
    <p className={css.charts}>
      <label htmlFor={id}>{texts.fillFromCharts}</label>
      <select id={id} className={fieldStyles.control} value={month} onChange={({ target }) => setMonth(target.value)}>
        {months.map((one) => (
          <option key={one.month} value={one.month}>
            {one.words}
          </option>
        ))}
      </select>
      <Button busy={isBusy} onClick={() => void fill()}>
        {texts.fillList}
      </Button>
    </p>
  )
}
