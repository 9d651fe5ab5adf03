import { curation } from '@dubplate/contract'
import { IconPlaylist } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { imageAt } from '../../platform/media.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import button from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import lists from '../Lists.module.css'
import css from './ListShelf.module.css'
import { KIND_WORDS, type Kind, STATE_NAMES, standingInWords } from './listEntry.ts'
import { hasDraft, removeList, unpublishList } from './programme.ts'
import * as texts from './texts.ts'

type StaffList = curation.StaffList

/** Spotlights or top 20 in every state, with their actions. */
export function ListShelf({ kind }: { kind: Kind }) {
  const { page = 1, state, find = '' } = useSearch({ from: '/staff/programming' })
  const navigate = useNavigate({ from: '/staff/programming' })
  const { data, error, isPlaceholderData, refetch } = useApiQuery(
    curation.getLists,
    { kind, state, find, page },
    { keepPrevious: true },
  )
  const go = (change: { state?: typeof state | undefined; find?: string | undefined }) =>
    void navigate({ search: (was) => ({ ...was, page: undefined, ...change }), replace: true, resetScroll: false })
  const total = data && Object.values(data.counts).reduce((sum, n) => sum + n, 0)
  const choices = [
    { value: undefined, label: total === undefined ? texts.all : format(texts.allCount, { total: count(total) }) },
    ...curation.LIST_STATES.map((value) => ({
      value,
      label: data ? `${STATE_NAMES[value]} ${count(data.counts[value])}` : STATE_NAMES[value],
    })),
  ]
  const words = KIND_WORDS[kind]
  return (
    <>
      <div className={lists.bar}>
        <Chips label={words.status} choices={choices} chosen={state} onChoose={(state) => go({ state })} />
        <New kind={kind} />
      </div>
      <div className={lists.bar}>
        <SearchField label={words.search} value={find} onSearch={(find) => go({ find })} />
      </div>
      {error && !data && <ErrorState error={error} subject={words.many} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.lists.length === 0 && (
        <EmptyState icon={<IconPlaylist size={24} />} title={find || state ? words.noMatches : words.none}>
          {find || state ? texts.tryADifferentSearchOr : texts.addSongsBySearchOr}
        </EmptyState>
      )}
      {data && data.lists.length > 0 && (
        <>
          <ul className={css.rows} aria-label={words.many} aria-busy={isPlaceholderData || undefined}>
            {data.lists.map((list) => (
              <ListRow key={list.list_id} list={list} />
            ))}
          </ul>
          <Pagination pagination={data.pagination} />
        </>
      )}
    </>
  )
}

const New = ({ kind }: { kind: Kind }) => (
  <Link
    from="/staff/programming"
    to="."
    search={({ room }) => ({ room, open: 'new' })}
    className={button.button}
    data-look="primary"
  >
    {KIND_WORDS[kind].create}
  </Link>
)

function ListRow({ list }: { list: StaffList }) {
  const { kind, list_id, title, state, was_published } = list
  const [asking, setAsking] = useState<'unpublish' | 'remove'>()
  const isOut = state === 'published' || state === 'scheduled'
  return (
    <li className={css.row}>
      <img src={imageAt(list.image, 96)} alt="" width={56} height={56} loading="lazy" />
      <div className={css.words}>
        <ListLink list={list}>{title}</ListLink>
        <p>
          <b data-state={state}>{STATE_NAMES[state]}</b> {standingInWords(list)}
        </p>
        <p>
          {factsOf(list).join(' · ')}
          {list.unpublished_songs > 0 && <em> · {format(texts.unpublishedSongs, { n: list.unpublished_songs })}</em>}
          {hasDraft(kind, list_id) && <em> · {texts.unsavedChanges}</em>}
        </p>
      </div>
      <div className={css.does}>
        <Link
          to="/staff/programming/preview"
          search={{ kind, open: String(list_id) }}
          className={button.button}
          aria-label={format(texts.previewTitleLabel, { title })}
        >
          {texts.preview}
        </Link>
        {isOut && (
          <Button
            aria-label={format(was_published ? texts.unpublishTitleLabel : texts.unscheduleTitleLabel, { title })}
            onClick={() => setAsking('unpublish')}
          >
            {was_published ? texts.unpublish : texts.unschedule}
          </Button>
        )}
        {!was_published && (
          <Button aria-label={format(texts.deleteTitleLabel, { title })} onClick={() => setAsking('remove')}>
            {texts.deleteButton}
          </Button>
        )}
      </div>
      {asking === 'unpublish' && (
        <ConfirmDialog
          title={
            was_published ? format(texts.unpublishQuestion, { title }) : format(texts.unscheduleQuestion, { title })
          }
          what={was_published ? texts.membersWillNoLongerSee : texts.itBecomesADraftAgain}
          confirmLabel={was_published ? texts.unpublish : texts.unschedule}
          isDanger={was_published}
          onConfirm={() => unpublishList(list)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'remove' && (
        <ConfirmDialog
          title={format(texts.deleteTitleQuestion, { title })}
          what={texts.membersHaveNeverSeenIt}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => removeList(list)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </li>
  )
}

const factsOf = (list: StaffList): string[] =>
  [
    format(texts.songCount, { n: list.song_count }),
    list.created_by && format(texts.byCreator, { created_by: list.created_by }),
    list.suggested && texts.suggestedInSentence,
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '')

/** A list's title, linked to its editor. */
export const ListLink = ({ list, children }: { list: Pick<StaffList, 'kind' | 'list_id'>; children: ReactNode }) => (
  <Link
    to="/staff/programming"
    search={{ room: list.kind === 'top20' ? 'top20' : undefined, open: String(list.list_id) }}
    className={css.title}
  >
    {children}
  </Link>
)

const ROWS = 6

const ToCome = () => (
  <ul className={css.rows} aria-busy aria-label={texts.loading}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.rowBone} aria-hidden />
    ))}
  </ul>
)
