import { curatedGenres, spotlights } from '@dubplate/contract'
import { saveGenre } from '@dubplate/contract/schemas/curated-genres'
import { Select, TextInput, Title } from '@mantine/core'
import { IconBinaryTree, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { MainCell } from '../../admin/cells.tsx'
import { OrderedList } from '../../admin/OrderedList.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { trimmedText } from '../../platform/search-fields.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CurationTabs, NEW } from './CurationPage.tsx'
import { moveInTree, siblingsOf } from './genreTree.ts'
import * as texts from './texts.ts'

type Genre = curatedGenres.StaffGenre

const LISTS = [curatedGenres.getGenres, spotlights.getCuratedGenres, spotlights.getCuratedGenre]

/** The genres of spotlights, in the order in which members see them. */
export function CuratedGenres() {
  const query = useApiQuery(curatedGenres.getGenres, {})
  const { search, change } = useTableSearch({ open: trimmedText })
  const [deleting, setDeleting] = useState<Genre>()
  const remove = useApiMutation(curatedGenres.removeGenre, {
    invalidates: LISTS,
    success: () => ({ message: format(texts.deleted, { title: deleting?.title ?? '' }) }),
  })
  const genres = query.data?.genres
  const open = genres?.find(({ curated_genre_id }) => String(curated_genre_id) === search.open)
  const openGenre = ({ curated_genre_id }: Genre) => change({ open: curated_genre_id })
  const close = () => change({ open: undefined })
  return (
    <TablePage
      actions={
        <Button variant="primary" onClick={() => change({ open: NEW })}>
          {texts.newCuratedGenre}
        </Button>
      }
      top={<CurationTabs />}
      panel={
        genres &&
        (open || search.open === NEW) && (
          <SidePanel label={open?.title ?? texts.newGenre} onClose={close}>
            <GenreForm key={open?.curated_genre_id ?? NEW} genre={open} genres={genres} onClose={close} />
          </SidePanel>
        )
      }
    >
      <OrderedList
        name={texts.curatedGenres}
        items={genres}
        query={query}
        errorTitle={texts.couldntLoadCuratedGenres}
        order={{
          list: curatedGenres.getGenres,
          itemsOf: ({ genres }) => genres,
          withItems: (reply, genres) => ({ ...reply, genres }),
          nameOf: ({ title }) => title,
          move: moveInTree,
          describeMove: (genres, genre) => {
            const siblings = siblingsOf(genres, genre.parent_id)
            const place = { position: siblings.indexOf(genre) + 1, length: siblings.length }
            return format(texts.genreMovedToOf, { title: genre.title, ...place })
          },
          save: (genres, { parent_id }) =>
            callApi(curatedGenres.orderGenres, {
              parent_id,
              curated_genre_ids: siblingsOf(genres, parent_id).map(({ curated_genre_id }) => curated_genre_id),
            }),
          invalidates: LISTS,
        }}
        idOf={({ curated_genre_id }) => curated_genre_id}
        isNested={({ parent_id }) => parent_id !== null}
        openId={open?.curated_genre_id}
        onOpen={openGenre}
        actions={[
          { label: texts.edit, icon: IconPencil, run: openGenre },
          { label: texts.deleteButton, icon: IconTrash, isDanger: true, run: setDeleting },
        ]}
        empty={{
          icon: <IconBinaryTree size={24} />,
          title: texts.noCuratedGenresYet,
          text: texts.groupSpotlightsByMoodPlace,
        }}
      >
        {({ title, list_count, published_count }) => (
          <MainCell
            title={title}
            text={
              list_count === published_count
                ? format(texts.spotlightCount, { n: list_count })
                : format(texts.spotlightCountPublished, { n: list_count, published: published_count })
            }
          />
        )}
      </OrderedList>
      {deleting && (
        <ConfirmDialog
          title={format(texts.deleteTitleQuestion, { title: deleting.title })}
          what={texts.youCanOnlyDeleteGenres}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => remove.mutateAsync({ curated_genre_id: deleting.curated_genre_id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </TablePage>
  )
}

const valuesOf = ({ title, parent_id, version }: Genre) => ({
  title,
  parent_id: parent_id === null ? null : String(parent_id),
  version,
})

async function loadGenre(genreId: number) {
  const { genres } = await callApi(curatedGenres.getGenres, {})
  const genre = genres.find(({ curated_genre_id }) => curated_genre_id === genreId)
  return genre && valuesOf(genre)
}

type FormProps = { genre: Genre | undefined; genres: readonly Genre[]; onClose: () => void }

function GenreForm({ genre, genres, onClose }: FormProps) {
  const id = genre?.curated_genre_id
  const parents = siblingsOf(genres, null).filter(({ curated_genre_id }) => curated_genre_id !== id)
  const form = useResourceForm({
    call: saveGenre,
    draftName: `curated-genre.${id ?? NEW}`,
    values: genre ? valuesOf(genre) : { title: '', parent_id: null },
    toInput: ({ title, parent_id, version }: { title: string; parent_id: string | null; version?: number }) => ({
      title,
      parent_id: parent_id ? Number(parent_id) : null,
      ...(id && { curated_genre_id: id, version }),
    }),
    loadCurrent: id ? () => loadGenre(id) : undefined,
    describe: {
      parent_id: (parent) =>
        parents.find(({ curated_genre_id }) => String(curated_genre_id) === parent)?.title ?? texts.none,
    },
    invalidates: LISTS,
    onSaved: onClose,
  })
  const title = genre ? texts.editGenre : texts.newGenre
  return (
    <ResourceForm form={form} label={title} onClose={onClose}>
      <Title order={2}>{title}</Title>
      <TextInput label={texts.name} maxLength={60} data-autofocus autoComplete="off" {...form.field('title')} />
      <Select
        label={texts.parentGenre}
        placeholder={texts.none}
        clearable
        data={parents.map(({ curated_genre_id, title }) => ({ value: String(curated_genre_id), label: title }))}
        {...form.field('parent_id')}
      />
    </ResourceForm>
  )
}
