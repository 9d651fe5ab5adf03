import { IconGripVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import handle from '../../library/PlaylistHandle.module.css'
import { count, plural } from '../../platform/format.ts'
import { imageAt } from '../../platform/media.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { late } from '../../ui/late.tsx'
import { toastTrouble } from '../../ui/toast.ts'
import { Certain } from '../../uploads/Certain.tsx'
import { QuickTick } from '../QuickTick.tsx'
import css from './Genres.module.css'
import { askGenresAnew, type Genre, removeGenre, saveGenre } from './genres.ts'

const GenreMerge = late(() => import('./GenreMerge.tsx').then((code) => code.GenreMerge))

type Props = { genre: Genre; genres: readonly Genre[]; onEdit: () => void }

/** An entry of the tree: its handle, what stands under it, and what can be done. */
export function GenreRow({ genre, genres, onEdit }: Props) {
  const { genre_id, name, image } = genre
  const [dialog, setDialog] = useState<'merge' | 'remove'>()
  const close = () => setDialog(undefined)
  return (
    <div className={css.row}>
      <IconButton
        className={handle.handle}
        label={`Move ${name}`}
        shortcut="Alt + arrow keys, or Space then ↑ / ↓"
        draggable={false}
        data-handle
      >
        <IconGripVertical size={15} />
      </IconButton>
      <img className={css.picture} src={imageAt(image, 96)} alt="" width={40} height={40} />
      <div className={css.words}>
        <b>
          <Link to="/genres/view/$genreId" params={{ genreId: genre_id }}>
            {name}
          </Link>
        </b>
        <small className="num">{countsOf(genre)}</small>
        {genre.once_called.length > 0 && <small>Also known as {genre.once_called.join(', ')}</small>}
      </div>
      <QuickTick
        name={`${name} on home page`}
        label="On home page"
        isTicked={genre.home_chip}
        onTick={(isOnHome) => putOnHome(genre, isOnHome)}
        isQuiet
        className={css.chip}
      />
      <div className={css.does}>
        <Button aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button aria-label={`Merge ${name} into another genre`} onClick={() => setDialog('merge')}>
          Merge…
        </Button>
        <Button aria-label={`Delete ${name}`} onClick={() => setDialog(isEmpty(genre, genres) ? 'remove' : 'merge')}>
          Delete
        </Button>
      </div>
      {dialog === 'merge' && <GenreMerge genre={genre} genres={genres} onClose={close} />}
      {dialog === 'remove' && (
        <Certain
          question={`Delete “${name}”?`}
          what={
            genre.followers > 0
              ? `This genre has no songs. ${plural(genre.followers, 'follower')} will lose it from the genres they follow.`
              : 'This genre has no songs.'
          }
          yes="Delete"
          isDanger
          onYes={() => removeGenre(genre)}
          onClose={close}
        />
      )}
    </div>
  )
}

const isEmpty = (genre: Genre, genres: readonly Genre[]): boolean =>
  genre.songs + genre.kuts + genre.withdrawn === 0 && !genres.some(({ parent_id }) => parent_id === genre.genre_id)

const countsOf = ({ songs, kuts, withdrawn, followers }: Genre): string =>
  [
    plural(songs, 'song'),
    kuts > 0 && plural(kuts, 'kut'),
    withdrawn > 0 && `${count(withdrawn)} unpublished`,
    followers > 0 && `${plural(followers, 'follower')}`,
  ]
    .filter(Boolean)
    .join(' · ')

async function putOnHome({ genre_id, version, name }: Genre, home_chip: boolean): Promise<void> {
  try {
    await saveGenre({ genre_id, version, name, home_chip })
  } catch (error) {
    void toastTrouble(`Couldn’t save “${name}”`, error)
    await askGenresAnew()
  }
}
