import type { ReplyOf, spotlights } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { type Asked, Block } from '../site/Block.tsx'
import { byline } from './HomeSliders.tsx'
import css from './SuggestedCollection.module.css'
import { Tile } from './Tile.tsx'
import * as texts from './texts.ts'

const SHOWN = 4

/** The lists the pool suggests. */
export const SuggestedCollection = ({ asked }: { asked: Asked<ReplyOf<typeof spotlights.getSuggestedLists>> }) => (
  <Block title={texts.suggestedCollection} asked={asked} rows={4} alert>
    {({ curatedlist }) =>
      curatedlist.length > 0 && (
        <ul className={css.tiles}>
          {curatedlist.slice(0, SHOWN).map((list) => (
            <li key={list.curated_list_id}>
              <Link to="/spotlight/view/$listId" params={{ listId: list.curated_list_id }}>
                <Tile image={list.image} title={list.title} note={byline(list)} late />
              </Link>
            </li>
          ))}
        </ul>
      )
    }
  </Block>
)
