import type { catalogue } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { rich } from '../format/message.ts'
import css from './GenreLists.module.css'
import { toSectionParam } from './section.ts'
import { countOf } from './sectionTexts.ts'
import { Tile, TileGrid } from './Tile.tsx'
import * as texts from './texts.ts'
import { useSection } from './useSection.ts'

type Props = { genres: catalogue.GenreWithCount[] }

export function MoodGrid({ genres }: Props) {
  const { section } = useSection()
  return (
    <TileGrid>
      {genres.map((mood, i) => (
        <li key={mood.genre_id}>
          <Link to="/genres/view/$genreId" params={{ genreId: mood.genre_id }} search={toSectionParam(section)}>
            <Tile image={mood.image} title={mood.name} note={countOf(mood.song_count, section)} isLazy={i > 11} />
          </Link>
        </li>
      ))}
    </TileGrid>
  )
}

type GenreLinkProps = Omit<catalogue.GenreWithCount, 'image' | 'subgenre'> & { className: string | undefined }

function GenreLink({ genre_id, name, song_count, className }: GenreLinkProps) {
  const { section } = useSection()
  return (
    <Link
      to="/genres/view/$genreId"
      params={{ genreId: genre_id }}
      search={toSectionParam(section)}
      className={className}
    >
      <span>{name}</span>
      <small className="num">
        {rich(section === 'kuts' ? texts.kutCountHidden : texts.songCountHidden, {
          count: song_count,
          hidden: (inside) => <span className="sr">{inside}</span>,
        })}
      </small>
    </Link>
  )
}

/** The main genres in columns, each with its sub-genres and their numbers of songs. */
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
