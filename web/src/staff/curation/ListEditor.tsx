import { curatedGenres, curation } from '@dubplate/contract'
import { saveList } from '@dubplate/contract/schemas/curation'
import { Button, Group, Select, SimpleGrid, Skeleton, Stack, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Status } from '../../admin/cells.tsx'
import { DateTimeInput } from '../../admin/formFields.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { format } from '../../format/message.ts'
import { zoneInWords } from '../../format/moments.ts'
import { useProfile } from '../../membership/useProfile.ts'
import { callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { type ResourceFormState, useResourceForm } from '../../platform/useResourceForm.ts'
import { DescriptionInput } from '../../ui/DescriptionInput.tsx'
import { StaffPage } from '../StaffPage.tsx'
import { CoverInput } from './CoverInput.tsx'
import { FromCharts } from './FromCharts.tsx'
import { describeSaved, draftNameOf, LISTS } from './lists.ts'
import {
  describeMissing,
  describeState,
  inputOf,
  KIND_WORDS,
  type Kind,
  type ListValues,
  limitOf,
  missingSongs,
  newList,
  publicationsOf,
  validateList,
  valuesOf,
} from './listValues.ts'
import { PasteSongs } from './PasteSongs.tsx'
import { SongFinder } from './SongFinder.tsx'
import { SongOrder } from './SongOrder.tsx'
import { songIdsIn } from './songIds.ts'
import * as texts from './texts.ts'
import { useSongOrder } from './useSongOrder.ts'

type ListDetails = curation.ListDetails

/** The editor of a list, by its number, or of a new one. */
export function ListEditor({ kind, listId }: { kind: Kind; listId: number | undefined }) {
  const input = { kind, list_id: listId ?? 0 }
  const { data, error, refetch } = useApiQuery(curation.getList, input, { enabled: listId !== undefined })
  const { profile } = useProfile()
  const list = listId === undefined ? undefined : data?.list
  const isLoading = listId === undefined ? !profile : !data
  return (
    <StaffPage title={list?.title ?? (listId === undefined ? KIND_WORDS[kind].create : texts.curation)}>
      {error && !data ? (
        <ErrorState error={error} subject={KIND_WORDS[kind].one} retry={() => void refetch()} />
      ) : isLoading ? (
        <Skeleton height={560} aria-busy role="status" aria-label={texts.loading} />
      ) : (
        <ListForm kind={kind} list={list} values={list ? valuesOf(list) : newList(profile?.dj_name ?? '')} />
      )}
    </StaffPage>
  )
}

const SAVE_LABELS = { unchanged: texts.save, draft: texts.save, now: texts.publish, at: texts.schedule }

type Props = { kind: Kind; list: ListDetails | undefined; values: ListValues }

/** A list: its title, its dates, its cover, and its songs with search and order. */
function ListForm({ kind, list, values: stored }: Props) {
  const navigate = useNavigate({ from: '/staff/curation' })
  const form = useResourceForm({
    call: saveList,
    draftName: draftNameOf(kind, list?.list_id),
    values: stored,
    toInput: (values) => inputOf(kind, values, list),
    fieldNames: { published_at: 'from', ended_at: 'until' },
    validate: (values) => validateList(kind, values, list),
    loadCurrent:
      list && (async () => valuesOf((await callApi(curation.getList, { kind, list_id: list.list_id })).list)),
    invalidates: LISTS,
    success: ({ list }) => ({ message: describeSaved(list) }),
    save: async (send, setValues) => {
      const { list } = await send()
      setValues(valuesOf(list))
      return list
    },
    ...(!list && {
      onSaved: (saved: ListDetails) =>
        void navigate({ search: (was) => ({ ...was, open: String(saved.list_id) }), replace: true }),
    }),
  })
  const { values, setValues } = form
  const order = useSongOrder(values.entity_ids, (entity_ids) => setValues({ entity_ids }), limitOf(kind))
  const paste = (text: string) => order.addByIds(songIdsIn(text))
  const missing = missingSongs(kind, values)
  const title = list ? list.title : KIND_WORDS[kind].create
  return (
    <Stack maw={1400} style={{ '--form-ground': 'var(--bg)' }}>
      <Group justify="space-between">
        {list ? <Status tone={list.state === 'published' ? 'ok' : 'neutral'}>{describeState(list)}</Status> : <span />}
        <Group gap="sm">
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/staff/curation/preview"
                search={{ kind, open: list ? String(list.list_id) : 'new' }}
              />
            )}
          >
            {texts.preview}
          </Button>
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link {...props} from="/staff/curation" to="." search={(was) => ({ ...was, open: undefined })} />
            )}
          >
            {texts.close}
          </Button>
        </Group>
      </Group>
      <ResourceForm form={form} label={title} saveLabel={SAVE_LABELS[values.publication]} canSaveUnchanged>
        <Group gap="xl" align="start">
          <CoverInput values={values} onChange={setValues} />
          <Fields kind={kind} list={list} form={form} />
        </Group>
        {kind === 'top20' && (
          <FromCharts
            onFill={(songs, message, month) => {
              order.fill(songs, message)
              if (values.title.trim() === '')
                setValues({ title: month, entity_ids: songs.map(({ entity_id }) => entity_id) })
            }}
          />
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" style={{ alignItems: 'start' }}>
          <SongFinder
            action="add"
            chosen={new Set(values.entity_ids)}
            onChoose={(song) => order.add([song])}
            onPaste={(text) => void paste(text)}
          >
            <PasteSongs onPaste={paste} />
          </SongFinder>
          <SongOrder
            ids={values.entity_ids}
            order={order}
            note={missing > 0 ? describeMissing(kind, missing) : ''}
            error={form.field('entity_ids').error}
          />
        </SimpleGrid>
      </ResourceForm>
    </Stack>
  )
}

type FieldsProps = { kind: Kind; list: ListDetails | undefined; form: ResourceFormState<ListValues> }

/** The title of a list, its description, its genre, and when members see it. */
function Fields({ kind, list, form: { field, values } }: FieldsProps) {
  return (
    <Stack gap="md" flex="1 1 360px">
      <SimpleGrid cols={{ base: 1, lg: kind === 'spotlight' ? 3 : 1 }}>
        <TextInput label={texts.title} maxLength={120} autoComplete="off" {...field('title')} />
        {kind === 'spotlight' && (
          <>
            <TextInput label={texts.createdBy} maxLength={80} autoComplete="off" {...field('created_by')} />
            <GenreSelect {...field('curated_genre_id')} />
          </>
        )}
      </SimpleGrid>
      <DescriptionInput {...field('description')} />
      <SimpleGrid cols={{ base: 1, lg: 3 }}>
        <Select
          label={texts.visibility}
          allowDeselect={false}
          data={publicationsOf(list).map(([value, label]) => ({ value, label }))}
          {...field('publication')}
        />
        {values.publication === 'at' && (
          <DateTimeInput
            label={texts.publishOn}
            {...field('from', format(texts.yourTimeZone, { time_zone: zoneInWords() }))}
          />
        )}
        <DateTimeInput label={texts.ends} {...field('until', texts.leaveEmptyForNoEnd)} />
      </SimpleGrid>
    </Stack>
  )
}

type GenreProps = { value: number | null; onChange: (genreId: number | null) => void; error?: string }

function GenreSelect({ value, onChange, error: fieldError, ...field }: GenreProps) {
  const { data, error } = useApiQuery(curatedGenres.getGenres, {})
  return (
    <Select
      {...field}
      label={texts.curatedGenre}
      placeholder={data ? texts.none : '…'}
      clearable
      error={error && !data ? error.message : fieldError}
      data={(data?.genres ?? []).map(({ curated_genre_id, parent_id, title }) => ({
        value: String(curated_genre_id),
        label: parent_id === null ? title : `– ${title}`,
      }))}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id ? Number(id) : null)}
    />
  )
}
