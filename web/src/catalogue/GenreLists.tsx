import type { catalogue } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { count, plural } from '../platform/format.ts'
import css from './GenreLists.module.css'
import { Tile, TileGrid } from './Tile.tsx'

type Props = { genres: catalogue.GenreWithCount[] }

export const MoodGrid = ({ genres }: Props) => (
  <TileGrid>
    {genres.map((mood, i) => (
      <li key={mood.genre_id}>
        <Link to="/genres/view/$genreId" params={{ genreId: mood.genre_id }}>
          <Tile image={mood.image} title={mood.name} note={plural(mood.song_count, 'song')} late={i > 11} />
        </Link>
      </li>
    ))}
  </TileGrid>
)

const GenreLink = ({
  genre_id,
  name,
  song_count,
  className,
}: Omit<catalogue.GenreWithCount, 'image' | 'subgenre'> & { className: string | undefined }) => (
  <Link to="/genres/view/$genreId" params={{ genreId: genre_id }} className={className}>
    <span>{name}</span>
    <small className="num">
      {count(song_count)}
      <span className="sr"> {song_count === 1 ? 'song' : 'songs'}</span>
    </small>
  </Link>
)

/** Main genres in columns, each with its sub-genres and how many songs they have. */
export const GenreColumns = ({ genres }: Props) => (
  <ul className={css.columns}>
    {genres.map((genre) => (
      <li key={genre.genre_id}>
        <GenreLink {...genre} className={css.main} />
        <ul>
          {genre.subgenre.map((sub) => (
            <li key={sub.genre_id}>
              <GenreLink {...sub} className={css.sub} />
            </li>
          ))}
        </ul>
      </li>
    ))}
  </ul>
)
