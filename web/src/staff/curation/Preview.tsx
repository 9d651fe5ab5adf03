import { curation } from '@dubplate/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { AdminGate, RoleGate } from '../../admin/AdminGate.tsx'
import { SpotlightScreen } from '../../catalogue/SpotlightView.tsx'
import { Tile } from '../../catalogue/Tile.tsx'
import { Top20Screen } from '../../catalogue/Top20View.tsx'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import button from '../../ui/Button.module.css'
import { Page } from '../../ui/Page.tsx'
import { useKept } from '../forms/useKept.ts'
import { entryOf, KIND_WORDS, type Kind, type ListEntry, newEntry } from './listEntry.ts'
import css from './Preview.module.css'
import { draftNameOf } from './programme.ts'
import * as texts from './texts.ts'

/** A list as members will see it, including unsaved changes in this tab. */
export const Preview = () => (
  <AdminGate>
    <RoleGate>
      <Previewed />
    </RoleGate>
  </AdminGate>
)

function Previewed() {
  const { kind = 'spotlight', open = 'new' } = useSearch({ from: '/staff/programming/preview' })
  const listId = open === 'new' ? undefined : Number(open)
  const input = { kind, list_id: listId ?? 0 }
  const { data, error, refetch } = useApiQuery(curation.getList, input, { enabled: listId !== undefined })
  if (listId === undefined) return <Drawn kind={kind} list={undefined} />
  if (error && !data)
    return (
      <Page title={texts.preview}>
        <ErrorState error={error} subject={KIND_WORDS[kind].one} retry={() => void refetch()} />
      </Page>
    )
  return data ? <Drawn key={open} kind={kind} list={data.list} /> : <Page title={undefined}>{null}</Page>
}

const SCREENS = { spotlight: SpotlightScreen, top20: Top20Screen }

function Drawn({ kind, list }: { kind: Kind; list: curation.ListDetails | undefined }) {
  const { page = 1 } = useSearch({ from: '/staff/programming/preview' })
  const first = list ? entryOf(list) : newEntry('')
  const { typed, isTouched } = useKept<ListEntry>(draftNameOf(kind, list?.list_id), first)
  const { entity_ids } = typed
  const asked = useApiQuery(curation.previewList, { kind, entity_ids, page }, { keepPrevious: true })
  const Screen = SCREENS[kind]
  const title = typed.title.trim() || KIND_WORDS[kind].create
  return (
    <Screen title={title} queryResult={asked} page={page}>
      <div className={css.banner} role="note">
        <InGrid kind={kind} typed={typed} title={title} songs={asked.data?.pagination.totalCount ?? 0} />
        <div className={css.words}>
          <b>{texts.preview}</b>
          <p>
            {list?.state === 'published' && !isTouched ? texts.thisIsWhatMembersSee : texts.thisIsWhatMembersWill}
            {isTouched && ` ${texts.itIncludesYourUnsavedChanges}`}
          </p>
          <Link
            to="/staff/programming"
            search={{ room: kind === 'top20' ? 'top20' : undefined, open: list ? String(list.list_id) : 'new' }}
            className={button.button}
          >
            {texts.backToEditor}
          </Link>
        </div>
      </div>
    </Screen>
  )
}

type InGridProps = { kind: Kind; typed: ListEntry; title: string; songs: number }

/** The list's tile among the others. */
function InGrid({ kind, typed: { artwork, cover_seed, created_by }, title, songs }: InGridProps) {
  const { data } = useApiQuery(
    curation.drawCover,
    { title, cover_seed },
    { enabled: artwork === null, keepPrevious: true },
  )
  const image = artwork?.image ?? data?.image
  const note =
    kind === 'spotlight' ? [created_by, format(texts.songCount, { n: songs })].filter(Boolean).join(' · ') : undefined
  return <div className={css.tile}>{image && <Tile image={image} title={title} note={note} />}</div>
}
