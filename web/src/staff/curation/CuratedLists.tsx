import { curation } from '@dubplate/contract'
import { IconArchive, IconEye, IconPencil, IconPlaylist, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MainCell, Status, type Tone } from '../../admin/cells.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { TablePage } from '../../admin/TablePage.tsx'
import { FilterMenu, TableToolbar } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { count } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { imageAt } from '../../platform/media.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CurationTabs, NEW } from './CurationPage.tsx'
import { hasDraft, LISTS } from './lists.ts'
import { describeTimes, KIND_WORDS, type Kind, STATE_NAMES } from './listValues.ts'
import * as texts from './texts.ts'

type List = curation.StaffList

const TONES: Record<curation.ListState, Tone> = {
  draft: 'neutral',
  scheduled: 'warning',
  published: 'ok',
  ended: 'neutral',
  unpublished: 'neutral',
}

const ListCell = ({ list }: { list: List }) => (
  <MainCell
    picture={<img src={imageAt(list.image, 96)} alt="" width={32} height={32} loading="lazy" />}
    title={list.title}
    text={[list.created_by && format(texts.byCreator, { created_by: list.created_by }), describeTimes(list)]
      .filter(Boolean)
      .join(' · ')}
  />
)

/** What staff should know of a list: songs that members do not see, edits that are not saved. */
const notesOf = ({ kind, list_id, unpublished_songs, suggested }: List): string =>
  [
    unpublished_songs > 0 && format(texts.unpublishedSongs, { n: unpublished_songs }),
    hasDraft(kind, list_id) && texts.unsavedChanges,
    suggested && texts.suggestedInSentence,
  ]
    .filter(Boolean)
    .join(' · ')

const COLUMNS: Column<List>[] = [
  { id: 'title', header: texts.title, width: 'auto', cell: (list) => <ListCell list={list} /> },
  {
    id: 'state',
    header: texts.state,
    width: 130,
    cell: ({ state }) => <Status tone={TONES[state]}>{STATE_NAMES[state]}</Status>,
  },
  { id: 'songs', header: texts.songs, width: 80, isNumeric: true, cell: ({ song_count }) => count(song_count) },
  { id: 'notes', header: texts.notes, width: 260, showFrom: 820, cell: notesOf },
]

/** Spotlights or top 20s in every state. */
export function CuratedLists({ kind }: { kind: Kind }) {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(curation.LIST_STATES),
    find: trimmedText,
    open: trimmedText,
  })
  const { page = 1, state, find = '' } = search
  const query = useApiQuery(curation.getLists, { kind, state, find, page }, { keepPrevious: true })
  const { data } = query
  const navigate = useNavigate()
  const [asking, setAsking] = useState<{ list: List; action: 'unpublish' | 'remove' }>()
  const words = KIND_WORDS[kind]
  const edit = ({ list_id }: List) => change({ page, open: list_id })
  const isOut = ({ state }: List) => state === 'published' || state === 'scheduled'
  return (
    <TablePage
      total={data?.pagination}
      actions={
        <Button variant="primary" onClick={() => change({ open: NEW })}>
          {words.create}
        </Button>
      }
      top={<CurationTabs />}
    >
      <ResourceTable
        name={words.many}
        columns={COLUMNS}
        rows={data?.lists}
        pagination={data?.pagination}
        query={query}
        errorTitle={format(texts.couldntLoadLists, { lists: words.many })}
        idOf={({ list_id }) => list_id}
        labelOf={({ title }) => title}
        narrowRow={(list) => ({
          start: <ListCell list={list} />,
          end: <Status tone={TONES[list.state]}>{STATE_NAMES[list.state]}</Status>,
        })}
        onOpen={edit}
        onPage={(page) => change({ page })}
        rowActions={[
          { label: texts.edit, icon: IconPencil, run: edit },
          {
            label: texts.preview,
            icon: IconEye,
            run: ({ kind, list_id }) =>
              void navigate({ to: '/staff/curation/preview', search: { kind, open: String(list_id) } }),
          },
          {
            label: texts.unpublish,
            icon: IconArchive,
            isAvailable: (list) => isOut(list) && list.was_published,
            run: (list) => setAsking({ list, action: 'unpublish' }),
          },
          {
            label: texts.unschedule,
            icon: IconArchive,
            isAvailable: (list) => isOut(list) && !list.was_published,
            run: (list) => setAsking({ list, action: 'unpublish' }),
          },
          {
            label: texts.deleteButton,
            icon: IconTrash,
            isDanger: true,
            isAvailable: ({ was_published }) => !was_published,
            run: (list) => setAsking({ list, action: 'remove' }),
          },
        ]}
        toolbar={
          <TableToolbar
            searchLabel={words.search}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          >
            <FilterMenu
              label={texts.state}
              options={curation.LIST_STATES.map((value) => ({
                value,
                name: data ? `${STATE_NAMES[value]} ${count(data.counts[value])}` : STATE_NAMES[value],
              }))}
              value={state}
              onChange={(state) => change({ state })}
            />
          </TableToolbar>
        }
        empty={{
          icon: <IconPlaylist size={24} />,
          title: find || state ? words.noMatches : words.none,
          text: find || state ? texts.tryADifferentSearchOr : texts.addSongsBySearchOr,
        }}
      />
      {asking?.action === 'unpublish' && <UnpublishDialog list={asking.list} onClose={() => setAsking(undefined)} />}
      {asking?.action === 'remove' && <RemoveDialog list={asking.list} onClose={() => setAsking(undefined)} />}
    </TablePage>
  )
}

type DialogProps = { list: List; onClose: () => void }

function UnpublishDialog({ list: { kind, list_id, version, title, was_published }, onClose }: DialogProps) {
  const unpublish = useApiMutation(curation.unpublishList, {
    invalidates: LISTS,
    success: ({ list }) => ({
      message: format(list.state === 'draft' ? texts.movedToDrafts : texts.listUnpublished, { title }),
    }),
  })
  return (
    <ConfirmDialog
      title={format(was_published ? texts.unpublishQuestion : texts.unscheduleQuestion, { title })}
      what={was_published ? texts.membersWillNoLongerSee : texts.itBecomesADraftAgain}
      confirmLabel={was_published ? texts.unpublish : texts.unschedule}
      isDanger={was_published}
      onConfirm={() => unpublish.mutateAsync({ kind, list_id, version })}
      onClose={onClose}
    />
  )
}

function RemoveDialog({ list: { kind, list_id, version, title }, onClose }: DialogProps) {
  const remove = useApiMutation(curation.removeList, {
    invalidates: LISTS,
    success: () => ({ message: format(texts.deleted, { title }) }),
  })
  return (
    <ConfirmDialog
      title={format(texts.deleteTitleQuestion, { title })}
      what={texts.membersHaveNeverSeenIt}
      confirmLabel={texts.deleteButton}
      isDanger
      onConfirm={() => remove.mutateAsync({ kind, list_id, version })}
      onClose={onClose}
    />
  )
}
