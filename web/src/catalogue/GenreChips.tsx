import type { catalogue } from '@dubplate/contract'
import { Chips } from '../ui/Chips.tsx'
import * as texts from './texts.ts'

type Genre = catalogue.Song['genres'][number]

type Props = {
  genres: Genre[]
  chosen: number | undefined
  onChoose: (genreId: number | undefined) => void
  /** Without “All”, one genre is always chosen. */
  all?: boolean
  label?: string
}

export function GenreChips({ genres, chosen, onChoose, all = true, label = texts.filterByGenre }: Props) {
  const each = genres.map(({ genre_id, name }) => ({ value: genre_id as number | undefined, label: name }))
  const choices = all ? [{ value: undefined, label: texts.all }, ...each] : each
  return <Chips label={label} choices={choices} chosen={chosen} onChoose={onChoose} />
}
