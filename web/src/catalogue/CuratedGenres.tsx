import type { ReplyOf, spotlights } from '@dubplate/contract'
import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { format, rich } from '../format/message.ts'
import css from '../site/Sidebar.module.css'
import { type QueryState, SidebarBlock } from '../site/SidebarBlock.tsx'
import * as texts from './texts.ts'

type Reply = ReplyOf<typeof spotlights.getCuratedGenres>
type Main = Reply['genres'][number]
type Sub = Main['subgenres'][number]

/** The curated genres, each expandable to its sub-genres; the one whose spotlights are on screen is expanded. */
export const CuratedGenres = ({ queryResult }: { queryResult: QueryState<Reply> }) => (
  <SidebarBlock
    title={texts.curatedGenres}
    queryResult={queryResult}
    rows={5}
    onward={<Link to="/spotlight/index">{texts.seeAll}</Link>}
  >
    {({ genres }) =>
      genres.length > 0 && (
        <ul className={css.genres}>
          {genres.map((genre) => (
            <li key={genre.genre_id}>
              {genre.subgenres.length > 0 ? <CuratedGenreRow genre={genre} /> : <SubgenreLink genre={genre} />}
            </li>
          ))}
        </ul>
      )
    }
  </SidebarBlock>
)

const CuratedGenreRow = ({ genre }: { genre: Main }) => (
  <details className={css.shelf} open={genre.isActive} name="curated-genres">
    <summary className={css.line}>
      <span className={`${css.name} ellipsis`} title={genre.title}>
        {genre.title}
      </span>
      <ListCount genre={genre} />
      <IconChevronDown size={16} aria-hidden className={css.chevron} />
    </summary>
    <ul className={css.inside}>
      <li>
        <SubgenreLink genre={genre} name={format(texts.allOfGenre, { title: genre.title })} />
      </li>
      {genre.subgenres.map((sub) => (
        <li key={sub.genre_id}>
          <SubgenreLink genre={sub} />
        </li>
      ))}
    </ul>
  </details>
)

const SubgenreLink = ({ genre, name = genre.title }: { genre: Sub; name?: string }) => (
  <Link to="/spotlight/filter/$genreId" params={{ genreId: genre.genre_id }} className={css.line}>
    <span className={`${css.name} ellipsis`} title={name}>
      {name}
    </span>
    <ListCount genre={genre} />
  </Link>
)

const ListCount = ({ genre: { list_count } }: { genre: Sub }) => (
  <small className={`${css.count} num`}>
    {rich(texts.spotlightCountHidden, {
      count: list_count,
      hidden: (inside) => <span className="sr">{inside}</span>,
    })}
  </small>
)
