import { curation } from '@dubplate/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AdminGate, RoleGate } from '../../admin/AdminGate.tsx'
import { SpotlightScreen } from '../../catalogue/SpotlightView.tsx'
import { Tile } from '../../catalogue/Tile.tsx'
import { Top20Screen } from '../../catalogue/Top20View.tsx'
import { format } from '../../format/message.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { getFormDraft } from '../../platform/formDrafts.ts'
import { Page } from '../../platform/Page.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import button from '../../ui/Button.module.css'
import { draftNameOf } from './lists.ts'
import { KIND_WORDS, type Kind, type ListValues, newList, valuesOf } from './listValues.ts'
import css from './Preview.module.css'
import * as texts from './texts.ts'

/** A list as members will see it, including unsaved changes in this tab. */
export const Preview = () => (
  <AdminGate>
    <RoleGate>
      <LoadedPreview />
    </RoleGate>
  </AdminGate>
)

function LoadedPreview() {
  const { kind = 'spotlight', open = 'new' } = useSearch({ from: '/staff/curation/preview' })
  const listId = open === 'new' ? undefined : Number(open)
  const input = { kind, list_id: listId ?? 0 }
  const { data, error, refetch } = useApiQuery(curation.getList, input, { enabled: listId !== undefined })
  if (listId === undefined) return <ListPreview kind={kind} list={undefined} />
  if (error && !data)
    return (
      <Page title={texts.preview}>
        <ErrorState error={error} subject={KIND_WORDS[kind].one} retry={() => void refetch()} />
      </Page>
    )
  return data ? <ListPreview key={open} kind={kind} list={data.list} /> : <Page title={undefined}>{null}</Page>
}

const SCREENS = { spotlight: SpotlightScreen, top20: Top20Screen }

function ListPreview({ kind, list }: { kind: Kind; list: curation.ListDetails | undefined }) {
  const { page = 1 } = useSearch({ from: '/staff/curation/preview' })
  const [draft] = useState(() => getFormDraft(draftNameOf(kind, list?.list_id)))
  const values: ListValues = { ...(list ? valuesOf(list) : newList('')), ...draft?.values }
  const { entity_ids } = values
  const query = useApiQuery(curation.previewList, { kind, entity_ids, page }, { keepPrevious: true })
  const Screen = SCREENS[kind]
  const title = values.title.trim() || KIND_WORDS[kind].create
  const { artwork, cover_seed, created_by } = values
  const { data: drawn } = useApiQuery(
    curation.drawCover,
    { title, cover_seed },
    { enabled: artwork === null, keepPrevious: true },
  )
  const image = artwork?.image ?? drawn?.image
  const facts = {
    description: values.description.trim(),
    images: image ? [image] : [],
    created_by: kind === 'spotlight' ? created_by : null,
    song_count: query.data?.pagination.totalCount ?? 0,
    ...{ duration_seconds: null, new_count: null, updated_at: null },
  }
  return (
    <Screen title={title} queryResult={query} page={page} facts={facts}>
      <div className={css.banner} role="note">
        <TilePreview kind={kind} image={image} title={title} facts={facts} />
        <div className={css.words}>
          <b>{texts.preview}</b>
          <p>
            {list?.state === 'published' && !draft ? texts.thisIsWhatMembersSee : texts.thisIsWhatMembersWill}
            {draft && ` ${texts.itIncludesYourUnsavedChanges}`}
          </p>
          <Link
            to="/staff/curation"
            search={{ open: list ? String(list.list_id) : 'new', ...(kind === 'top20' && { view: 'top20' }) }}
            className={button.button}
          >
            {texts.backToEditor}
          </Link>
        </div>
      </div>
    </Screen>
  )
}

type TilePreviewProps = {
  kind: Kind
  image: string | undefined
  title: string
  facts: { created_by: string | null; song_count: number }
}

/** The list's tile among the others. */
function TilePreview({ kind, image, title, facts: { created_by, song_count } }: TilePreviewProps) {
  const note =
    kind === 'spotlight'
      ? [created_by, format(texts.songCount, { n: song_count })].filter(Boolean).join(' · ')
      : undefined
  return <div className={css.tile}>{image && <Tile image={image} title={title} note={note} />}</div>
}
