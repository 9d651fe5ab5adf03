import { IconDeviceUsb } from '@tabler/icons-react'
import { chooseKit } from '../booth/kits/kitChoice.ts'
import { parseDay } from '../format/dates.ts'
import { Button } from '../ui/Button.tsx'
import type { RescueFilters } from './rescueTexts.ts'
import * as texts from './texts.ts'

/** Makes a library file for DJ software of the downloads that match the filters, on all pages. */
export function HistoryKit({ filters: { from, to, find } }: { filters: RescueFilters }) {
  const history = { startDate: parseDay(from), endDate: parseDay(to), search: find ?? '' }
  return (
    <Button onClick={() => chooseKit({ title: texts.yourDownloads, source: { history }, isOwned: true })}>
      <IconDeviceUsb size={18} stroke={1.8} aria-hidden />
      {texts.libraryFileForDjSoftware}
    </Button>
  )
}
