import { imageAt } from '../../platform/media.ts'
import { format } from '../../platform/message.ts'
import { toast, toastError } from '../../ui/toast.ts'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { ChoiceField, TextField, Tick } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import { PictureChoice, usePicture } from '../forms/PictureChoice.tsx'
import { useEntry, type Wrong } from '../forms/useEntry.ts'
import css from './GenreEdit.module.css'
import { type Genre, removePicture, saveGenre, sendPicture, shownGenres, standBelow } from './genres.ts'
import * as texts from './texts.ts'

type Props = {
  kind: Genre['kind']
  /** Undefined for a new one. */
  genre?: Genre
  mains: readonly Genre[]
  onClose: () => void
}

/** `genre_id` is set once a new genre is saved and only its picture is missing, so that it is not created twice. */
type GenreEntry = Pick<Genre, 'name' | 'home_chip' | 'parent_id'> & Partial<Pick<Genre, 'genre_id' | 'version'>>

const entryOf = ({
  name = '',
  home_chip = false,
  parent_id = null,
  genre_id,
  version,
}: Partial<Genre>): GenreEntry => ({
  ...{ name, home_chip, parent_id, genre_id, version },
})

const TITLES = {
  genre: { edit: texts.editGenreTitle, create: texts.newGenre },
  mood: { edit: texts.editMood, create: texts.newMood },
}

const wrongGenre = ({ name }: GenreEntry): Wrong => (name.trim() ? {} : { name: texts.enterAName })

/** Edits a genre or mood: its name, its parent, whether it is on the home page, and its picture. */
export function GenreEdit({ kind, genre, mains, onClose }: Props) {
  const chosen = usePicture()
  const entry = useEntry<GenreEntry, void>({
    draftName: `genre.${genre?.genre_id ?? `new ${kind}`}`,
    first: entryOf(genre ?? {}),
    wrongOf: wrongGenre,
    send: async ({ parent_id, ...typed }, learn) => {
      const saved = await saveGenre({ ...typed, kind, ...(typed.genre_id ? {} : { parent_id }) })
      learn({ genre_id: saved.genre_id, version: saved.version })
      if (genre && parent_id !== saved.parent_id) await standBelow(saved, parent_id)
      await chosen.send((picture, onSent) => sendPicture(saved.genre_id, picture, onSent))
      void toast({ message: format(texts.saved, { name: saved.name }) })
    },
    versionNow: ({ genre_id }) => shownGenres().find((each) => each.genre_id === genre_id)?.version,
    onClose,
  })
  const { typed, wrong, write } = entry
  return (
    <EntryForm entry={entry} title={genre ? TITLES[kind].edit : TITLES[kind].create} heading="h3" isShort>
      <div className={css.sides}>
        <Picture genre={genre} chosen={chosen} />
        <div className={css.fields}>
          <TextField
            label={texts.name}
            path="name"
            wrong={wrong.name}
            takesFocus
            maxLength={60}
            value={typed.name}
            onChange={(name) => write({ name })}
          />
          <ChoiceField
            label={texts.parentGenre}
            path="parent_id"
            wrong={wrong.parent_id}
            note={genre && whatFollows(genre, typed.parent_id, mains)}
            value={String(typed.parent_id ?? '')}
            choices={placesOf(genre, mains)}
            onChoose={(id) => write({ parent_id: id ? Number(id) : null })}
          />
          <Tick isTicked={typed.home_chip} onTick={(home_chip) => write({ home_chip })}>
            {texts.showOnHomePage}
          </Tick>
        </div>
      </div>
      <EntryEnd entry={entry} isSaid={Boolean(wrong.name || wrong.parent_id)} />
    </EntryForm>
  )
}

const placesOf = (genre: Genre | undefined, mains: readonly Genre[]): (readonly [string, string])[] => [
  ['', texts.none],
  ...mains
    .filter(({ genre_id }) => genre_id !== genre?.genre_id)
    .map(({ genre_id, name }) => [String(genre_id), `${name}`] as const),
]

function whatFollows(genre: Genre, parentId: number | null, mains: readonly Genre[]): string | undefined {
  if (parentId === genre.parent_id) return undefined
  const nameOf = (id: number | null) => mains.find(({ genre_id }) => genre_id === id)?.name
  const [before, after] = [nameOf(genre.parent_id), nameOf(parentId)]
  return [
    after && format(texts.itsSongsWillAlsoBe, { after }),
    before && format(texts.theyllBeRemovedFromUnless, { before }),
  ]
    .filter(Boolean)
    .join(' ')
}

/** The picture of its tile. Without one, a generated picture is used. */
function Picture({ genre, chosen }: { genre: Genre | undefined; chosen: ReturnType<typeof usePicture> }) {
  const shown = chosen.address ?? (genre && imageAt(genre.image, 320))
  const remove = async () => {
    chosen.choose(undefined)
    if (genre?.has_picture && !chosen.picture)
      await removePicture(genre.genre_id).catch((error) => toastError(texts.couldntRemovePicture, error))
  }
  const canRemove = chosen.picture || genre?.has_picture
  return (
    <PictureChoice
      chosen={chosen}
      isShown={Boolean(shown)}
      className={css.side}
      onRemove={canRemove ? () => void remove() : undefined}
    >
      {shown ? <img src={shown} alt="" width={132} height={132} /> : <i />}
    </PictureChoice>
  )
}
