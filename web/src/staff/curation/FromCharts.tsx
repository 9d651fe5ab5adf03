import { type catalogue, curation } from '@dubplate/contract'
import { Group, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { Button } from '../../ui/Button.tsx'
import { toastError } from '../../ui/toast.ts'
import { useAction } from '../../ui/useAction.ts'
import * as texts from './texts.ts'

const MONTHS = 12
const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The last months, the current one first: as the API takes them, and its name. */
const lastMonths = (now = new Date()) =>
  Array.from({ length: MONTHS }, (_, n) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1))
    return { month: start.toISOString().slice(0, 7), name: monthName.format(start) }
  })

type Props = { onFill: (songs: catalogue.Song[], message: string, month: string) => void }

/** Fills a top 20 with the most downloaded songs of a month. */
export function FromCharts({ onFill }: Props) {
  const [months] = useState(() => lastMonths())
  const [month, setMonth] = useState(months[0]?.month ?? '')
  const [fill, isBusy] = useAction(async () => {
    try {
      const { songs } = await callApi(curation.getMonthChart, { month })
      const name = months.find((choice) => choice.month === month)?.name ?? month
      if (songs.length === 0) throw new Error(format(texts.noDownloadsIn, { words: name }))
      const missing = curation.TOP20_LENGTH - songs.length
      const filled = format(texts.filledWithTheTopDownloads, { month: name })
      const note = format(texts.onlySongsHadDownloadsSo, { count: songs.length, missing })
      onFill(songs, missing > 0 ? `${filled} ${note}` : filled, name)
    } catch (error) {
      void toastError(texts.couldntFillFromTheCharts, error)
    }
  })
  return (
    <Group gap="sm" align="end">
      <NativeSelect
        label={texts.fillFromCharts}
        data={months.map(({ month, name }) => ({ value: month, label: name }))}
        value={month}
        onChange={({ currentTarget }) => setMonth(currentTarget.value)}
      />
      <Button busy={isBusy} onClick={() => fill()}>
        {texts.fillList}
      </Button>
    </Group>
  )
}
