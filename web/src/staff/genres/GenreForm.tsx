import { genreTree } from '@dubplate/contract'
import { saveGenre } from '@dubplate/contract/schemas/genre-tree'
import { Checkbox, Image, NativeSelect, TextInput, Title } from '@mantine/core'
import { PictureInput, usePicture } from '../../admin/PictureInput.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { imageAt } from '../../platform/media.ts'
import { upload } from '../../platform/upload.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { DescriptionInput } from '../../ui/DescriptionInput.tsx'
import { toast } from '../../ui/toast.ts'
import { type Genre, LISTS, moveToParent } from './genres.ts'
import * as texts from './texts.ts'

type GenreValues = {
  name: string
  description: string
  home_chip: boolean
  /** '' for a main genre. */
  parent_id: string
  /** Set once a new genre is saved and only its picture is missing, so that it is not created twice. */
  genre_id?: number
  version?: number
}

const valuesOf = ({ name, description, home_chip, parent_id, genre_id, version }: Genre): GenreValues => ({
  ...{ name, description, home_chip, parent_id: String(parent_id ?? ''), genre_id, version },
})

const parentOf = ({ parent_id }: GenreValues) => (parent_id ? Number(parent_id) : null)

const TITLES = {
  genre: { edit: texts.editGenreTitle, create: texts.newGenre },
  mood: { edit: texts.editMood, create: texts.newMood },
}

/** Loads a genre that someone else has changed; undefined if it was deleted. */
async function loadGenre(genreId: number) {
  const { genres } = await callApi(genreTree.getGenreTree, {})
  const genre = genres.find(({ genre_id }) => genre_id === genreId)
  return genre && valuesOf(genre)
}

/** `onProgress` is called with the uploaded share, 0 to 1. */
async function uploadPicture(genreId: number, picture: File, onProgress: (share: number) => void) {
  const body = new FormData()
  body.append('genre_id', String(genreId))
  body.append('picture', picture)
  await upload(genreTree.uploadGenrePicture, body, onProgress)
  await refreshReplies(LISTS)
}

type Props = {
  kind: Genre['kind']
  /** Undefined for a new one. */
  genre: Genre | undefined
  mainGenres: readonly Genre[]
  onClose: () => void
}

/** Edits a genre or mood: its name, its description, its parent, whether it is on the home page, and its picture. */
export function GenreForm({ kind, genre, mainGenres, onClose }: Props) {
  const picture = usePicture()
  const nameOf = (id: number | null) => mainGenres.find(({ genre_id }) => genre_id === id)?.name
  const form = useResourceForm({
    call: saveGenre,
    draftName: `genre.${genre?.genre_id ?? `new ${kind}`}`,
    values: genre ? valuesOf(genre) : ({ name: '', description: '', home_chip: false, parent_id: '' } as GenreValues),
    toInput: ({ parent_id, ...values }) => ({
      ...{ ...values, kind },
      // The parent of an existing genre is changed by moving it.
      ...(values.genre_id ? {} : { parent_id: parent_id ? Number(parent_id) : null }),
    }),
    ...(genre && { loadCurrent: () => loadGenre(genre.genre_id) }),
    describe: { parent_id: (id) => nameOf(Number(id)) ?? texts.none },
    invalidates: LISTS,
    save: async (send, setValues, values) => {
      const { genre: saved } = await send()
      setValues({ genre_id: saved.genre_id, version: saved.version })
      if (parentOf(values) !== saved.parent_id) await moveToParent(saved, parentOf(values))
      await picture.upload((file, onProgress) => uploadPicture(saved.genre_id, file, onProgress))
      void toast({ message: format(texts.saved, { name: saved.name }) })
    },
    onSaved: onClose,
  })
  const title = genre ? TITLES[kind].edit : TITLES[kind].create
  const parents = mainGenres.filter(({ genre_id }) => genre_id !== genre?.genre_id)
  return (
    <ResourceForm form={form} label={title} onClose={onClose}>
      <Title order={2}>{title}</Title>
      <GenrePicture genre={genre} picture={picture} />
      <TextInput label={texts.name} maxLength={60} data-autofocus autoComplete="off" {...form.field('name')} />
      <DescriptionInput {...form.field('description')} />
      <NativeSelect
        label={texts.parentGenre}
        data={[
          { value: '', label: texts.none },
          ...parents.map(({ genre_id, name }) => ({ value: String(genre_id), label: name })),
        ]}
        {...form.field('parent_id', genre && describeMove(nameOf(genre.parent_id), nameOf(parentOf(form.values))))}
      />
      <Checkbox label={texts.showOnHomePage} {...form.checkbox('home_chip')} />
    </ResourceForm>
  )
}

/** What follows for the songs of a genre that gets another parent. */
function describeMove(before: string | undefined, after: string | undefined): string | undefined {
  if (before === after) return undefined
  const parts = [
    after && format(texts.itsSongsWillAlsoBe, { after }),
    before && format(texts.theyllBeRemovedFromUnless, { before }),
  ]
  return parts.filter(Boolean).join(' ')
}

type PictureProps = { genre: Genre | undefined; picture: ReturnType<typeof usePicture> }

/** The picture of its tile. Without one, a generated picture is used. */
function GenrePicture({ genre, picture }: PictureProps) {
  const remove = useApiMutation(genreTree.removeGenrePicture, {
    invalidates: LISTS,
    errorTitle: texts.couldntRemovePicture,
  })
  const url = picture.url ?? (genre && imageAt(genre.image, 320))
  const removePicture = () => {
    if (picture.picture) picture.choose(undefined)
    else if (genre) remove.mutate({ genre_id: genre.genre_id })
  }
  return (
    <PictureInput
      chosen={picture}
      hasPicture={Boolean(url)}
      onRemove={picture.picture || genre?.has_picture ? removePicture : undefined}
    >
      <Image src={url} alt="" w={96} h={96} radius="md" bg="var(--surface-2)" />
    </PictureInput>
  )
}
