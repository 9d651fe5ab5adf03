import { spotlights } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import css from '../ui/Chips.module.css'
import * as texts from './texts.ts'

type Genre = { genre_id: number; title: string; list_count: number }

/** Links to the curated genres; below them the sub-genres of the chosen one, or its siblings. */
export function CuratedGenreChips({ chosen }: { chosen?: number }) {
  const { data } = useApiQuery(spotlights.getCuratedGenres, { genre_id: chosen }, { keepPrevious: true })
  const genres = data?.genres ?? []
  const open = genres.find(({ genre_id, subgenres }) => containsGenre(chosen, [{ genre_id }, ...subgenres]))
  return (
    <>
      <nav className={css.chips} aria-label={texts.curatedGenres}>
        <Link to="/spotlight/index" className={css.chip} aria-current={chosen === undefined ? 'page' : undefined}>
          {texts.all}
        </Link>
        {genres.map((genre) => (
          <GenreChip key={genre.genre_id} genre={genre} current={genre === open ? genre.genre_id : undefined} />
        ))}
      </nav>
      {chosen !== undefined && (
        <nav
          className={css.chips}
          aria-label={open ? format(texts.subGenresOf, { title: open.title }) : texts.subGenres}
        >
          {open && <GenreChip genre={open} current={chosen} name={format(texts.allOfGenre, { title: open.title })} />}
          {open?.subgenres.map((genre) => (
            <GenreChip key={genre.genre_id} genre={genre} current={chosen} />
          ))}
        </nav>
      )}
    </>
  )
}

const containsGenre = (genreId: number | undefined, genres: { genre_id: number }[]) =>
  genres.some(({ genre_id }) => genre_id === genreId)

type ChipProps = { genre: Genre; current: number | undefined; name?: string }

const GenreChip = ({ genre, current, name = genre.title }: ChipProps) => (
  <Link
    to="/spotlight/filter/$genreId"
    params={{ genreId: genre.genre_id }}
    className={css.chip}
    aria-current={genre.genre_id === current ? 'true' : undefined}
  >
    {name}
  </Link>
)
