import type { ReplyOf, spotlights } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import css from '../site/Sidebar.module.css'
import { type QueryState, SidebarBlock } from '../site/SidebarBlock.tsx'
import { listByline } from './SpotlightTiles.tsx'
import { Tile } from './Tile.tsx'
import * as texts from './texts.ts'

const VISIBLE_COUNT = 4

/** The spotlights that staff show in the right column. */
export const SuggestedCollection = ({
  queryResult,
}: {
  queryResult: QueryState<ReplyOf<typeof spotlights.getSuggestedLists>>
}) => (
  <SidebarBlock title={texts.suggestedCollection} queryResult={queryResult} rows={4} alert>
    {({ curatedlist }) =>
      curatedlist.length > 0 && (
        <ul className={css.tiles}>
          {curatedlist.slice(0, VISIBLE_COUNT).map((list) => (
            <li key={list.curated_list_id}>
              <Link to="/spotlight/view/$listId" params={{ listId: list.curated_list_id }}>
                <Tile image={list.image} title={list.title} note={listByline(list)} isLazy />
              </Link>
            </li>
          ))}
        </ul>
      )
    }
  </SidebarBlock>
)
