import { genreTree } from '@dubplate/contract'
import { Image, Text } from '@mantine/core'
import { IconArrowMerge, IconExternalLink, IconMusic, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MainCell } from '../../admin/cells.tsx'
import { OrderedList } from '../../admin/OrderedList.tsx'
import { QuickSwitch } from '../../admin/QuickSwitch.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { count } from '../../format/format.ts'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { imageAt } from '../../platform/media.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, trimmedText } from '../../platform/search-fields.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { GenreForm } from './GenreForm.tsx'
import { GenreMerge } from './GenreMerge.tsx'
import { type Genre, LISTS, orderOfGenres } from './genres.ts'
import * as texts from './texts.ts'

/** In the URL: a new genre is being written; otherwise the number of the genre that is open. */
const NEW = 'new'

const KINDS = {
  genre: {
    name: texts.genres,
    add: texts.newGenre,
    about: texts.songsInASubGenre,
    emptyTitle: texts.noGenresYet,
    emptyText: texts.genresFromFileTagsAre,
  },
  mood: {
    name: texts.moods,
    add: texts.newMood,
    about: texts.moodsAreSeparateFromGenres,
    emptyTitle: texts.noMoodsYet,
    emptyText: texts.addYourFirstMood,
  },
}

/** Genres with their sub-genres, and moods, in the order in which members see them. */
export function StaffGenres() {
  const query = useApiQuery(genreTree.getGenreTree, {})
  const { search, change } = useTableSearch({ kind: oneOf(genreTree.GENRE_KINDS), open: trimmedText })
  const { kind = 'genre' } = search
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<{ name: 'merge' | 'delete'; id: number }>()
  const all = query.data?.genres
  const genres = all?.filter((genre) => genre.kind === kind)
  const open = genres?.find(({ genre_id }) => String(genre_id) === search.open)
  const inDialog = genres?.find(({ genre_id }) => genre_id === dialog?.id)
  const isEmpty = ({ genre_id, songs, kuts, unpublished }: Genre) =>
    songs + kuts + unpublished === 0 && !genres?.some(({ parent_id }) => parent_id === genre_id)
  const openGenre = ({ genre_id }: Genre) => change({ open: genre_id })
  const close = () => change({ open: undefined })
  const closeDialog = () => setDialog(undefined)
  const { name, add, about, emptyTitle, emptyText } = KINDS[kind]
  return (
    <TablePage
      total={genres?.length}
      actions={
        <Button variant="primary" onClick={() => change({ open: NEW })}>
          {add}
        </Button>
      }
      top={
        <>
          <ViewTabs
            label={texts.genresAndMoods}
            views={genreTree.GENRE_KINDS.map((value) => ({
              value,
              name: KINDS[value].name,
              count: all?.filter((genre) => genre.kind === value).length,
            }))}
            current={kind}
            onChange={(kind) => change({ kind: kind === 'genre' ? undefined : kind, open: undefined })}
          />
          <Text c="var(--text-2)" px="xl" py="sm">
            {about} {texts.dragToReorderOrUseThe}
          </Text>
        </>
      }
      panel={
        (open || (genres && search.open === NEW)) && (
          <SidePanel label={open?.name ?? add} onClose={close}>
            <GenreForm
              key={open?.genre_id ?? `${NEW} ${kind}`}
              kind={kind}
              genre={open}
              mainGenres={genres?.filter(({ parent_id }) => parent_id === null) ?? []}
              onClose={close}
            />
          </SidePanel>
        )
      }
    >
      <OrderedList
        name={name}
        items={genres}
        query={query}
        errorTitle={texts.couldntLoadGenres}
        order={orderOfGenres(kind)}
        idOf={({ genre_id }) => genre_id}
        isNested={({ parent_id }) => parent_id !== null}
        openId={open?.genre_id}
        onOpen={openGenre}
        details={(genre) => <HomePageSwitch genre={genre} />}
        actions={[
          { label: texts.edit, icon: IconPencil, run: openGenre },
          {
            label: texts.showPage,
            icon: IconExternalLink,
            run: ({ genre_id }) => void navigate({ to: '/genres/view/$genreId', params: { genreId: genre_id } }),
          },
          {
            label: texts.mergeMenuItem,
            icon: IconArrowMerge,
            run: ({ genre_id }) => setDialog({ name: 'merge', id: genre_id }),
          },
          {
            label: texts.deleteButton,
            icon: IconTrash,
            isDanger: true,
            run: (genre) => setDialog({ name: isEmpty(genre) ? 'delete' : 'merge', id: genre.genre_id }),
          },
        ]}
        empty={{ icon: <IconMusic size={24} />, title: emptyTitle, text: emptyText }}
      >
        {(genre) => (
          <MainCell
            picture={<Image src={imageAt(genre.image, 96)} alt="" w={40} h={40} radius="sm" />}
            title={genre.name}
            text={<span className="num">{describe(genre)}</span>}
          />
        )}
      </OrderedList>
      {dialog?.name === 'merge' && inDialog && genres && (
        <GenreMerge genre={inDialog} genres={genres} onClose={closeDialog} />
      )}
      {dialog?.name === 'delete' && inDialog && <DeleteDialog genre={inDialog} onClose={closeDialog} />}
    </TablePage>
  )
}

/** '12 songs · 3 followers · Also known as Bruk' */
const describe = ({ songs, kuts, unpublished, followers, former_names }: Genre): string =>
  [
    format(texts.songsCount, { n: songs }),
    kuts > 0 && format(texts.kutsCount, { n: kuts }),
    unpublished > 0 && format(texts.unpublished, { unpublished: count(unpublished) }),
    followers > 0 && format(texts.followersCount, { n: followers }),
    former_names.length > 0 && format(texts.alsoKnownAs, { names: formatList(former_names) }),
  ]
    .filter(Boolean)
    .join(' · ')

const HomePageSwitch = ({ genre: { genre_id, version, name, home_chip } }: { genre: Genre }) => (
  <QuickSwitch
    name={format(texts.genreOnHomePageLabel, { name })}
    label={texts.onHomePage}
    isOn={home_chip}
    errorTitle={format(texts.couldntSave, { name })}
    save={(home_chip) =>
      callApi(genreTree.saveGenre, { genre_id, version, name, home_chip }).finally(() => refreshReplies(LISTS))
    }
  />
)

function DeleteDialog({ genre, onClose }: { genre: Genre; onClose: () => void }) {
  const { genre_id, version, name, followers } = genre
  const remove = useApiMutation(genreTree.removeGenre, {
    success: () => ({ message: format(texts.deleted, { name }) }),
  })
  return (
    <ConfirmDialog
      title={format(texts.deleteGenreQuestion, { name })}
      what={followers > 0 ? format(texts.genreHasNoSongsButFollowers, { followers }) : texts.thisGenreHasNoSongs}
      confirmLabel={texts.deleteButton}
      isDanger
      onConfirm={() => remove.mutateAsync({ genre_id, version }).finally(() => refreshReplies(LISTS))}
      onClose={onClose}
    />
  )
}
