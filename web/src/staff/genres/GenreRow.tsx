import { IconGripVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import handle from '../../library/PlaylistHandle.module.css'
import { count } from '../../platform/format.ts'
import { formatList } from '../../platform/formatList.ts'
import { imageAt } from '../../platform/media.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { toastError } from '../../ui/toast.ts'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import { QuickTick } from '../QuickTick.tsx'
import css from './Genres.module.css'
import { askGenresAnew, type Genre, removeGenre, saveGenre } from './genres.ts'
import * as texts from './texts.ts'

const GenreMerge = lazyOnDemand(() => import('./GenreMerge.tsx').then((code) => code.GenreMerge))

type Props = { genre: Genre; genres: readonly Genre[]; onEdit: () => void }

/** A row of the tree: drag handle, counts, and actions. */
export function GenreRow({ genre, genres, onEdit }: Props) {
  const { genre_id, name, image } = genre
  const [dialog, setDialog] = useState<'merge' | 'remove'>()
  const close = () => setDialog(undefined)
  return (
    <div className={css.row}>
      <IconButton
        className={handle.handle}
        label={format(texts.move, { name })}
        shortcut={texts.altArrowKeysOrSpace}
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
        {genre.former_names.length > 0 && (
          <small>{format(texts.alsoKnownAs, { names: formatList(genre.former_names) })}</small>
        )}
      </div>
      <QuickTick
        name={format(texts.genreOnHomePageLabel, { name })}
        label={texts.onHomePage}
        isTicked={genre.home_chip}
        onTick={(isOnHome) => putOnHome(genre, isOnHome)}
        isQuiet
        className={css.chip}
      />
      <div className={css.does}>
        <Button aria-label={format(texts.editGenreLabel, { name })} onClick={onEdit}>
          {texts.edit}
        </Button>
        <Button aria-label={format(texts.mergeIntoAnotherGenre, { name })} onClick={() => setDialog('merge')}>
          {texts.mergeMenuItem}
        </Button>
        <Button
          aria-label={format(texts.deleteGenreLabel, { name })}
          onClick={() => setDialog(isEmpty(genre, genres) ? 'remove' : 'merge')}
        >
          {texts.deleteButton}
        </Button>
      </div>
      {dialog === 'merge' && <GenreMerge genre={genre} genres={genres} onClose={close} />}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={format(texts.deleteGenreQuestion, { name })}
          what={
            genre.followers > 0
              ? format(texts.genreHasNoSongsButFollowers, { followers: genre.followers })
              : texts.thisGenreHasNoSongs
          }
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => removeGenre(genre)}
          onClose={close}
        />
      )}
    </div>
  )
}

const isEmpty = (genre: Genre, genres: readonly Genre[]): boolean =>
  genre.songs + genre.kuts + genre.unpublished === 0 && !genres.some(({ parent_id }) => parent_id === genre.genre_id)

const countsOf = ({ songs, kuts, unpublished, followers }: Genre): string =>
  [
    format(texts.songsCount, { n: songs }),
    kuts > 0 && format(texts.kutsCount, { n: kuts }),
    unpublished > 0 && format(texts.unpublished, { unpublished: count(unpublished) }),
    followers > 0 && format(texts.followersCount, { n: followers }),
  ]
    .filter(Boolean)
    .join(' · ')

async function putOnHome({ genre_id, version, name }: Genre, home_chip: boolean): Promise<void> {
  try {
    await saveGenre({ genre_id, version, name, home_chip })
  } catch (error) {
    void toastError(format(texts.couldntSave, { name }), error)
    await askGenresAnew()
  }
}
