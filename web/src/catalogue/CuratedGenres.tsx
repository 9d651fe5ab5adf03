import type { ReplyOf, spotlights } from '@dubplate/contract'
import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { count } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { type Asked, Block } from '../site/Block.tsx'
import css from './CuratedGenres.module.css'
import * as texts from './texts.ts'

type Reply = ReplyOf<typeof spotlights.getCuratedGenres>
type Main = Reply['genres'][number]
type Sub = Main['subgenres'][number]

/** The curated genres, each opening on those inside it; the one whose lists are on screen is open. */
export const CuratedGenres = ({ asked }: { asked: Asked<Reply> }) => (
  <Block title={texts.curatedGenres} asked={asked} rows={5} onward={<Link to="/spotlight/index">{texts.seeAll}</Link>}>
    {({ genres }) =>
      genres.length > 0 && (
        <ul className={css.genres}>
          {genres.map((genre) => (
            <li key={genre.genre_id}>{genre.subgenres.length > 0 ? <Shelf genre={genre} /> : <Way genre={genre} />}</li>
          ))}
        </ul>
      )
    }
  </Block>
)

const Shelf = ({ genre }: { genre: Main }) => (
  <details className={css.shelf} open={genre.isActive} name="curated-genres">
    <summary className={css.line}>
      <span className={css.name} title={genre.title}>
        {genre.title}
      </span>
      <Lists genre={genre} />
      <IconChevronDown size={16} aria-hidden className={css.chevron} />
    </summary>
    <ul className={css.inside}>
      <li>
        <Way genre={genre} name={format(texts.all2, { title: genre.title })} />
      </li>
      {genre.subgenres.map((sub) => (
        <li key={sub.genre_id}>
          <Way genre={sub} />
        </li>
      ))}
    </ul>
  </details>
)

const Way = ({ genre, name = genre.title }: { genre: Sub; name?: string }) => (
  <Link to="/spotlight/filter/$genreId" params={{ genreId: genre.genre_id }} className={css.line}>
    <span className={css.name} title={name}>
      {name}
    </span>
    <Lists genre={genre} />
  </Link>
)

const Lists = ({ genre: { list_count } }: { genre: Sub }) => (
  <small className={`${css.count} num`}>
    {count(list_count)}
    <span className="sr"> {list_count === 1 ? 'spotlight' : 'spotlights'}</span>
  </small>
)
