import '../styles/mantine-forms.css'
import '../styles/mantine-multi-select.css'
import { catalogue, type uploadedSongs } from '@dubplate/contract'
import { MultiSelect } from '@mantine/core'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { songField } from './Field.tsx'
import * as texts from './texts.ts'

/** The most genres of one song that the server accepts. */
const MAX_GENRES = 20

type Props = {
  chosen: number[]
  source: uploadedSongs.Source | undefined
  fieldErrors: string | undefined
  onChange: (genres: number[]) => void
}

/** A field for the song’s genres: typing finds a genre or sub-genre, the chosen ones are tags. */
export function GenreChoice({ chosen, source, fieldErrors, onChange }: Props) {
  const { data, error, refetch } = useApiQuery(catalogue.getGenresWithCount, {})
  const groups = (data?.genres ?? []).map((main) => ({
    group: main.name,
    items: [main, ...main.subgenre].map(({ genre_id, name }) => ({ value: String(genre_id), label: name })),
  }))
  return (
    <>
      <MultiSelect
        {...songField('genres', fieldErrors, source)}
        label={texts.genres}
        placeholder={chosen.length === 0 ? texts.findAGenre : ''}
        data={groups}
        value={data ? chosen.map(String) : []}
        onChange={(values) => onChange(values.map(Number))}
        maxValues={MAX_GENRES}
        searchable
        clearable
        hidePickedOptions
        disabled={!data}
        nothingFoundMessage={texts.noGenreFound}
      />
      {error && !data && (
        <InlineError error={error} title={texts.couldntLoadGenresInline} retry={() => void refetch()} alert />
      )}
    </>
  )
}
