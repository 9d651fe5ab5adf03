import { curatedGenres, type curation } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { ChoiceField, MomentField, TextField } from '../forms/EntryFields.tsx'
import type { Wrong } from '../forms/useEntry.ts'
import { zoneInWords } from '../moments.ts'
import css from './ListEdit.module.css'
import { type Kind, type ListEntry, publicationsOf } from './listEntry.ts'
import * as texts from './texts.ts'

type Props = {
  kind: Kind
  list: curation.ListDetails | undefined
  typed: ListEntry
  wrong: Wrong
  onChange: (change: Partial<ListEntry>) => void
}

/** The title of a list, its genre, and when members see it. */
export const ListFields = ({ kind, list, typed, wrong, onChange }: Props) => (
  <div className={css.fields}>
    <div className={css.names} data-kind={kind}>
      <TextField
        label={texts.title}
        path="title"
        wrong={wrong.title}
        maxLength={120}
        value={typed.title}
        onChange={(title) => onChange({ title })}
      />
      {kind === 'spotlight' && (
        <>
          <TextField
            label={texts.createdBy}
            path="created_by"
            wrong={wrong.created_by}
            maxLength={80}
            value={typed.created_by}
            onChange={(created_by) => onChange({ created_by })}
          />
          <GenreField genreId={typed.curated_genre_id} wrong={wrong.curated_genre_id} onChange={onChange} />
        </>
      )}
    </div>
    <Times list={list} typed={typed} wrong={wrong} onChange={onChange} />
  </div>
)

const Times = ({ list, typed, wrong, onChange }: Omit<Props, 'kind'>) => (
  <div className={css.times}>
    <ChoiceField
      label={texts.visibility}
      path="publication"
      wrong={wrong.publication}
      value={typed.publication}
      choices={publicationsOf(list)}
      onChoose={(publication) => onChange({ publication })}
    />
    {typed.publication === 'at' && (
      <MomentField
        label={texts.publishOn}
        path="published_at"
        wrong={wrong.from}
        note={format(texts.yourTimeZone, { zoneInWords: zoneInWords() })}
        value={typed.from}
        onChange={(from) => onChange({ from })}
      />
    )}
    <MomentField
      label={texts.ends}
      path="ended_at"
      note={texts.leaveEmptyForNoEnd}
      wrong={wrong.until}
      value={typed.until}
      onChange={(until) => onChange({ until })}
    />
  </div>
)

type GenreProps = { genreId: number | null; wrong: string | undefined; onChange: Props['onChange'] }

function GenreField({ genreId, wrong, onChange }: GenreProps) {
  const { data, error } = useApiQuery(curatedGenres.getGenres, {})
  const unread: [string, string][] = genreId !== null && !data ? [[String(genreId), '…']] : []
  const genres = (data?.genres ?? []).map(
    ({ curated_genre_id, parent_id, title }) =>
      [String(curated_genre_id), parent_id === null ? title : `– ${title}`] as const,
  )
  return (
    <ChoiceField
      label={texts.curatedGenre}
      path="curated_genre_id"
      wrong={error && !data ? error.message : wrong}
      value={String(genreId ?? '')}
      choices={[['', texts.none], ...unread, ...genres]}
      onChoose={(id) => onChange({ curated_genre_id: id ? Number(id) : null })}
    />
  )
}
